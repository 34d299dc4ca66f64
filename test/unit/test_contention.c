/* What it costs CPU threads that all of them run, as strategies/contention.h finds it out: which pieces, given how
 * often, and the alpha that their times show. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "strategies/contention.h"

static uint64_t state = 0xa4093822299f31d0u;

static double draw(double low, double high)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(state >> 11) * 0x1p-53);
}

struct laid {
    lb_order order;
    struct lb_contention trial;
    struct lb_range kept;
    struct lb_backlog rest;
};

/* The order that hybrid lays: regions of `region` pixels, an eighth of them taken pixel by pixel. */
static struct laid lay(uint32_t width, uint32_t height, uint64_t region, uint32_t threads, uint32_t samples)
{
    struct laid laid = {.order = lb_order_reversed(width, height, region, LB_CURVE_HILBERT)};
    laid.order.tail = ((uint64_t)7 << laid.order.bits) / 8;
    assert_int_equal(lb_backlog_start(&laid.rest, 8, NULL), LB_OK);
    lb_contention_lay(&laid.trial, &laid.order, threads, samples, &laid.kept, &laid.rest);
    return laid;
}

static uint64_t mark(unsigned char *seen, struct lb_range range)
{
    for (uint64_t i = range.begin; i < range.end; i++)
        assert_int_equal(seen[i]++, 0);
    return range.end - range.begin;
}

static uint64_t mark_rest(unsigned char *seen, struct lb_backlog *rest)
{
    struct lb_range range;
    uint64_t sum = 0;
    while (lb_backlog_take(rest, UINT64_MAX, &range))
        sum += mark(seen, range);
    return sum;
}

/* Does all of the trial, `alone` pieces and `beside` twins of them at most, then ends it. Returns how many positions
 * were given, each once. */
static uint64_t run(struct laid *laid, unsigned char *seen, uint32_t alone, uint32_t beside)
{
    const uint32_t most[] = {alone, beside};
    uint64_t sum = 0;
    for (uint32_t part = 0; part < 2; part++) {
        struct lb_range range;
        for (uint32_t i = 0;
             i < most[part] && lb_contention_take(&laid->trial, (enum lb_contention_part)part, &range); i++) {
            sum += mark(seen, range);
            assert_false(lb_contention_take(&laid->trial, (enum lb_contention_part)part, &range));
            assert_false(lb_contention_complete(&laid->trial));
            lb_contention_done(&laid->trial, 1);
        }
    }
    lb_contention_end(&laid->trial, &laid->rest);
    return sum + mark_rest(seen, &laid->rest);
}

/* What is kept is given once and no more, however far the trial comes. */
static void every_position_is_given_once(void **unused)
{
    (void)unused;
    for (int i = 0; i < 200; i++) {
        uint32_t samples = (uint32_t)draw(0, 9), blocks = samples > 0 && samples % 2 == 0 ? 2 : 1;
        struct laid laid = lay((uint32_t)draw(64, 300), (uint32_t)draw(64, 300), (uint64_t)draw(4, 64),
                               (uint32_t)draw(2, 40), samples);
        unsigned char *seen = calloc(laid.order.count, 1);
        assert_int_equal(laid.order.blocks, blocks);
        uint64_t kept = (laid.kept.end - laid.kept.begin) * blocks;
        assert_true(kept > 0);
        assert_int_equal(run(&laid, seen, (uint32_t)draw(0, 5), (uint32_t)draw(0, 9)), kept);
        for (uint64_t k = laid.kept.begin; k < laid.kept.end; k++)
            assert_true(seen[k] == 1 && (blocks == 1 || seen[k + laid.order.count / 2] == 1));
        lb_backlog_free(&laid.rest);
        free(seen);
    }
}

static uint64_t pixel_of(const lb_order *order, uint64_t position)
{
    lb_order block = lb_order_block(*order);
    return lb_order_pixel(&block, position % block.count);
}

/* A twin is the same pixels' other samples; where those are odd, the pixel before and the one behind on the curve. */
static void twins_are_alike(void **unused)
{
    (void)unused;
    for (uint32_t samples = 1; samples <= 2; samples++) {
        struct laid laid = lay(256, 128, 16, 8, samples);
        struct lb_range pieces[LB_CONTENTION_ROUNDS], twin;
        lb_order curve = lb_order_curve(256, 128, LB_CURVE_HILBERT);
        for (int i = 0; i < LB_CONTENTION_ROUNDS; i++) {
            assert_true(lb_contention_take(&laid.trial, LB_CONTENTION_ALONE, &pieces[i]));
            lb_contention_done(&laid.trial, 1);
        }
        for (uint32_t i = 0; lb_contention_take(&laid.trial, LB_CONTENTION_BESIDE, &twin); i++) {
            struct lb_range piece = pieces[i / laid.trial.twins];
            assert_int_equal(twin.end - twin.begin, piece.end - piece.begin);
            for (uint64_t k = 0; k < twin.end - twin.begin; k++) {
                uint64_t first = pixel_of(&laid.order, piece.begin + k),
                         other = pixel_of(&laid.order, twin.begin + k), place = 0;
                while (lb_order_pixel(&curve, place) != first)
                    place++;
                place = samples == 2 ? place : i % 2 == 0 ? place - 1 : place + 1;
                assert_int_equal(other, lb_order_pixel(&curve, place));
            }
            lb_contention_done(&laid.trial, 1);
        }
        assert_true(lb_contention_complete(&laid.trial));
        lb_backlog_free(&laid.rest);
    }
}

/* The others wait while one is alone: what they could have done meanwhile is 0.4 % of the picture at most. */
static void nobody_waits_for_long(void **unused)
{
    (void)unused;
    for (uint32_t threads = 2; threads <= 64; threads++) {
        struct laid laid = lay(640, 360, 16, threads, 4);
        struct lb_range range;
        while (lb_contention_take(&laid.trial, LB_CONTENTION_ALONE, &range))
            lb_contention_done(&laid.trial, 1);
        uint64_t alone = lb_contention_alone(&laid.trial);
        assert_true(alone > 0 && (double)(alone * (threads - 1)) <= 0.004 * (double)laid.order.count);
        lb_backlog_free(&laid.rest);
    }
}

/* Without a second thread, or where there are no eight regions to take pixels of, there is nothing to compare. */
static void there_may_be_no_trial(void **unused)
{
    struct lb_range range;
    double spread;
    (void)unused;
    for (int i = 0; i < 2; i++) {
        struct laid laid = i == 0 ? lay(256, 256, 16, 1, 4) : lay(16, 16, 16, 4, 4);
        assert_int_equal(laid.trial.size, 0);
        assert_true(laid.kept.begin == laid.order.count && laid.kept.end == laid.order.count);
        assert_false(lb_contention_take(&laid.trial, LB_CONTENTION_ALONE, &range));
        assert_true(lb_contention_complete(&laid.trial));
        assert_true(lb_contention_measured(&laid.trial, &spread) == 0 && spread == 0);
        lb_backlog_free(&laid.rest);
    }
}

/* Times of pieces of these positions at `seconds` each, and `begin` for each range. */
static void take_times(struct laid *laid, double seconds, double begin, double alpha, uint32_t rounds)
{
    struct lb_range range;
    for (uint32_t i = 0; i < rounds; i++) {
        assert_true(lb_contention_take(&laid->trial, LB_CONTENTION_ALONE, &range));
        lb_contention_done(&laid->trial, begin + seconds * (double)(range.end - range.begin));
    }
    while (lb_contention_take(&laid->trial, LB_CONTENTION_BESIDE, &range))
        lb_contention_done(&laid->trial, begin + alpha * seconds * (double)(range.end - range.begin));
}

/* Where pixels cost alike the slope is alpha, to rounding, whatever a range takes beyond its work. */
static void the_slope_is_alpha(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++) {
        double alpha = draw(0.8, 3), begin = draw(0, 1), spread;
        struct laid laid = lay(640, 360, 16, 2 + (uint32_t)draw(0, 15), 8);
        take_times(&laid, draw(1e-6, 1e-3), begin, alpha, LB_CONTENTION_ROUNDS);
        double measured = lb_contention_measured(&laid.trial, &spread);
        assert_true(fabs(measured - alpha) < 1e-6 * alpha && spread < 1e-6 * alpha);
        lb_backlog_free(&laid.rest);
    }
}

/* Of fewer rounds, and of pixels' neighbours, it is the ratio of the sums; without any it is not known. */
static void fewer_rounds_tell_a_ratio(void **unused)
{
    (void)unused;
    for (uint32_t samples = 1; samples <= 2; samples++)
        for (uint32_t rounds = 0; rounds < LB_CONTENTION_ROUNDS + 2 - samples; rounds++) {
            struct laid laid = lay(640, 360, 16, 8, samples);
            double spread;
            take_times(&laid, 1e-4, 0, 1.7, rounds);
            double measured = lb_contention_measured(&laid.trial, &spread);
            assert_true(rounds == 0 ? measured == 0 : fabs(measured - 1.7) < 1e-12);
            assert_true(spread < 1e-12);
            lb_backlog_free(&laid.rest);
        }
}

/* A thread that is lost with a piece in hand leaves everything else to the others; its piece comes back by itself. */
static void what_is_given_up_is_not_lost(void **unused)
{
    (void)unused;
    for (uint32_t samples = 1; samples <= 2; samples++)
        for (uint32_t done = 0; done < LB_CONTENTION_ROUNDS; done++) {
            struct laid laid = lay(128, 128, 16, 4, samples);
            unsigned char *seen = calloc(laid.order.count, 1);
            struct lb_range range;
            uint64_t sum = 0;
            for (uint32_t i = 0; i <= done; i++) {
                assert_true(lb_contention_take(&laid.trial, LB_CONTENTION_ALONE, &range));
                sum += mark(seen, range);
                if (i < done)
                    lb_contention_done(&laid.trial, 1);
            }
            lb_contention_give_up(&laid.trial, &laid.rest);
            lb_contention_give_up(&laid.trial, &laid.rest);
            assert_true(lb_contention_complete(&laid.trial));
            assert_false(lb_contention_take(&laid.trial, LB_CONTENTION_BESIDE, &range));
            sum += mark_rest(seen, &laid.rest);
            assert_int_equal(sum, (laid.kept.end - laid.kept.begin) * laid.order.blocks);
            lb_backlog_free(&laid.rest);
            free(seen);
        }
}

/* The sum of twelve uniform draws is nearly normal. */
static double draw_normal(double deviation)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += draw(0, 1);
    return deviation * sum;
}

/* Where times scatter, the true alpha is within two of the errors that are told in 90 of 100 trials. */
static void errors_hold(void **unused)
{
    (void)unused;
    enum { TURNS = 4000 };
    for (uint32_t samples = 4; samples <= 5; samples++) { /* the line, and the ratio of neighbours */
        int held = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            struct laid laid = lay(256, 256, 16, 3, samples);
            double truth = draw(0.8, 3), spread, noise = draw(0.01, 0.05);
            for (int part = 0; part < 2; part++) {
                struct lb_range range;
                while (lb_contention_take(&laid.trial, (enum lb_contention_part)part, &range)) {
                    double work = (double)(range.end - range.begin) / (double)laid.trial.size;
                    lb_contention_done(&laid.trial, (part ? truth : 1) * work + draw_normal(noise));
                }
            }
            held += fabs(lb_contention_measured(&laid.trial, &spread) - truth) <= 2 * spread;
            lb_backlog_free(&laid.rest);
        }
        if (held < 0.88 * TURNS || held > 0.97 * TURNS)
            fail_msg("%u samples: two errors held the truth in %d of %d trials", samples, held, TURNS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_hold),
        cmocka_unit_test(every_position_is_given_once),
        cmocka_unit_test(twins_are_alike),
        cmocka_unit_test(nobody_waits_for_long),
        cmocka_unit_test(there_may_be_no_trial),
        cmocka_unit_test(the_slope_is_alpha),
        cmocka_unit_test(fewer_rounds_tell_a_ratio),
        cmocka_unit_test(what_is_given_up_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
