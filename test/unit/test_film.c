/* Tests core/kernel/film/film.h: sums in fixed point, limits, bad samples, and the conversion to bytes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/kernel/film/film.h"
#include "core/kernel/sampler.h"

static lb_film film_make(float ratio, float limit)
{
    lb_film film;
    memset(&film, 0, sizeof film);
    film.imaging_ratio = ratio;
    film.max_component = limit;
    return film;
}

/* Radiances of all sizes; weight 1 or -1. */
static lb_rgb sample_of(uint32_t i, float *weight)
{
    float size = lb_exp(20.0f * lb_unit_float(lb_hash_u32(i)) - 12.0f);
    *weight = i % 5 == 0 ? -1.0f : 1.0f;
    return lb_rgb_make(size * lb_unit_float(lb_hash_u32(~i)), size,
                       size * lb_unit_float(lb_hash_u32(i ^ 0x12345u)));
}

/* Any order of samples and any split into passes give the same bytes. */
static void test_sums_do_not_depend_on_order(void **state)
{
    (void)state;
    lb_film film = film_make(0.7f, 50.0f);
    for (uint32_t trial = 0; trial < 200; trial++) {
        uint32_t n = 1u << trial % 10, key = lb_hash_u32(trial);
        lb_film_pixel forwards, shuffled, parts[3];
        memset(&forwards, 0, sizeof forwards);
        memset(&shuffled, 0, sizeof shuffled);
        memset(parts, 0, sizeof parts);
        for (uint32_t i = 0; i < n; i++) {
            float weight;
            lb_rgb c = sample_of(key + i, &weight);
            assert_true(lb_film_add(&forwards, &film, n, c, weight));
            lb_film_add(&parts[lb_hash_u32(i) % 3], &film, n, c, weight);
            c = sample_of(key + (i * 5u + trial) % n, &weight); /* a permutation: 5 is odd */
            lb_film_add(&shuffled, &film, n, c, weight);
        }
        for (int c = 0; c < 3; c++)
            parts[0].sum[c] += parts[1].sum[c] + parts[2].sum[c];
        parts[0].weight += parts[1].weight + parts[2].weight;
        assert_memory_equal(&forwards, &shuffled, sizeof forwards);
        assert_memory_equal(&forwards, &parts[0], sizeof forwards);
    }
}

/* The final pixel is the weighted mean, within the fixed point's and the result's rounding. */
static void test_mean(void **state)
{
    (void)state;
    lb_film film = film_make(2.0f, LB_INFINITY);
    for (uint32_t trial = 0; trial < 300; trial++) {
        double sum[3] = {0.0}, weights = 0.0;
        lb_film_pixel pixel;
        memset(&pixel, 0, sizeof pixel);
        for (uint32_t i = 0; i < 64; i++) {
            float weight;
            lb_rgb c = sample_of(trial * 64 + i, &weight);
            lb_film_add(&pixel, &film, 64, c, weight);
            sum[0] += 2.0 * (double)c.r * (double)weight;
            sum[1] += 2.0 * (double)c.g * (double)weight;
            sum[2] += 2.0 * (double)c.b * (double)weight;
            weights += (double)weight;
        }
        lb_rgb mean = lb_film_rgb(&pixel);
        const double got[3] = {(double)mean.r, (double)mean.g, (double)mean.b};
        for (int c = 0; c < 3; c++)
            assert_true(fabs(got[c] - sum[c] / weights) <= 64.0 * 0x1p-31 / weights + fabs(got[c]) * 0x1p-23);
    }
}

static void test_bad_samples_add_nothing(void **state)
{
    (void)state;
    lb_film film = film_make(4.0f, LB_INFINITY);
    lb_film_pixel pixel, before;
    memset(&pixel, 0, sizeof pixel);
    lb_film_add(&pixel, &film, 16, lb_rgb_make(1.0f, 2.0f, 3.0f), 1.0f);
    before = pixel;
    const float bad[] = {NAN, -NAN, INFINITY, -INFINITY, FLT_MAX /* infinite after the imaging ratio */};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(lb_film_add(&pixel, &film, 16, lb_rgb_make(bad[i], 0.5f, 0.5f), 1.0f));
        assert_false(lb_film_add(&pixel, &film, 16, lb_rgb_make(0.5f, bad[i], 0.5f), 1.0f));
        assert_false(lb_film_add(&pixel, &film, 16, lb_rgb_make(0.5f, 0.5f, bad[i]), 1.0f));
        if (bad[i] != FLT_MAX)
            assert_false(lb_film_add(&pixel, &film, 16, lb_rgb_grey(0.5f), bad[i]));
    }
    assert_memory_equal(&pixel, &before, sizeof pixel);
    lb_film limited = film_make(4.0f, 1.0f); /* a limit does not make them good */
    assert_false(lb_film_add(&pixel, &limited, 16, lb_rgb_make(INFINITY, 0.0f, 0.0f), 1.0f));
}

/* The sum stays in range and keeps its sign, with as many samples as a pixel may have, each as bright as a float can
 * be. */
static void test_sums_cannot_overflow(void **state)
{
    (void)state;
    lb_film film = film_make(1.0f, LB_INFINITY);
    for (uint32_t n = 1; n <= 65536; n *= 16) {
        lb_film_pixel up, down;
        memset(&up, 0, sizeof up);
        memset(&down, 0, sizeof down);
        for (uint32_t i = 0; i < n; i++) {
            lb_film_add(&up, &film, n, lb_rgb_grey(FLT_MAX), 1.0f);
            lb_film_add(&down, &film, n, lb_rgb_grey(FLT_MAX), -1.0f);
        }
        assert_true(up.sum[0] == INT64_C(1) << 62 && down.sum[2] == -(INT64_C(1) << 62));
        assert_true(lb_film_rgb(&up).g >= 65536.0f);
    }
    lb_film_pixel pixel;
    memset(&pixel, 0, sizeof pixel);
    assert_true(lb_film_add(&pixel, &film, 0, lb_rgb_grey(1.0f), 1.0f)); /* 0 counts as 1 */
    assert_true(lb_film_rgb(&pixel).r == 1.0f);
}

/* maxcomponentvalue keeps the colour: 1 / 0.8 / 0.6 limited to 0.5, after the imaging ratio. */
static void test_limit(void **state)
{
    (void)state;
    for (float ratio = 0.25f; ratio <= 8.0f; ratio *= 2.0f) {
        lb_film film = film_make(ratio, 0.5f);
        lb_film_pixel pixel;
        memset(&pixel, 0, sizeof pixel);
        lb_film_add(&pixel, &film, 1, lb_rgb_scale(lb_rgb_make(1.0f, 0.8f, 0.6f), 1.0f / ratio), 1.0f);
        lb_rgb c = lb_film_rgb(&pixel);
        assert_true(fabsf(c.r - 0.5f) < 1e-6f && fabsf(c.g - 0.4f) < 1e-6f && fabsf(c.b - 0.3f) < 1e-6f);
        memset(&pixel, 0, sizeof pixel);
        lb_film_add(&pixel, &film, 1, lb_rgb_scale(lb_rgb_make(0.5f, 0.25f, 0.125f), 1.0f / ratio), 1.0f);
        c = lb_film_rgb(&pixel);
        assert_true(c.r == 0.5f && c.g == 0.25f && c.b == 0.125f);
    }
}

static void test_pixel_without_weight_is_black(void **state)
{
    (void)state;
    lb_film_pixel pixel;
    memset(&pixel, 0, sizeof pixel);
    assert_true(lb_rgb_is_black(lb_film_rgb(&pixel)));
    pixel.sum[1] = 5; /* weights of both signs that cancel */
    assert_true(lb_rgb_is_black(lb_film_rgb(&pixel)));
}

/* Against IEC 61966-2-1 in double; only within a float's rounding of a half may the byte be its neighbour. */
static void test_srgb(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= 1u << 20; i++) {
        float x = (float)i * 0x1p-20f;
        double exact = x <= 0.0031308f ? 12.92 * (double)x : 1.055 * pow((double)x, 1.0 / 2.4) - 0.055;
        double scaled = exact * 255.0, got = lb_srgb_byte(x);
        assert_true(fabs(got - scaled) <= 0.5 + 2e-5);
    }
    uint8_t last = 0;
    for (float x = 0.0f; x < 1.001f; x += 1e-6f) {
        uint8_t byte = lb_srgb_byte(x);
        assert_true(byte >= last && byte - last <= 1);
        last = byte;
    }
    assert_int_equal(last, 255);
    assert_int_equal(lb_srgb_byte(NAN), 0);
    assert_int_equal(lb_srgb_byte(-1.0f), 0);
    assert_int_equal(lb_srgb_byte(-INFINITY), 0);
    assert_int_equal(lb_srgb_byte(INFINITY), 255);
    assert_int_equal(lb_srgb_byte(0.0f), 0);
    for (int byte = 0; byte < 256; byte++) { /* what an image was decoded from comes back */
        double v = byte / 255.0;
        float linear = (float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
        assert_int_equal(lb_srgb_byte(linear), byte);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_do_not_depend_on_order),
        cmocka_unit_test(test_mean),
        cmocka_unit_test(test_bad_samples_add_nothing),
        cmocka_unit_test(test_sums_cannot_overflow),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_pixel_without_weight_is_black),
        cmocka_unit_test(test_srgb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
