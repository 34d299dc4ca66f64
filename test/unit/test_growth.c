/* core/run/pass/growth.h and core/run/noise.h: where passes end. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/pass/growth.h"
#include "core/run/noise.h"

static void passes_grow_to_the_end(void **state)
{
    (void)state;
    unsigned random = 3;
    for (int round = 0; round < 3000; round++) {
        struct lb_growth growth = {.passes = (uint32_t)rand_r(&random) % 70, .growing = round % 3 == 0};
        struct lb_grown grown = {.pixels = 1u << rand_r(&random) % 24,
                                 .first = (uint32_t)rand_r(&random) % 50};
        uint32_t count = 0, samples = 1 + (uint32_t)rand_r(&random) % (round % 2 ? 10 : 5000);
        grown.last = grown.first + samples;
        grown.at = grown.first;
        if (round % 3 == 1)
            growth.time_limit = 1e9;
        grown.a_sample = 1;
        for (uint32_t end; (end = lb_growth_next(&growth, &grown)) != grown.at; grown.at = end, count++)
            assert_in_range(end, grown.at + 1, grown.last);
        assert_int_equal(grown.at, grown.last);
        if (round % 3 == 2)
            assert_int_equal(count, growth.passes == 0        ? 1
                                    : growth.passes < samples ? growth.passes
                                                              : samples);
        else
            assert_in_range(count, 1, round % 3 ? 14 : 3);
    }
}

/* Expects `grown` to end after `ends`, the last of which is all. */
static void expect_ends_of(struct lb_growth growth, struct lb_grown grown, const uint32_t *ends)
{
    for (grown.at = 0; grown.at < grown.last; ends++) {
        grown.at = lb_growth_next(&growth, &grown);
        assert_int_equal(grown.at, *ends);
    }
}

static void expect_ends(struct lb_grown grown, const uint32_t *ends)
{
    expect_ends_of((struct lb_growth){.growing = true}, grown, ends);
}

/* Few samples, or cheap ones, are not worth a pass more. */
static void more_samples_have_more_passes(void **state)
{
    (void)state;
    uint64_t pixels = 1u << 18;
    expect_ends((struct lb_grown){.pixels = pixels, .last = 47}, (uint32_t[]){47});
    expect_ends((struct lb_grown){.pixels = pixels, .last = 48}, (uint32_t[]){6, 48});
    expect_ends((struct lb_grown){.pixels = pixels, .last = 127}, (uint32_t[]){15, 127});
    expect_ends((struct lb_grown){.pixels = pixels, .last = 128}, (uint32_t[]){8, 32, 128});
    expect_ends((struct lb_grown){.pixels = pixels, .last = 128, .cheap = true}, (uint32_t[]){128});
    expect_ends((struct lb_grown){.pixels = pixels, .last = 512, .cheap = true}, (uint32_t[]){32, 128, 512});
    expect_ends((struct lb_grown){.pixels = 1000, .last = 128}, (uint32_t[]){128});
}

static void time_and_noise_end_it(void **state)
{
    (void)state;
    struct lb_growth growth = {.time_limit = 10};
    struct lb_grown grown = {.pixels = 100, .last = 1000, .noise = -1, .a_sample = 0.5};
    assert_int_equal(lb_growth_next(&growth, &grown), 1); /* at least */
    grown.at = 8;
    grown.seconds = 4;
    assert_int_equal(lb_growth_next(&growth, &grown), 16);
    grown.seconds = 8;
    assert_int_equal(lb_growth_next(&growth, &grown), 11);
    grown.seconds = 9.9;
    assert_int_equal(lb_growth_next(&growth, &grown), 8);
    growth = (struct lb_growth){.noise = 0.1};
    grown.noise = 0.2;
    assert_int_equal(lb_growth_next(&growth, &grown), 16);
    grown.noise = 0.12; /* 1.05 x 1.44 times the samples are wanted */
    assert_int_equal(lb_growth_next(&growth, &grown), 13);
    grown.noise = 0.101; /* a pass of a quarter more */
    assert_int_equal(lb_growth_next(&growth, &grown), 11);
    grown.noise = 0.1;
    assert_int_equal(lb_growth_next(&growth, &grown), 8);
}

/* Samples uniform in 0 .. 2: a mean of n of them has the error 1 / sqrt(3 n). */
static void noise_is_the_error(void **state)
{
    (void)state;
    enum { PIXELS = 20000 };
    static lb_film_pixel halves[2][PIXELS];
    unsigned random = 11;
    for (uint32_t h = 0; h < 2; h++)
        for (uint32_t i = 0; i < PIXELS; i++)
            for (uint32_t sample = 0; sample < (h ? 12u : 4u); sample++) {
                int64_t value = (int64_t)(rand_r(&random) % 20001) * 100;
                for (int c = 0; c < 3; c++)
                    halves[h][i].sum[c] += value;
                halves[h][i].weight += 1000000 / 3 * 3;
            }
    double noise = lb_noise_between(halves[0], halves[1], PIXELS), expected = 1 / sqrt(3.0 * 16);
    assert_true(noise > 0.97 * expected && noise < 1.03 * expected);
    memset(halves[1], 0, sizeof halves[1]);
    assert_true(lb_noise_between(halves[0], halves[1], PIXELS) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_grow_to_the_end),
        cmocka_unit_test(more_samples_have_more_passes),
        cmocka_unit_test(time_and_noise_end_it),
        cmocka_unit_test(noise_is_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
