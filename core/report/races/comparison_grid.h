/* The strategies of a race side by side on a page: who rendered what, when, and how busy each processor was. */
#ifndef LB_CORE_REPORT_RACES_COMPARISON_GRID_H
#define LB_CORE_REPORT_RACES_COMPARISON_GRID_H

#include "core/base/text.h"
#include "core/report/races/comparison.h"

/* A card for each row that has something to show; the reader chooses their order, without a script. Nothing where no
 * row has. */
void lb_comparison_grid(struct lb_text *out, const struct lb_comparison *comparison);

#endif
