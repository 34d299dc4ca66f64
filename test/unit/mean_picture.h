/* The mean of a picture of 8 x 8 pixels, rendered without a tree. cmocka's headers come before. */
#ifndef LB_TEST_UNIT_MEAN_PICTURE_H
#define LB_TEST_UNIT_MEAN_PICTURE_H

#include "test/brute_trace.h"
#include "test/scene_text.h"

#include <string.h>

/* What a sample of the pixel (x, y) sees: lb_path_radiance and its like. */
typedef lb_rgb radiance_of(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                           float *filter_weight, const int *stop, lb_counters *counters);

/* The mean over all pixels, each of `samples`; every sample must be finite. */
static lb_rgb mean_picture(const lb_scene *scene, radiance_of *radiance, uint32_t samples)
{
    lb_counters counters;
    double sum[3] = {0, 0, 0};
    memset(&counters, 0, sizeof counters);
    for (uint32_t pixel = 0; pixel < 64; pixel++)
        for (uint32_t i = 0; i < samples; i++) {
            float weight;
            lb_rgb c = radiance(scene, pixel % 8, pixel / 8, i, &weight, NULL, &counters);
            assert_true(lb_is_finite(c.r) && lb_is_finite(c.g) && lb_is_finite(c.b));
            sum[0] += (double)c.r;
            sum[1] += (double)c.g;
            sum[2] += (double)c.b;
        }
    double n = 64.0 * samples;
    return lb_rgb_make((float)(sum[0] / n), (float)(sum[1] / n), (float)(sum[2] / n));
}

#endif
