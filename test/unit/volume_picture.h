/* Small pictures by brute_volume without a tree, for tests that know their radiance. cmocka's headers come
 * before. */
#ifndef LB_TEST_UNIT_VOLUME_PICTURE_H
#define LB_TEST_UNIT_VOLUME_PICTURE_H

#include "test/unit/mean_picture.h"

#include <math.h>
#include <stdio.h>

/* An 8 x 8 picture, seen from (0, 0, 5) towards the origin. */
#define VIEW(depth)                                                                                          \
    "LookAt 0 0 5  0 0 0  0 1 0 Camera \"perspective\" \"float fov\" 1\n"                                    \
    "Film \"rgb\" \"integer xresolution\" 8 \"integer yresolution\" 8\n"                                     \
    "Integrator \"volpath\" \"integer maxdepth\" " depth "\n"

/* Its mean, of a scene with media that scatter. */
static lb_rgb picture_mean(const char *text, uint32_t samples)
{
    struct lb_loaded loaded;
    load_scene_text(text, &loaded);
    assert_int_equal(loaded.scene->any_volume, 1);
    lb_rgb mean = mean_picture(loaded.scene, brute_volume, samples);
    lb_scene_free(&loaded);
    return mean;
}

static void assert_colour(const char *what, lb_rgb got, const double expected[3], double slack)
{
    const float bands[3] = {got.r, got.g, got.b};
    for (int i = 0; i < 3; i++)
        if (!(fabs((double)bands[i] - expected[i]) <= slack * (expected[i] + 0.01)))
            fail_msg("%s: band %d is %g, not %g", what, i, (double)bands[i], expected[i]);
}

#endif
