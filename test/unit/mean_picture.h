/* The mean of a picture of 8 x 8 pixels, rendered without a tree. cmocka's headers come before. */
#ifndef LB_TEST_UNIT_MEAN_PICTURE_H
#define LB_TEST_UNIT_MEAN_PICTURE_H

#include "core/kernel/math.h"
#include "test/scene_text.h"
#include "test/unit/brute_radiance.h"

#include <string.h>

/* The mean over all pixels, each of `samples`; every sample must be finite. */
static lb_rgb mean_picture(const lb_scene *scene, radiance_of *radiance, uint32_t samples)
{
    lb_counters counters;
    double sum[3] = {0, 0, 0};
    memset(&counters, 0, sizeof counters);
    for (uint32_t pixel = 0; pixel < 64; pixel++)
        for (uint32_t i = 0; i < samples; i++) {
            lb_filter_place place;
            lb_rgb c = radiance(scene, pixel % 8, pixel / 8, i, &place, NULL, &counters);
            assert_true(lb_is_finite(c.r) && lb_is_finite(c.g) && lb_is_finite(c.b));
            sum[0] += (double)c.r;
            sum[1] += (double)c.g;
            sum[2] += (double)c.b;
        }
    double n = 64.0 * samples;
    return lb_rgb_make((float)(sum[0] / n), (float)(sum[1] / n), (float)(sum[2] / n));
}

#endif
