/* Tests core/kernel/film/around.h: samples that count for the pixels around. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernel/film/around.h"
#include "core/kernel/scene/channel_kinds.h"
#include "filter_scene.h"
#include "unit/random_help.h"
#include "unit/scene_help.h"
#include "unit/share_help.h"

enum { WIDTH = 6, HEIGHT = 4, SAMPLES = 1 << 14 };

static const struct {
    uint32_t kind;
    float xradius, yradius, a, b;
} filters[] = {
    {LB_FILTER_BOX, 0.5f, 0.5f, 0.0f, 0.0f},          {LB_FILTER_BOX, 1.0f, 0.75f, 0.0f, 0.0f},
    {LB_FILTER_TRIANGLE, 1.0f, 1.0f, 0.0f, 0.0f},     {LB_FILTER_TRIANGLE, 2.0f, 0.4f, 0.0f, 0.0f},
    {LB_FILTER_GAUSSIAN, 1.5f, 1.5f, 0.5f, 0.0f},     {LB_FILTER_GAUSSIAN, 3.0f, 2.0f, 0.8f, 0.0f},
    {LB_FILTER_MITCHELL, 2.0f, 2.0f, 0.333f, 0.333f}, {LB_FILTER_SINC, 4.0f, 4.0f, 3.0f, 0.0f},
};

static lb_scene *scene_of(size_t i)
{
    lb_scene *scene =
        filter_scene_make(filters[i].kind, filters[i].xradius, filters[i].yradius, filters[i].a, filters[i].b,
                          (uint32_t)(64.0f * filters[i].xradius), (uint32_t)(64.0f * filters[i].yradius));
    scene->film.x0 = 3;
    scene->film.y0 = 7;
    scene->film.width = WIDTH;
    scene->film.height = HEIGHT;
    return scene;
}

/* Something smooth that a picture might show. */
static double shown(double x, double y)
{
    return 1.0 + 0.7 * sin(0.9 * x + 0.3) * cos(1.3 * y - 0.2) + 0.05 * x * y;
}

/* What sample number `sample` of the pixel (x, y) sees, and where it lies. */
static double sample_sees(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                          lb_filter_place *place)
{
    *place = lb_around_place(scene, scene->film.x0 + x, scene->film.y0 + y, sample);
    return shown((double)x + (double)place->offset.x, (double)y + (double)place->offset.y);
}

/* Bits of lb_around_outlines for a picture of which `outlined` has a bit for each pixel. */
static uint32_t outlines_of(uint32_t outlined, uint32_t x, uint32_t y)
{
    uint32_t bits = 0;
    for (int i = 0; i < 25; i++) {
        int column = (int)x + i % 5 - 2, row = (int)y + i / 5 - 2;
        if (column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT &&
            (outlined >> (row * WIDTH + column) & 1) != 0)
            bits |= 1u << i;
    }
    return bits;
}

/* A picture of samples that count for their own pixels alone, and one of samples that count for others. */
static void render(const lb_scene *scene, uint32_t outlined, double own[2][WIDTH * HEIGHT],
                   double around[2][WIDTH * HEIGHT])
{
    memset(own, 0, 2 * WIDTH * HEIGHT * sizeof **own);
    memset(around, 0, 2 * WIDTH * HEIGHT * sizeof **around);
    const uint32_t samples = share_of(SAMPLES);
    for (uint32_t pixel = 0; pixel < WIDTH * HEIGHT; pixel++)
        for (uint32_t sample = 0; sample < samples; sample++) {
            uint32_t x = pixel % WIDTH, y = pixel / WIDTH;
            lb_around shares;
            lb_filter_place place;
            double seen = sample_sees(scene, x, y, sample, &place), weight = (double)place.weight;
            own[0][pixel] += weight * seen / samples;
            own[1][pixel] += weight / samples;
            lb_around_share(scene, scene->film.x0 + x, scene->film.y0 + y, &place,
                            outlines_of(outlined, x, y), &shares);
            for (uint32_t i = 0; i < LB_AROUND_PIXELS; i++) {
                int column = (int)x + (int)i % 3 - 1, row = (int)y + (int)i / 3 - 1;
                double share = (double)shares.share[i];
                bool inside = column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT;
                assert_true(share == 0.0 || inside);
                assert_true(fabs(share) <= 1.0);
                if (!inside)
                    continue;
                around[0][row * WIDTH + column] += share * seen / samples;
                around[1][row * WIDTH + column] += share / samples;
            }
        }
}

/* Whatever the filter, at the picture's edges and beside outlines, pixels are what they are by their own samples. */
static void pixels_are_the_same(void **state)
{
    (void)state;
    double own[2][WIDTH * HEIGHT], around[2][WIDTH * HEIGHT];
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        for (uint32_t turn = 0; turn < 2; turn++) {
            lb_scene *scene = scene_of(i);
            uint32_t outlined = turn == 0 ? 0 : 1u << 8 | 1u << 14 | 1u << 15 | 1u << random_below(24);
            render(scene, outlined, own, around);
            for (uint32_t pixel = 0; pixel < WIDTH * HEIGHT; pixel++)
                for (int k = 0; k < 2; k++)
                    if (!(fabs(own[k][pixel] - around[k][pixel]) < 0.004 * sqrt(test_share())))
                        fail_msg("filter %zu, pixel %u: %g, not %g", i, pixel, around[k][pixel],
                                 own[k][pixel]);
            free(scene);
        }
}

/* Where filters reach no further than the next pixel's middle all of a sample is given away, and where they reach no
 * other pixel all is the own pixel's. */
static void samples_are_given_whole(void **state)
{
    (void)state;
    for (uint32_t turn = 0; turn < share_of(20000); turn++) {
        lb_scene *scene = scene_of(turn % 2 * 2);
        uint32_t x = scene->film.x0 + random_below(WIDTH), y = scene->film.y0 + random_below(HEIGHT);
        lb_filter_place place = lb_around_place(scene, x, y, turn);
        lb_around shares;
        float sum = 0.0f;
        lb_around_share(scene, x, y, &place, 0, &shares);
        for (uint32_t i = 0; i < LB_AROUND_PIXELS; i++)
            sum += shares.share[i];
        assert_near((double)sum, 1.0);
        assert_true(turn % 2 != 0 || shares.share[LB_AROUND_OWN] == 1.0f);
        free(scene);
    }
}

/* A pixel through which an outline runs keeps its samples. */
static void outlines_keep_theirs(void **state)
{
    (void)state;
    struct lb_loaded loaded =
        scene_get("Film \"rgb\" \"integer xresolution\" 40 \"integer yresolution\" 30 Camera \"perspective\"",
                  "AttributeBegin AreaLightSource \"diffuse\" Translate 0 0 5 Shape \"sphere\" AttributeEnd");
    const lb_scene *scene = loaded.scene;
    uint32_t outlined = 0, beside = 0;
    assert_true(scene->outlines.count > 0);
    for (uint32_t y = 0; y < 30; y++)
        for (uint32_t x = 0; x < 40; x++) {
            uint32_t bits = lb_around_outlines(scene, x, y);
            lb_filter_place place = lb_around_place(scene, x, y, 5);
            lb_around shares;
            lb_around_share(scene, x, y, &place, bits, &shares);
            for (int i = 0; i < 25; i++) {
                int column = (int)x + i % 5 - 2, row = (int)y + i / 5 - 2;
                bool inside = column >= 0 && column < 40 && row >= 0 && row < 30;
                assert_true((bits >> i & 1) ==
                            (inside && lb_outline_at(scene, (uint64_t)(row * 40 + column))));
            }
            for (uint32_t i = 0; i < LB_AROUND_PIXELS; i++) {
                uint32_t there = (i / 3 + 1) * 5 + i % 3 + 1;
                if (i != LB_AROUND_OWN && (bits & (LB_AROUND_OUTLINED | 1u << there)) != 0)
                    assert_true(shares.share[i] == 0.0f);
            }
            outlined += (bits & LB_AROUND_OUTLINED) != 0;
            beside += bits != 0 && (bits & LB_AROUND_OUTLINED) == 0;
        }
    assert_true(outlined > 20 && beside > 20);
    lb_scene_free(&loaded);
}

/* What is gathered of sums is what samples were given to pixels, one by one; nothing where there are no such sums. */
static void gathered_is_what_was_given(void **state)
{
    (void)state;
    lb_channels channels = {.wanted = 1u << LB_CHANNEL_AROUND | 1u << LB_CHANNEL_Z};
    lb_channels_lay_out(&channels);
    assert_int_equal(lb_channel_kinds[LB_CHANNEL_AROUND].sums, LB_AROUND_SUMS);
    lb_scene *scene = scene_of(4);
    scene->integrator.samples = 64;
    lb_film_pixel pixels[WIDTH * HEIGHT], expected[WIDTH * HEIGHT];
    int64_t *sums = calloc(WIDTH * HEIGHT, channels.count * sizeof *sums);
    assert_non_null(sums);
    memset(pixels, 0, sizeof pixels);
    memset(expected, 0, sizeof expected);
    scene->film.imaging_ratio = scene->film.max_component = 1.0f;
    for (uint32_t turn = 0; turn < 2000; turn++) {
        uint32_t pixel = random_below(WIDTH * HEIGHT);
        uint32_t x = scene->film.x0 + pixel % WIDTH, y = scene->film.y0 + pixel / WIDTH;
        lb_rgb c = lb_rgb_make(0.25f, 0.001f * (float)random_below(900), 0.5f);
        int64_t *to = sums + pixel * channels.count + channels.first[LB_CHANNEL_AROUND];
        lb_filter_place place = lb_around_place(scene, x, y, turn);
        lb_around shares;
        lb_around_share(scene, x, y, &place, 0, &shares);
        assert_true(lb_around_add(scene, &shares, c, &pixels[pixel], to, turn % 2));
        for (uint32_t i = 0; i < LB_AROUND_PIXELS; i++)
            if (shares.share[i] != 0.0f)
                assert_true(lb_film_add(&expected[pixel + (i / 3) * WIDTH + i % 3 - WIDTH - 1], &scene->film,
                                        64, c, shares.share[i]));
    }
    for (uint32_t pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
        lb_film_pixel got = lb_around_gather(pixels, &channels, sums, NULL, WIDTH, HEIGHT, pixel);
        assert_memory_equal(&got, &expected[pixel], sizeof got);
        got = lb_around_gather(pixels, &channels, NULL, NULL, WIDTH, HEIGHT, pixel);
        assert_memory_equal(&got, &pixels[pixel], sizeof got);
    }
    lb_rgb bad = lb_rgb_make(0.0f, LB_INFINITY, 0.0f);
    lb_film_pixel before = pixels[0];
    lb_around shares = {{0.0f, 0.0f, 0.0f, 0.0f, 1.0f}};
    assert_false(lb_around_add(scene, &shares, bad, &pixels[0], sums, false));
    assert_memory_equal(&before, &pixels[0], sizeof before);
    free(sums);
    free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_the_same),
        cmocka_unit_test(samples_are_given_whole),
        cmocka_unit_test(outlines_keep_theirs),
        cmocka_unit_test(gathered_is_what_was_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
