/* Whether a colour is that of any reflectance at all, whatever its shape. */
#ifndef LB_TEST_ANY_REFLECTANCE_H
#define LB_TEST_ANY_REFLECTANCE_H

#include "core/scene/spectrum/uplift.h"

#include <stdbool.h>

static inline double clamped(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* What the reflectance shows that is `most` where this adds to the sum of `way`'s components, and 0 elsewhere:
 * nothing that a reflectance up to `most` shows is further that way. */
static inline void show_furthest(const struct lb_uplifter *uplifter, double most, const double way[3],
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

/* Whether any reflectance up to `most` shows a colour that is within the tolerance in each component. What reflectances
 * show is convex, and Frank and Wolfe's method goes from one of these colours to the next that is nearer, until one is
 * within, or a plane lies between the tolerated ones and all of them. A colour that is neither after so many steps
 * counts as shown. */
static inline bool any_reflectance_shows(const struct lb_uplifter *uplifter, double most, double tolerance,
                                         const double colour[3])
{
    double near[3] = {0.0, 0.0, 0.0};
    for (int step = 0; step < 20000; step++) {
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

#endif
