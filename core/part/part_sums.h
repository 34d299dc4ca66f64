/* The sums of channels in a part: what part.c needs of them. For core/part alone. */
#ifndef LB_CORE_PART_PART_SUMS_H
#define LB_CORE_PART_PART_SUMS_H

#include "core/part/part.h"

enum { LB_SUMS_NAMES = 150 };
/* The names of the kinds that are summed with spaces between, or "none". */
void lb_sums_names(const lb_channels *channels, char names[LB_SUMS_NAMES]);
/* Of lb_part_subject. */
float lb_sums_reach(const lb_scene *scene);
/* Adds a pixel's sums. */
void lb_sums_join(int64_t *sums, const int64_t *more, size_t count);
/* Was nothing in the pixel's sums limited less than `bound` (lb_film_bound) would? Of a plain part. */
bool lb_sums_bounded(const struct lb_part *part, uint64_t pixel, double bound, float reach);

#endif
