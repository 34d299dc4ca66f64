/* Small pictures by lb_volume_radiance without a tree, for tests that know their radiance. cmocka's headers come
 * before. */
#ifndef LB_TEST_UNIT_VOLUME_PICTURE_H
#define LB_TEST_UNIT_VOLUME_PICTURE_H

#include "test/scene_text.h"

#include <math.h>
#include <stdio.h>

#include "test/brute_trace.h"
#include "core/kernel/volume_loop.h"

/* An 8 x 8 picture, seen from (0, 0, 5) towards the origin. */
#define VIEW(depth)                                                                                          \
    "LookAt 0 0 5  0 0 0  0 1 0 Camera \"perspective\" \"float fov\" 1\n"                                    \
    "Film \"rgb\" \"integer xresolution\" 8 \"integer yresolution\" 8\n"                                     \
    "Integrator \"volpath\" \"integer maxdepth\" " depth "\n"

/* The mean over all pixels, each of `samples`. */
static lb_rgb picture_mean(const char *text, uint32_t samples)
{
    struct lb_loaded loaded;
    lb_counters counters;
    double sum[3] = {0, 0, 0};
    memset(&counters, 0, sizeof counters);
    load_scene_text(text, &loaded);
    assert_int_equal(loaded.scene->any_volume, 1);
    for (uint32_t pixel = 0; pixel < 64; pixel++)
        for (uint32_t i = 0; i < samples; i++) {
            float weight;
            lb_rgb c = lb_volume_radiance(loaded.scene, pixel % 8, pixel / 8, i, &weight, NULL, &counters);
            assert_true(lb_is_finite(c.r) && lb_is_finite(c.g) && lb_is_finite(c.b));
            sum[0] += (double)c.r;
            sum[1] += (double)c.g;
            sum[2] += (double)c.b;
        }
    lb_scene_free(&loaded);
    double n = 64.0 * samples;
    return lb_rgb_make((float)(sum[0] / n), (float)(sum[1] / n), (float)(sum[2] / n));
}

static void assert_colour(const char *what, lb_rgb got, const double expected[3], double slack)
{
    const float bands[3] = {got.r, got.g, got.b};
    for (int i = 0; i < 3; i++)
        if (!(fabs((double)bands[i] - expected[i]) <= slack * (expected[i] + 0.01)))
            fail_msg("%s: band %d is %g, not %g", what, i, (double)bands[i], expected[i]);
}

#endif
