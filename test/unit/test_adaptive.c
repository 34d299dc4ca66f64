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
#include "core/run/noise_around.h"
#include "core/run/pass/pass_picture.h"
#include "random_help.h"
#include "share_help.h"

/* A picture whose samples are worth `low` in most cases and sometimes `high`, and then are scattered more often. */
struct picture {
    uint32_t width, height, mean;
    struct lb_adaptive adaptive;
    lb_film_pixel *pixels;
    double *low, *high; /* by pixel */
    uint32_t seldom;    /* one sample of so many is worth `high` */
    /* By pixel: how often a sample is scattered. One that is worth `high` is `more` times as often. */
    uint32_t *often, more;
    int64_t *scattered; /* by pixel and in all */
    struct lb_part_target now;
    uint32_t seed; /* of the renderer's sampler, which says which; 0: chance says */
};

static void open_picture(struct picture *p, uint32_t width, uint32_t height, uint32_t mean, uint32_t seldom)
{
    struct lb_error error;
    size_t count = (size_t)width * height;
    *p = (struct picture){.width = width, .height = height, .mean = mean, .seldom = seldom, .more = 1};
    p->pixels = calloc(count, sizeof *p->pixels);
    p->low = calloc(count, sizeof *p->low);
    p->high = calloc(count, sizeof *p->high);
    p->often = calloc(count, sizeof *p->often);
    p->scattered = calloc(count, sizeof *p->scattered);
    assert_int_equal(lb_adaptive_open(&p->adaptive, width, height, mean, &error), LB_OK);
}

static void close_picture(struct picture *p)
{
    lb_adaptive_free(&p->adaptive);
    free(p->now.squares);
    free(p->pixels);
    free(p->low);
    free(p->high);
    free(p->often);
    free(p->scattered);
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
        bool high = is_high(p, pixel);
        double value = high ? p->high[pixel] : p->low[pixel];
        p->scattered[pixel] += p->often[pixel] * (high ? p->more : 1);
        for (int c = 0; c < 3; c++)
            p->pixels[pixel].sum[c] += (int64_t)(value * 0x1p30);
        p->pixels[pixel].weight += (int64_t)1 << 30;
    }
}

static struct lb_scattered scattered_of(const struct picture *p)
{
    return (struct lb_scattered){p->scattered, 1};
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
        struct lb_scattered scattered = scattered_of(p);
        if (round == LB_ADAPTIVE_ROUNDS)
            assert_int_equal(lb_adaptive_decide(&p->adaptive, p->pixels, &scattered, &error), LB_OK);
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
            p.often[i] = turn % 3 == 0 ? 0 : turn % 3 == 1 ? random_below(4) : 5 * (i % width > width / 2);
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
    assert_true(10 * sums[1] > 19 * sums[2] && sums[2] > 2 * sums[0]);
    /* The columns at the border to the left have noisier neighbours. */
    assert_true(fabs((double)sums[2] / (double)sums[3] - 1) < 0.2);
    close_picture(&p);
}

/* Columns as above, all as noisy: those whose samples are dear get fewer, as the root of the costs says. */
static void dear_pixels_get_fewer(void **state)
{
    (void)state;
    struct picture p;
    open_picture(&p, 64, 48, 64, 2);
    for (size_t i = 0; i < 64 * 48; i++) {
        uint32_t x = i % 64;
        p.low[i] = 1;
        p.high[i] = 2;
        p.often[i] = x < 32 ? 0 : x < 48 ? 1 : 6; /* a sample costs 1, 9 or 49 */
    }
    render(&p);
    double means[3] = {0}; /* beside the places where the costs change */
    for (size_t i = 0; i < 64 * 48; i++) {
        uint32_t x = i % 64;
        means[0] += x < 31 ? p.adaptive.counts[i] / (31.0 * 48) : 0;
        means[1] += x > 32 && x < 47 ? p.adaptive.counts[i] / (14.0 * 48) : 0;
        means[2] += x > 48 ? p.adaptive.counts[i] / (15.0 * 48) : 0;
    }
    print_message("%.1f, %.1f and %.1f samples\n", means[0], means[1], means[2]);
    assert_true(fabs(means[0] / means[1] / 3 - 1) < 0.2);
    assert_true(fabs(means[1] / means[2] * 3 / 7 - 1) < 0.2);
    close_picture(&p);
}

/* Pixels whose noise follows from their cost would be given numbers of samples for their noise alone that bring less at
 * equal cost than even ones: all get the mean. */
static void dear_noise_has_even_samples(void **state)
{
    (void)state;
    for (uint32_t turn = 0; turn < 2; turn++) {
        struct picture p;
        uint32_t uneven = 0;
        open_picture(&p, 64, 48, 64, 2);
        for (size_t i = 0; i < 64 * 48; i++) {
            bool dear = i % 64 >= 32;
            p.low[i] = 1;
            p.high[i] = dear ? 2 : 1.25; /* beside the mean the noise is 1/3 and 1/9 */
            p.often[i] = turn == 0 && dear ? 1 : 0;
        }
        render(&p);
        for (size_t i = 0; i < 64 * 48; i++)
            uneven += p.adaptive.counts[i] != 64;
        assert_true(turn == 0 ? uneven == 0 : uneven > 64 * 48 / 2);
        close_picture(&p);
    }
}

/* Of pictures of any size: the mean of those beside each pixel, to the bit whatever its own cost is. */
static void costs_are_those_around(void **state)
{
    (void)state;
    for (uint32_t turn = 0; turn < share_of(200); turn++) {
        uint32_t width = 1 + random_below(9), height = 1 + random_below(9), count = width * height;
        uint32_t at = random_below(count), beside = 0;
        int64_t sums[3 * 81] = {0};
        float costs[81], around[81], again[81];
        double sum = 0;
        struct lb_scattered scattered = {sums + 1, 3};
        for (uint32_t i = 0; i < count; i++) {
            sums[3 * i + 1] = (int64_t)random_below(1000) - 10;
            costs[i] = lb_sample_cost(&scattered, i, 16);
            assert_true(costs[i] == (sums[3 * i + 1] > 0 ? 1 + (float)sums[3 * i + 1] / 2 : 1));
            bool near = i != at && abs((int)(i % width) - (int)(at % width)) <= 1 &&
                        abs((int)(i / width) - (int)(at / width)) <= 1;
            sum += near ? (double)costs[i] : 0;
            beside += near;
        }
        lb_cost_around(width, height, costs, around);
        costs[at] *= 17;
        lb_cost_around(width, height, costs, again);
        assert_memory_equal(&around[at], &again[at], sizeof around[at]);
        assert_true(fabs((double)around[at] - (beside ? sum / beside : 1)) < 1e-5 * (double)around[at]);
    }
    assert_true(lb_sample_cost(&(struct lb_scattered){NULL, 1}, 5, 16) == 1.0f);
}

/* Numbers that the noise and the cost of the pixels around each say, and nothing of its own: in proportion as far as a
 * step from one number to the next and the tenth by which pixels differ of themselves let them be. */
static void counts_follow_noise_over_root_of_cost(void **state)
{
    (void)state;
    enum { WIDTH = 48, HEIGHT = 40, COUNT = WIDTH * HEIGHT };
    static float noise[COUNT], cost[COUNT], around[COUNT];
    for (uint32_t turn = 0, turns = share_of(40); turn < turns; turn++) {
        struct picture p;
        struct lb_error error;
        struct lb_scattered scattered = {NULL, 1};
        double mean = 0, low = INFINITY, high = 0;
        open_picture(&p, WIDTH, HEIGHT, LB_ADAPTIVE_LEAST << random_below(4), 0);
        for (size_t i = 0; i < COUNT; i++) {
            uint32_t block = (uint32_t)(i % WIDTH / 12 + i / WIDTH / 10 * 4);
            p.pixels[i].weight = (int64_t)(p.mean / 4) << 30;
            for (int c = 0; c < 3; c++)
                p.pixels[i].sum[c] = (int64_t)(1000 + random_below(100)) << 30;
            p.adaptive.squares[i] = (1 + random_below(9)) * exp2((block * 7 + turn) % 11);
            p.scattered[i] = (int64_t)(p.mean / 4) * ((block * 5 + turn) % 7) + random_below(2);
        }
        scattered.sums = p.scattered;
        assert_true(lb_noise_around(WIDTH, HEIGHT, p.pixels, p.adaptive.squares, noise, NULL));
        for (size_t i = 0; i < COUNT; i++) {
            mean += (double)noise[i] / COUNT;
            cost[i] = lb_sample_cost(&scattered, i, p.mean / 4);
        }
        lb_cost_around(WIDTH, HEIGHT, cost, around);
        assert_int_equal(lb_adaptive_decide(&p.adaptive, p.pixels, &scattered, &error), LB_OK);
        for (size_t i = 0; i < COUNT; i++) {
            double worth = ((double)noise[i] + 0.1 * mean) / sqrt((double)around[i]);
            double ratio = p.adaptive.counts[i] / worth;
            if (p.adaptive.counts[i] == p.mean / 4 || p.adaptive.counts[i] == LB_ADAPTIVE_MOST * p.mean)
                continue; /* it might get fewer or more, were it allowed to */
            low = ratio < low ? ratio : low;
            high = ratio > high ? ratio : high;
        }
        assert_true(samples_of(&p) <= (uint64_t)p.mean * COUNT);
        assert_true(high < 1.5 * 1.1 / 0.9 * 1.001 * low);
        close_picture(&p);
    }
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
 * pixels over many pictures, of which the renderer's sampler says which samples are bright, or chance. Bright ones are
 * scattered `more` times as often. */
static void check_mean(bool sampler, uint32_t more)
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
        p.more = more;
        for (size_t i = 0; i < SIDE * SIDE; i++) {
            p.often[i] = 1;
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
    check_mean(false, 1);
}

/* The same by its own cost, which tells of its samples where bright light has a long way. */
static void dear_samples_do_not_bias(void **state)
{
    (void)state;
    check_mean(false, 40);
}

/* The samples of neighbours are spread together, so that theirs tell a little of a pixel's own. */
static void pixels_that_share_a_sequence_are_not_biased(void **state)
{
    (void)state;
    check_mean(true, 1);
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
        struct lb_scattered scattered = scattered_of(p);
        assert_int_equal(lb_target_decide(target, p->pixels, &scattered, &error), LB_OK);
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
            p.often[i] = turn % 3 == 0 ? 0 : turn % 3 == 1 ? random_below(4) : 5 * (i % width > width / 2);
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

/* Two halves as noisy, samples of one of which cost nine times as much as those of the other: it gets a third of the
 * samples where the mean counts, and as many where no pixel may have more noise. */
static void dear_pixels_get_fewer_to_a_noise(void **state)
{
    (void)state;
    enum { WIDTH = 64, HEIGHT = 48 };
    for (uint32_t turn = 0; turn < 2; turn++) {
        struct picture p;
        struct lb_target target;
        double means[2] = {0};
        open_picture(&p, WIDTH, HEIGHT, 4096, 4);
        for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
            p.low[i] = 1;
            p.high[i] = 2;
            p.often[i] = i % WIDTH < 32 ? 0 : 1;
        }
        render_to(&p, &target, 0.03, turn == 1);
        for (size_t i = 0; i < WIDTH * HEIGHT; i++)
            means[i % WIDTH / 32] += target.counts[i] / (32.0 * HEIGHT);
        print_message("%.1f and %.1f samples\n", means[0], means[1]);
        assert_true(fabs(means[0] / means[1] / (turn == 0 ? 3 : 1) - 1) < 0.25);
        assert_true(p.now.noise <= 0.03);
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
        p.more = 40;
        for (size_t i = 0; i < SIDE * SIDE; i++) {
            p.high[i] = 8;
            p.often[i] = 1;
        }
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
        cmocka_unit_test(dear_pixels_get_fewer),
        cmocka_unit_test(dear_noise_has_even_samples),
        cmocka_unit_test(costs_are_those_around),
        cmocka_unit_test(counts_follow_noise_over_root_of_cost),
        cmocka_unit_test(even_noise_has_even_samples),
        cmocka_unit_test(pixels_are_not_biased),
        cmocka_unit_test(dear_samples_do_not_bias),
        cmocka_unit_test(pixels_that_share_a_sequence_are_not_biased),
        cmocka_unit_test(no_more_than_the_mean_is_spent),
        cmocka_unit_test(the_noise_is_reached),
        cmocka_unit_test(dear_pixels_get_fewer_to_a_noise),
        cmocka_unit_test(pixels_are_not_biased_to_a_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
