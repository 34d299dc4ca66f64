/* Light groups as channels of an EXR: the parts of R, G and B that each group's lights have brought. */
#ifndef LB_CORE_PICTURE_GROUPS_H
#define LB_CORE_PICTURE_GROUPS_H

#include "core/base/arena.h"
#include "core/image/exr_write.h"
#include "core/picture/picture.h"

struct lb_group_planes {
    /* channel_count of them: R, G and B of each group, that without a name first. */
    struct lb_exr_channel *channels;
    size_t channel_count;
    struct lb_arena own;
};

/* What the groups are of the picture. In each pixel where no part is below 0 they are multiples of the last bit of the
 * picture's R, G and B as floats, whose sum is R, G and B to the bit, in whatever order they are added; elsewhere, as
 * with filters that have negative weights, each is rounded for itself. What replaces the picture's colours
 * (lb_film_picture.colors) is not looked at. Where the form is transparent, the background is in none of these. False:
 * out of memory. Either way to be freed by lb_groups_free(). */
bool lb_groups_make(const struct lb_film_picture *picture, const struct lb_film_form *form,
                    struct lb_group_planes *planes);
void lb_groups_free(struct lb_group_planes *planes);

/* The `count` parts of one component as floats whose sum is `whole`, which is the sum of `parts` as a float. Where a
 * part is below 0, or `whole` is infinite, each is rounded for itself. */
void lb_groups_split(const double *parts, uint32_t count, float whole, float *values);

#endif
