/* How many colours of a space a reflectance can show: a grid of 16 x 16 x 16 from 0 to 1, within 0.002 in each
 * component under the space's white. Prints CSV: of each space how many are further off by the sigmoid as it is
 * solved, by that of pbrt's table, by any reflectance at all, and by any that may be up to 8, so that a part of the
 * light is the surface's own. */
#include "core/base/color_space.h"
#include "core/scene/spectrum/uplift.h"

#include <stdbool.h>
#include <stdio.h>

enum { SIDE = 16, COLOURS = SIDE * SIDE * SIDE, MOST_STEPS = 20000 };
static const double tolerance = 0.002;

static double clamped(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* What the reflectance shows that is `most` where this adds to the sum of `way`'s components, and 0 elsewhere:
 * nothing that a reflectance up to `most` shows is further that way. */
static void show_furthest(const struct lb_uplifter *uplifter, double most, const double way[3],
                          double shown[3])
{
    shown[0] = shown[1] = shown[2] = 0.0;
    for (int i = 0; i < LB_SPECTRUM_COUNT; i++) {
        const double *weights = uplifter->weights[i];
        if (way[0] * weights[0] + way[1] * weights[1] + way[2] * weights[2] > 0.0)
            for (int c = 0; c < 3; c++)
                shown[c] += most * weights[c];
    }
}

/* Whether any reflectance up to `most` shows a colour that is within the tolerance. What reflectances show is
 * convex, and Frank and Wolfe's method goes from one of these colours to the next that is nearer, until one is
 * within, or a plane lies between the tolerated ones and all of them. A colour that is neither after so many steps
 * counts as shown. */
static bool any_shows(const struct lb_uplifter *uplifter, double most, const double colour[3])
{
    double near[3] = {0.0, 0.0, 0.0};
    for (int step = 0; step < MOST_STEPS; step++) {
        double way[3], furthest[3], left = 0.0, beyond = 0.0, along = 0.0, square = 0.0;
        for (int c = 0; c < 3; c++) {
            double tolerated = clamped(near[c], colour[c] - tolerance, colour[c] + tolerance);
            way[c] = tolerated - near[c];
            left += way[c] * way[c];
        }
        show_furthest(uplifter, most, way, furthest);
        for (int c = 0; c < 3; c++) {
            beyond += way[c] * (near[c] + way[c] - furthest[c]);
            along += way[c] * (furthest[c] - near[c]);
            square += (furthest[c] - near[c]) * (furthest[c] - near[c]);
        }
        if (left < 1e-14 || !(along > 0.0))
            return left < 1e-14;
        if (beyond > 0.0)
            return false;
        for (int c = 0; c < 3; c++)
            near[c] += clamped(along / square, 0.0, 1.0) * (furthest[c] - near[c]);
    }
    return true;
}

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
            off[2] += !any_shows(&uplifter, 1.0, colour);
            off[3] += !any_shows(&uplifter, 8.0, colour);
        }
        printf("%s,%d,%d,%d,%d,%d\n", lb_color_spaces[space].name, COLOURS, off[0], off[1], off[2], off[3]);
    }
    return 0;
}
