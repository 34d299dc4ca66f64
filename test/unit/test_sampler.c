/* Tests core/kernel/sampler.h and hash.h: samples are nets, uniform and independent. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernel/sampler.h"

/* The point that sample number `sample` has in pair number `pair` of dimensions. */
static lb_vec2 point(uint32_t key, uint32_t pair, uint32_t sample)
{
    lb_sampler sampler;
    lb_sampler_start(&sampler, key, key >> 8, key % 1920u, key % 1080u, sample);
    sampler.dimension = pair;
    return lb_sampler_2d(&sampler);
}

/* Marks the 2^-a x 2^-(k-a) boxes that 2^k points hit; true: each exactly once. */
static bool is_stratified(const lb_vec2 *points, uint32_t k, uint32_t a)
{
    uint8_t hit[1u << 12];
    uint32_t columns = 1u << a, rows = 1u << (k - a);
    memset(hit, 0, sizeof hit);
    for (uint32_t i = 0; i < 1u << k; i++) {
        uint32_t box =
            (uint32_t)(points[i].x * (float)columns) + columns * (uint32_t)(points[i].y * (float)rows);
        if (hit[box]++ != 0)
            return false;
    }
    return true;
}

/* Aligned blocks of 2^k samples, in every pair of dimensions, hit every elementary interval once. */
static void test_every_block_is_a_net(void **state)
{
    (void)state;
    static lb_vec2 points[1u << 12];
    for (uint32_t trial = 0; trial < 400; trial++) {
        uint32_t key = lb_hash_u32(trial + 1), k = trial % 13, block = trial % 7 == 0 ? 0u : key >> 12 >> k;
        for (uint32_t i = 0; i < 1u << k; i++)
            points[i] = point(key, trial % 50, (block << k) + i);
        for (uint32_t a = 0; a <= k; a++)
            if (!is_stratified(points, k, a))
                fail_msg("trial %u: 2^%u samples are no net for boxes 2^-%u wide", trial, k, a);
    }
}

static void test_one_dimension_is_stratified(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 500; trial++) {
        uint32_t key = lb_hash_u32(trial), k = trial % 11;
        uint8_t hit[1u << 10] = {0};
        for (uint32_t i = 0; i < 1u << k; i++) {
            lb_sampler sampler;
            lb_sampler_start(&sampler, key, 0, trial, 7, i);
            sampler.dimension = trial % 9;
            float u = lb_sampler_1d(&sampler);
            assert_true(u >= 0.0f && u < 1.0f);
            assert_int_equal(hit[(uint32_t)(u * (float)(1u << k))]++, 0);
        }
    }
}

/* A pure function: any order of calls gives the same numbers, and dimensions advance one by one. */
static void test_pure_function(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        lb_sampler a, b;
        lb_sampler_start(&a, 1, 2, i, 4, i * 77u);
        lb_sampler_start(&b, 1, 2, i, 4, i * 77u);
        float first = lb_sampler_1d(&a);
        lb_vec2 second = lb_sampler_2d(&a);
        float third = lb_sampler_1d(&a);
        assert_int_equal(a.dimension, 3);
        b.dimension = 2;
        assert_true(lb_sampler_1d(&b) == third);
        b.dimension = 1;
        lb_vec2 again = lb_sampler_2d(&b);
        assert_true(again.x == second.x && again.y == second.y);
        b.dimension = 0;
        assert_true(lb_sampler_1d(&b) == first);
    }
}

/* Counts of `n` trials over `cells` equal cells: within 5 standard deviations of chi-square's mean. */
static void assert_uniform(const char *what, const uint32_t *counts, uint32_t cells, double n)
{
    double expected = n / cells, chi2 = 0.0;
    for (uint32_t i = 0; i < cells; i++)
        chi2 += (counts[i] - expected) * (counts[i] - expected) / expected;
    double bound = 5.0 * sqrt(2.0 * (cells - 1));
    if (fabs(chi2 - (cells - 1)) > bound)
        fail_msg("%s: chi-square %g for %u cells", what, chi2, cells);
}

/* Sample 0 over blocks of pixels, seeds and frames is plain uniform noise in the unit square, and so is every later
 * one, at each place of the blocks. */
static void test_uniform_over_blocks(void **state)
{
    (void)state;
    for (uint32_t sample = 0; sample < 40; sample++) {
        uint32_t counts[256] = {0}, place = lb_hash_u32(sample);
        for (uint32_t i = 0; i < 65536; i++) {
            lb_sampler sampler;
            uint32_t x = i % 256 << 4 | (place & 15u), y = i / 256 << 4 | (place >> 4 & 15u);
            lb_sampler_start(&sampler, sample % 3, sample % 2, x, y, sample);
            sampler.dimension = sample % 5;
            lb_vec2 u = lb_sampler_2d(&sampler);
            counts[(uint32_t)(u.x * 16.0f) * 16 + (uint32_t)(u.y * 16.0f)]++;
        }
        assert_uniform("pixels", counts, 256, 65536.0);
    }
}

/* Pairs of numbers that should know nothing of each other: of two dimensions, in one pixel or in neighbours, and of
 * neighbouring blocks, frames and seeds. */
static void test_independence(void **state)
{
    (void)state;
    static const char *const what[] = {"dimensions",    "dimensions across", "dimensions down",
                                       "blocks across", "blocks down",       "frames",
                                       "seeds"};
    static const uint32_t steps[][3] = {{0, 0, 1},  {1, 0, 1}, {0, 1, 1}, {16, 0, 0},
                                        {0, 16, 0}, {0, 0, 0}, {0, 0, 0}};
    for (uint32_t kind = 0; kind < 7; kind++) {
        uint32_t counts[256] = {0}, blocks = kind >= 3 ? 4 : 0;
        for (uint32_t i = 0; i < 1u << 18; i++) {
            uint32_t x = (i >> 2 & 255u) << blocks, y = i >> 10 << blocks, sample = i & 3u;
            lb_sampler a, b;
            lb_sampler_start(&a, 0, 0, x, y, sample);
            lb_sampler_start(&b, kind == 6, kind == 5, x + steps[kind][0], y + steps[kind][1], sample);
            b.dimension = steps[kind][2];
            counts[(uint32_t)(lb_sampler_2d(&a).x * 16.0f) * 16 + (uint32_t)(lb_sampler_1d(&b) * 16.0f)]++;
        }
        assert_uniform(what[kind], counts, 256, (double)(1u << 18));
    }
}

/* ---- blocks of pixels ---- */

/* Elements of the field of four as {0, 1, w, w + 1} = {0, 1, 2, 3}. */
static uint32_t times_w(uint32_t a)
{
    return (a << 1 & 2u) ^ (a >> 1) * 3u;
}

static uint32_t times_power(uint32_t a, uint32_t power)
{
    for (uint32_t i = 0; i < power % 3; i++)
        a = times_w(a);
    return a;
}

/* The tables are what the head of pixel_block.h says: coefficient i of 1/(t - w)^(j+1) at t = 0 is, up to what is the
 * same for all i, C(i + j, i) / w^(i+j+1), and at t = 1, from where the pole lies at w + 1 = w^2, C(i + j, i) /
 * w^(2(i+j+1)). The binomial is odd where i and j have no bit in common. Each bit of a place stands for an element. */
static void test_shifts_are_expansions(void **state)
{
    (void)state;
    for (uint32_t place = 0; place < 256; place++) {
        uint64_t expected = 0;
        for (uint32_t i = 0; i < 16; i++) {
            uint32_t x = 0, y = 0;
            for (uint32_t j = 0; j < 4; j++) {
                uint32_t even = place >> (6 - 2 * j) & 1u, odd = place >> (7 - 2 * j) & 1u;
                uint32_t element = (even ^ odd) | odd << 1;
                /* Each of the place's digits may be multiplied by anything but 0. */
                element = times_power(element, 2 * (j + 1));
                if ((i & j) == 0) {
                    x ^= times_power(element, 2 * 3 * 16 - 2 * (i + j + 1));
                    y ^= times_power(element, 3 * 16 - (i + j + 1));
                }
            }
            uint32_t x0 = (x ^ x >> 1) & 1u, x1 = x >> 1, y0 = (y ^ y >> 1) & 1u, y1 = y >> 1;
            /* Sobol's second number has the sum of a digit's bits in the first of them. */
            expected |= (uint64_t)(x0 | x1 << 1) << (2 * i) | (uint64_t)((y0 ^ y1) | y1 << 1) << (2 * i + 32);
        }
        assert_true(lb_block_shift(place) == expected);
    }
}

/* Whether all elementary intervals that are 2^-m large hold one of the 2^m points of 2^k samples each of an aligned
 * square of 2^n x 2^n pixels; the same for the numbers of a single dimension. */
static void net_over_pixels(uint32_t trial, uint32_t k, uint32_t n, bool *pairs, bool *singles)
{
    static lb_vec2 points[1u << 12];
    uint32_t count = 0, left = lb_hash_u32(3 * trial + 1) % 64 << n,
             top = lb_hash_u32(3 * trial + 2) % 64 << n;
    uint32_t first = lb_hash_u32(3 * trial) % 50 << k, m = k + 2 * n;
    uint8_t hit[1u << 12] = {0};
    *pairs = *singles = true;
    for (uint32_t i = 0; i < 1u << m; i++) {
        uint32_t pixel = i >> k;
        lb_sampler sampler;
        lb_sampler_start(&sampler, 7, trial, left + (pixel & ((1u << n) - 1)), top + (pixel >> n),
                         first + (i & ((1u << k) - 1)));
        sampler.dimension = trial % 20;
        points[count++] = lb_sampler_2d(&sampler);
        sampler.dimension = trial % 20;
        *singles &= hit[(uint32_t)(lb_sampler_1d(&sampler) * (float)(1u << m))]++ == 0;
    }
    for (uint32_t a = 0; a <= m; a++)
        *pairs &= is_stratified(points, m, a);
}

static void test_pixels_of_a_block_are_a_net(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 600; trial++) {
        uint32_t n = trial % 5, k = trial / 5 % 5;
        bool pairs, singles;
        net_over_pixels(trial, k, n, &pairs, &singles);
        if (n != 2 && !(pairs && singles))
            fail_msg("%u samples of %u x %u pixels are no net", 1u << k, 1u << n, 1u << n);
        /* Of 4 x 4 pixels at least squares of 4^-a by 4^-b have a point each, for 4^k samples. */
        if (n == 2 && k % 2 == 0 && !singles)
            fail_msg("numbers of %u samples of 4 x 4 pixels are not spread", 1u << k);
    }
}

/* The mean over 2 x 2 and over 8 x 8 pixels has a fraction of the noise that it would have if pixels knew nothing of
 * each other, for a function of two numbers and of four. */
static void test_errors_of_neighbours_cancel(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 3; n += 2) {
        double own[2] = {0}, joint[2] = {0}, pixels = (double)(1u << 2 * n);
        for (uint32_t block = 0; block < 400; block++) {
            double mean[2] = {0};
            for (uint32_t i = 0; i < 1u << 2 * n; i++)
                for (int four = 0; four < 2; four++) {
                    double value = 0.0;
                    for (uint32_t s = 0; s < 4; s++) {
                        lb_sampler sampler;
                        lb_sampler_start(&sampler, block, 0, i & ((1u << n) - 1), i >> n, s);
                        lb_vec2 u = lb_sampler_2d(&sampler), v = lb_sampler_2d(&sampler);
                        double lit = u.x + 2.0f * u.y < 1.3f ? 1.0 : 0.0;
                        value += 0.25 * (four ? lit * (v.x * v.y < 0.2f ? 1.0 : 0.0) : lit);
                    }
                    double error = value - (four ? 0.4 * (0.2 - 0.2 * log(0.2)) : 0.4);
                    own[four] += error * error / pixels;
                    mean[four] += error / pixels;
                }
            for (int four = 0; four < 2; four++)
                joint[four] += mean[four] * mean[four];
        }
        for (int four = 0; four < 2; four++) {
            double left = joint[four] / (own[four] / pixels);
            print_message("%u x %u pixels, %s: %.2f of the variance\n", 1u << n, 1u << n,
                          four ? "4-d" : "2-d", left);
            assert_true(left < (four ? 0.85 : n == 1 ? 0.6 : 0.2));
        }
    }
}

/* Two dimensions of a block's 256 pixels: 4 x 4 cells hold as many of them as if the shuffles were of any kind that
 * keeps quarters together, of which a model has 0.81 +- 0.53 of chance's chi-square. */
static void test_places_are_shuffled(void **state)
{
    (void)state;
    enum { TRIALS = 4000 };
    double sum = 0.0, squares = 0.0;
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        uint32_t a = lb_hash_u32(2 * trial + 1), b = lb_hash_u32(2 * trial + 2);
        double counts[16] = {0}, chi2 = 0.0;
        for (uint32_t place = 0; place < 256; place++) {
            uint32_t x = (uint32_t)lb_block_shift(lb_block_shuffle(place, a)) & 3u;
            counts[x << 2 | ((uint32_t)lb_block_shift(lb_block_shuffle(place, b)) & 3u)]++;
        }
        for (int i = 0; i < 16; i++)
            chi2 += (counts[i] - 16.0) * (counts[i] - 16.0) / 16.0 / 15.0;
        sum += chi2 / TRIALS;
        squares += chi2 * chi2 / TRIALS;
    }
    double deviation = sqrt(squares - sum * sum);
    print_message("%.2f +- %.2f of chance's chi-square\n", sum, deviation);
    assert_true(sum > 0.7 && sum < 0.9 && deviation < 0.7);
}

/* ---- one pixel ---- */

/* Within one pixel: 4 x 4 cells of two different dimensions over its 1024 samples, summed over pixels. A
 * shared shuffle would fill only a diagonal's worth of them. */
static void test_dimensions_of_a_pixel_are_shuffled(void **state)
{
    (void)state;
    uint32_t empty = 0;
    for (uint32_t pixel = 0; pixel < 500; pixel++) {
        uint32_t counts[16] = {0};
        for (uint32_t i = 0; i < 256; i++) {
            lb_sampler sampler;
            lb_sampler_start(&sampler, 9, 0, 7 * pixel, 3, i);
            float a = lb_sampler_1d(&sampler), b = lb_sampler_2d(&sampler).y;
            counts[(uint32_t)(a * 4.0f) * 4 + (uint32_t)(b * 4.0f)]++;
        }
        for (int c = 0; c < 16; c++)
            empty += counts[c] == 0;
    }
    assert_int_equal(empty, 0);
}

/* Root mean square error, over pixels, of the mean of n samples of x y (smooth) or of a half-plane (step). */
static double integration_error(bool step, bool random, uint32_t n)
{
    double sum = 0.0, exact = step ? 0.4 : 0.25;
    for (uint32_t pixel = 0; pixel < 400; pixel++) {
        lb_random numbers;
        lb_random_start(&numbers, pixel);
        double mean = 0.0;
        for (uint32_t i = 0; i < n; i++) {
            lb_sampler sampler;
            lb_sampler_start(&sampler, 5, 0, 16 * pixel, 0, i);
            lb_vec2 u = lb_sampler_2d(&sampler);
            if (random)
                u = lb_vec2_make(lb_random_1d(&numbers), lb_random_1d(&numbers));
            mean += step ? (u.x + 2.0f * u.y < 1.3f ? 1.0 : 0.0) : (double)(u.x * u.y);
        }
        mean /= n;
        sum += (mean - exact) * (mean - exact);
    }
    return sqrt(sum / 400.0);
}

/* Owen-scrambled nets: the error falls like n^-3/2 log n for smooth functions, like n^-3/4 at an edge,
 * noise's like n^-1/2. */
static void test_integrates_better_than_random(void **state)
{
    (void)state;
    static const double deviation[2] = {0.22048, 0.48990}; /* of one random sample: smooth, step */
    for (int step = 0; step < 2; step++) {
        for (uint32_t n = 16; n <= 1024; n *= 4) {
            double noise = deviation[step] / sqrt(n), power = step ? -0.75 : -1.5;
            double random = integration_error(step, true, n), own = integration_error(step, false, n);
            print_message("%s, %u samples: %.2g, random %.2g\n", step ? "step" : "smooth", n, own, random);
            assert_true(random > 0.85 * noise && random < 1.15 * noise);
            assert_true(own < (step ? 1.2 : log2(n)) * deviation[step] * pow(n, power));
        }
    }
}

static void test_random_is_uniform_and_uncorrelated(void **state)
{
    (void)state;
    uint32_t single[256] = {0}, pairs[256] = {0}, first[256] = {0};
    lb_random random;
    lb_random_start(&random, 42);
    float last = 0.5f;
    for (uint32_t i = 0; i < 1u << 20; i++) {
        float u = lb_random_1d(&random);
        assert_true(u >= 0.0f && u < 1.0f);
        single[(uint32_t)(u * 256.0f)]++;
        pairs[(uint32_t)(u * 16.0f) * 16 + (uint32_t)(last * 16.0f)]++;
        last = u;
        lb_random other;
        lb_random_start(&other, i);
        first[(uint32_t)(lb_random_1d(&other) * 256.0f)]++;
    }
    assert_uniform("random", single, 256, (double)(1u << 20));
    assert_uniform("random pairs", pairs, 256, (double)(1u << 20));
    assert_uniform("random, first of each seed", first, 256, (double)(1u << 20));
}

/* Each input bit flips each output bit about half of the time. */
static void test_hash_avalanche(void **state)
{
    (void)state;
    for (uint32_t in = 0; in < 64; in++) {
        uint32_t flips64[64] = {0}, flips32[32] = {0};
        for (uint32_t i = 0; i < 4096; i++) {
            uint64_t a = lb_hash_u64(i * 0x9e3779b97f4a7c15u), b = a ^ 1ull << in;
            uint64_t changed = lb_hash_u64(a) ^ lb_hash_u64(b);
            uint32_t changed32 = lb_hash_u32((uint32_t)a) ^ lb_hash_u32((uint32_t)a ^ 1u << in % 32);
            for (int out = 0; out < 64; out++)
                flips64[out] += (uint32_t)(changed >> out & 1u);
            for (int out = 0; out < 32; out++)
                flips32[out] += changed32 >> out & 1u;
        }
        for (int out = 0; out < 64; out++)
            assert_in_range(flips64[out], 2048 - 250, 2048 + 250);
        for (int out = 0; out < 32; out++)
            assert_in_range(flips32[out], 2048 - 250, 2048 + 250);
    }
    assert_true(lb_hash_combine(1, 2) != lb_hash_combine(2, 1));
}

/* A bit changes itself, never a lower one, and a higher one about half of the time. */
static void test_owen_scrambling_is_nested(void **state)
{
    (void)state;
    enum { TRIALS = 10000 };
    for (uint32_t in = 0; in < 32; in++) {
        uint32_t flips[32] = {0};
        for (uint32_t i = 0; i < TRIALS; i++) {
            uint32_t x = lb_hash_u32(i), seed = lb_hash_u32(i + 0x12345678u);
            uint32_t changed = lb_owen_reversed(x, seed) ^ lb_owen_reversed(x ^ 1u << in, seed);
            assert_int_equal(changed & ((2u << in) - 1u), 1u << in);
            for (uint32_t out = in + 1; out < 32; out++)
                flips[out] += changed >> out & 1u;
        }
        for (uint32_t out = in + 1; out < 32; out++)
            assert_in_range(flips[out], TRIALS / 2 - 300, TRIALS / 2 + 300); /* 6 standard deviations */
    }
}

static void test_reverse_bits(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t x = lb_hash_u32(i), reversed = 0;
        for (int bit = 0; bit < 32; bit++)
            reversed |= (x >> bit & 1u) << (31 - bit);
        assert_int_equal(lb_reverse_bits(x), reversed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_block_is_a_net),
        cmocka_unit_test(test_one_dimension_is_stratified),
        cmocka_unit_test(test_pure_function),
        cmocka_unit_test(test_uniform_over_blocks),
        cmocka_unit_test(test_independence),
        cmocka_unit_test(test_shifts_are_expansions),
        cmocka_unit_test(test_pixels_of_a_block_are_a_net),
        cmocka_unit_test(test_errors_of_neighbours_cancel),
        cmocka_unit_test(test_places_are_shuffled),
        cmocka_unit_test(test_dimensions_of_a_pixel_are_shuffled),
        cmocka_unit_test(test_integrates_better_than_random),
        cmocka_unit_test(test_random_is_uniform_and_uncorrelated),
        cmocka_unit_test(test_hash_avalanche),
        cmocka_unit_test(test_owen_scrambling_is_nested),
        cmocka_unit_test(test_reverse_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
