/* How many colours of a space a reflectance can show: a grid of 16 x 16 x 16 from 0 to 1, within 0.002 in each
 * component under the space's white. Prints CSV: of each space how many are further off by the sigmoid as it is
 * solved, by that of pbrt's table, by any reflectance at all, and by any that may be up to 8, so that a part of the
 * light is the surface's own. */
#include "core/base/color_space.h"
#include "test/any_reflectance.h"

#include <stdio.h>

enum { SIDE = 16, COLOURS = SIDE * SIDE * SIDE };
static const double tolerance = 0.002;

typedef void uplift_function(const struct lb_uplifter *uplifter, lb_rgb colour, struct lb_sigmoid *sigmoid);

static bool sigmoid_shows(const struct lb_uplifter *uplifter, uplift_function *uplift, lb_rgb colour)
{
    struct lb_sigmoid sigmoid;
    uplift(uplifter, colour, &sigmoid);
    return lb_uplift_error(uplifter, colour, &sigmoid) <= tolerance;
}

int main(void)
{
    printf("space,colors,sigmoid,pbrt's table,any reflectance,any up to 8\n");
    for (uint32_t space = 0; space < LB_COLOR_SPACES; space++) {
        struct lb_uplifter uplifter;
        int off[4] = {0};
        lb_uplifter_make(space, &uplifter);
        for (int i = 0; i < COLOURS; i++) {
            const double colour[3] = {i % SIDE / (SIDE - 1.0), i / SIDE % SIDE / (SIDE - 1.0),
                                      i / SIDE / SIDE / (SIDE - 1.0)};
            lb_rgb rgb = lb_rgb_make((float)colour[0], (float)colour[1], (float)colour[2]);
            off[0] += !sigmoid_shows(&uplifter, lb_uplift, rgb);
            off[1] += !sigmoid_shows(&uplifter, lb_uplift_as_pbrt, rgb);
            off[2] += !any_reflectance_shows(&uplifter, 1.0, tolerance, colour);
            off[3] += !any_reflectance_shows(&uplifter, 8.0, tolerance, colour);
        }
        printf("%s,%d,%d,%d,%d,%d\n", lb_color_spaces[space].name, COLOURS, off[0], off[1], off[2], off[3]);
    }
    return 0;
}
