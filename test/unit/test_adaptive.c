/* core/run/adaptive.h: how many samples each pixel gets. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernel/sampler.h"
#include "core/run/adaptive.h"
#include "core/run/adaptive_target.h"
#include "core/run/pass/pass_picture.h"
#include "random_help.h"
#include "share_help.h"

/* A picture whose samples are worth `low` in most cases and sometimes `high`. */
struct picture {
    uint32_t width, height, mean;
    struct lb_adaptive adaptive;
    lb_film_pixel *pixels;
    double *low, *high; /* by pixel */
    uint32_t seldom;    /* one sample of so many is worth `high` */
    struct lb_part_target now;
    uint32_t seed; /* of the renderer's sampler, which says which; 0: chance says */
};

static void open_picture(struct picture *p, uint32_t width, uint32_t height, uint32_t mean, uint32_t seldom)
{
    struct lb_error error;
    size_t count = (size_t)width * height;
    *p = (struct picture){.width = width, .height = height, .mean = mean, .seldom = seldom};
    p->pixels = calloc(count, sizeof *p->pixels);
    p->low = calloc(count, sizeof *p->low);
    p->high = calloc(count, sizeof *p->high);
    assert_int_equal(lb_adaptive_open(&p->adaptive, width, height, mean, &error), LB_OK);
}

static void close_picture(struct picture *p)
{
    lb_adaptive_free(&p->adaptive);
    free(p->now.squares);
    free(p->pixels);
    free(p->low);
    free(p->high);
}

static bool is_high(const struct picture *p, size_t pixel)
{
    lb_sampler sampler;
    if (p->seed == 0)
        return random_below(p->seldom) == 0;
    lb_sampler_start(&sampler, p->seed, 0, (uint32_t)(pixel % p->width), (uint32_t)(pixel / p->width),
                     (uint32_t)(p->pixels[pixel].weight >> 30));
    return lb_sampler_1d(&sampler) * (float)p->seldom < 1.0f;
}

static void add_samples(struct picture *p, size_t pixel, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double value = is_high(p, pixel) ? p->high[pixel] : p->low[pixel];
        for (int c = 0; c < 3; c++)
            p->pixels[pixel].sum[c] += (int64_t)(value * 0x1p30);
        p->pixels[pixel].weight += (int64_t)1 << 30;
    }
}

/* Renders all rounds, decides, and renders the rest; checks that no pixel's count is passed by or skipped. */
static void render(struct picture *p)
{
    size_t count = (size_t)p->width * p->height;
    struct lb_error error;
    uint32_t round = 0;
    for (uint32_t at = 0, end; (end = lb_adaptive_next(&p->adaptive, at)) > at; at = end) {
        bool learns = round++ < LB_ADAPTIVE_ROUNDS;
        if (learns)
            assert_int_equal(lb_adaptive_begin_round(&p->adaptive, at ? p->pixels : NULL, &error), LB_OK);
        for (size_t i = 0; i < count; i++)
            if (learns || p->adaptive.counts[i] >= end)
                add_samples(p, i, end - at);
        if (learns)
            lb_adaptive_end_round(&p->adaptive, p->pixels);
        if (round == LB_ADAPTIVE_ROUNDS)
            assert_int_equal(lb_adaptive_decide(&p->adaptive, p->pixels, &error), LB_OK);
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(p->pixels[i].weight, (int64_t)p->adaptive.counts[i] << 30);
}

static uint64_t samples_of(const struct picture *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < (size_t)p->width * p->height; i++) {
        assert_in_range(p->adaptive.counts[i], p->mean / 4, LB_ADAPTIVE_MOST * p->mean);
        sum += p->adaptive.counts[i];
    }
    return sum;
}

/* Pictures of any size and of all kinds of noise: none, the same everywhere, in half of it, in one pixel, anywhere. */
static void the_budget_is_spent(void **state)
{
    (void)state;
    for (uint32_t turn = 0, turns = share_of(300); turn < turns; turn++) {
        struct picture p;
        uint32_t width = 1 + random_below(60), height = 1 + random_below(60);
        open_picture(&p, width, height, LB_ADAPTIVE_LEAST + random_below(100), 2 + random_below(6));
        size_t count = (size_t)width * height, one = random_below((uint32_t)count);
        for (size_t i = 0; i < count; i++) {
            const bool noisy[] = {false, true, i < count / 2, i == one, random_below(2) == 0};
            p.low[i] = turn % 7 == 6 ? 0 : 1;
            p.high[i] = noisy[turn % 5] ? 1 + random_below(20) : p.low[i];
        }
        render(&p);
        uint64_t samples = samples_of(&p), budget = (uint64_t)p.mean * count;
        assert_true(samples <= budget);
        /* The greatest step is that of a pixel from four times to six times the mean, or from six to eight. */
        assert_true(samples + 3 * (uint64_t)p.mean >= budget - budget / 1000);
        close_picture(&p);
    }
}

/* What is noisy gets more than what is not, and pixels that are noisy beside their brightness more than bright ones. */
static void noisy_pixels_get_more(void **state)
{
    (void)state;
    struct picture p;
    open_picture(&p, 64, 48, 32, 2);
    for (size_t i = 0; i < 64 * 48; i++) {
        uint32_t x = i % 64;
        p.low[i] = 1;
        p.high[i] = x < 16 ? 1.1 : x < 32 ? 3 : 1.5;
        if (x >= 48) {
            p.low[i] *= 10;
            p.high[i] = 15;
        }
    }
    render(&p);
    uint64_t sums[4] = {0};
    for (size_t i = 0; i < 64 * 48; i++)
        sums[i % 64 / 16] += p.adaptive.counts[i];
    assert_true(sums[1] > 2 * sums[2] && sums[2] > 2 * sums[0]);
    /* The columns at the border to the left have noisier neighbours. */
    assert_true(fabs((double)sums[2] / (double)sums[3] - 1) < 0.2);
    close_picture(&p);
}

/* Where all pixels are as noisy, each gets the mean, as without adaptive sampling. */
static void even_noise_has_even_samples(void **state)
{
    (void)state;
    struct picture p;
    open_picture(&p, 64, 48, 32, 4);
    for (size_t i = 0; i < 64 * 48; i++)
        p.high[i] = 4;
    render(&p);
    for (size_t i = 0; i < 64 * 48; i++)
        assert_int_equal(p.adaptive.counts[i], 32);
    close_picture(&p);
}

/* Samples that are seldom bright in half of the picture, so that it is worth giving that half more: the mean of all
 * pixels over many pictures, of which the renderer's sampler says which samples are bright, or chance. */
static void check_mean(bool sampler)
{
    double sum = 0, squares = 0;
    /* The sampler would have exactly one of eight bright. */
    enum { SIDE = 32, SELDOM = 7 };
    const uint32_t pictures = share_of(1000);
    for (uint32_t turn = 0; turn < pictures; turn++) {
        struct picture p;
        double mean = 0;
        open_picture(&p, SIDE, SIDE, 16, SELDOM);
        p.seed = sampler ? turn + 1 : 0;
        for (size_t i = 0; i < SIDE * SIDE; i++) {
            p.low[i] = i < SIDE * SIDE / 2 ? 0 : 1;
            p.high[i] = i < SIDE * SIDE / 2 ? SELDOM : 1;
        }
        render(&p);
        for (size_t i = 0; i < SIDE * SIDE; i++)
            mean += (double)p.pixels[i].sum[0] / (double)p.pixels[i].weight / (SIDE * SIDE);
        sum += mean;
        squares += mean * mean;
        close_picture(&p);
    }
    double mean = sum / pictures, error = sqrt((squares / pictures - mean * mean) / pictures);
    /* Neighbours share a sequence, by which theirs tell a little of a pixel's own samples: at most one part in the
     * number of pixels, as lbrender(1) says. */
    double rest = sampler ? 1.0 / (SIDE * SIDE) : 0;
    print_message("mean %.5f +- %.5f of 1\n", mean, error);
    assert_true(error < 0.001 * sqrt(test_share()));
    assert_true(fabs(mean - 1) < 4 * error + rest);
}

/* If a pixel's own noise told of its samples as its neighbours' does, the mean of all pixels would be off by one part
 * in a hundred. */
static void pixels_are_not_biased(void **state)
{
    (void)state;
    check_mean(false);
}

/* The samples of neighbours are spread together, so that theirs tell a little of a pixel's own. */
static void pixels_that_share_a_sequence_are_not_biased(void **state)
{
    (void)state;
    check_mean(true);
}

/* ---- to a noise ---- */

/* Renders passes until the noise is reached, or all samples are taken. */
static void render_to(struct picture *p, struct lb_target *target, double noise, bool by_largest)
{
    size_t count = (size_t)p->width * p->height;
    struct lb_part_target *now = &p->now;
    struct lb_error error;
    assert_int_equal(lb_target_open(target, now, p->width, p->height, p->mean, &error), LB_OK);
    target->wanted = noise;
    target->by_largest = by_largest;
    while (now->begin < now->end) {
        for (size_t i = 0; i < count; i++)
            if (now->noise < 0 || target->due[i] == now->end) {
                lb_film_pixel before = p->pixels[i], pass;
                assert_int_equal(before.weight, (int64_t)now->begin << 30);
                add_samples(p, i, now->end - now->begin);
                pass = p->pixels[i];
                lb_pixels_subtract(&pass, &before, 1);
                lb_squares_learn(&now->squares[i], &before, &pass, now->end - now->begin, 1);
            }
        assert_int_equal(lb_target_decide(target, p->pixels, &error), LB_OK);
    }
    for (size_t i = 0; i < count; i++)
        assert_true(p->pixels[i].weight >> 30 == target->counts[i]);
}

static uint64_t samples_to(const struct picture *p, const struct lb_target *target)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < (size_t)p->width * p->height; i++) {
        assert_in_range(target->counts[i], p->mean < 64 ? p->mean / 16 * 4 : 16, LB_ADAPTIVE_MOST * p->mean);
        sum += target->counts[i];
    }
    return sum;
}

/* Pictures as above: never are there more samples than the mean says, and no pass is without a pixel. */
static void no_more_than_the_mean_is_spent(void **state)
{
    (void)state;
    for (uint32_t turn = 0, turns = share_of(300); turn < turns; turn++) {
        struct picture p;
        struct lb_target target;
        uint32_t width = 1 + random_below(60), height = 1 + random_below(60);
        open_picture(&p, width, height, LB_ADAPTIVE_LEAST + random_below(100), 2 + random_below(6));
        size_t count = (size_t)width * height, one = random_below((uint32_t)count);
        for (size_t i = 0; i < count; i++) {
            const bool noisy[] = {false, true, i < count / 2, i == one, random_below(2) == 0};
            p.low[i] = turn % 7 == 6 ? 0 : 1;
            p.high[i] = noisy[turn % 5] ? 1 + random_below(20) : p.low[i];
        }
        double wanted = 1.0 / (1 + random_below(1000));
        render_to(&p, &target, wanted, turn % 2 == 0);
        uint64_t samples = samples_to(&p, &target);
        assert_true(samples <= (uint64_t)p.mean * count);
        assert_true(p.now.noise >= 0);
        lb_target_free(&target);
        close_picture(&p);
    }
}

/* The noise that is told is the one that there is, and the picture has no more samples than bring it. Samples are worth
 * 1, or `high` once in four times. */
static void the_noise_is_reached(void **state)
{
    (void)state;
    enum { WIDTH = 64, HEIGHT = 48 };
    for (uint32_t turn = 0; turn < 8; turn++) {
        struct picture p;
        struct lb_target target;
        double sum = 0, largest = 0, wanted = 0.02 + 0.01 * turn;
        bool by_largest = turn % 2 == 0;
        open_picture(&p, WIDTH, HEIGHT, 4096, 4);
        for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
            p.low[i] = 1;
            p.high[i] = i % WIDTH < 16 ? 1.2 : i % WIDTH < 48 ? 2 : 5;
        }
        render_to(&p, &target, wanted, by_largest);
        samples_to(&p, &target);
        for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
            double mean = 0.75 + 0.25 * p.high[i], high = p.high[i] - 1;
            double square = 0.1875 * high * high / (mean * mean) / target.counts[i];
            sum += square;
            largest = square > largest ? square : largest;
        }
        double noise = sqrt(by_largest ? largest : sum / (WIDTH * HEIGHT));
        print_message("%s %.3f: told %.4f, is %.4f\n", by_largest ? "largest" : "mean", wanted, p.now.noise,
                      noise);
        assert_true(p.now.noise <= wanted);
        /* The columns where the noise changes are told by both sides. */
        assert_true(noise < (by_largest ? 1.6 : 1.1) * wanted && noise > 0.75 * wanted);
        lb_target_free(&target);
        close_picture(&p);
    }
}

/* As check_mean(), of pictures that end at a noise. As it is decided again and again, pixels tell a little of
 * themselves by how many samples their neighbours get: less than a hundredth of the noise. */
static void check_mean_to(bool by_largest)
{
    double wanted = by_largest ? 0.7 : 0.5;
    double sum = 0, squares = 0, samples = 0;
    enum { SIDE = 32 };
    const uint32_t pictures = share_of(1000);
    for (uint32_t turn = 0; turn < pictures; turn++) {
        struct picture p;
        struct lb_target target;
        double mean = 0;
        open_picture(&p, SIDE, SIDE, 64, 8);
        for (size_t i = 0; i < SIDE * SIDE; i++)
            p.high[i] = 8;
        render_to(&p, &target, wanted, by_largest);
        for (size_t i = 0; i < SIDE * SIDE; i++) {
            mean += (double)p.pixels[i].sum[0] / (double)p.pixels[i].weight / (SIDE * SIDE);
            samples += target.counts[i];
        }
        sum += mean;
        squares += mean * mean;
        lb_target_free(&target);
        close_picture(&p);
    }
    double mean = sum / pictures, error = sqrt((squares / pictures - mean * mean) / pictures);
    print_message("mean %.5f +- %.5f of 1, %.1f samples\n", mean, error, samples / pictures / SIDE / SIDE);
    assert_true(error < 0.001 * sqrt(test_share()));
    assert_true(fabs(mean - 1) < 0.01 * wanted + 4 * error);
}

static void pixels_are_not_biased_to_a_noise(void **state)
{
    (void)state;
    check_mean_to(false);
    check_mean_to(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_budget_is_spent),
        cmocka_unit_test(noisy_pixels_get_more),
        cmocka_unit_test(even_noise_has_even_samples),
        cmocka_unit_test(pixels_are_not_biased),
        cmocka_unit_test(pixels_that_share_a_sequence_are_not_biased),
        cmocka_unit_test(no_more_than_the_mean_is_spent),
        cmocka_unit_test(the_noise_is_reached),
        cmocka_unit_test(pixels_are_not_biased_to_a_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
