/* CPU threads and GPUs as two sides (strategies/two_sides.h): speeds, chunks, and that every position is dealt once. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "strategies/two_sides.h"

enum { MOST = 12 };

static uint64_t state = 0x452821e638d01377u;

static double draw(double low, double high)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(state >> 11) * 0x1p-53);
}

/* `threads` CPU threads, then `gpus`, which share an order of so many positions. */
static void start(struct lb_two_sides *two, uint32_t threads, uint32_t gpus, uint64_t positions)
{
    struct lb_processor_info infos[MOST];
    struct lb_plan plan = {.processor_count = threads + gpus, .processors = infos};
    for (uint32_t k = 0; k < threads + gpus; k++)
        infos[k] = (struct lb_processor_info){.kind = k < threads ? LB_PROCESSOR_CPU : LB_PROCESSOR_GPU};
    assert_int_equal(lb_sides_start(two, &plan, NULL), LB_OK);
    two->positions = two->outstanding = two->count = positions;
    two->kept = (struct lb_range){positions, positions};
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* Who was not measured counts as the mean of its side; the other side says nothing of it. */
static void untried_ones_count_as_the_mean(void **unused)
{
    struct lb_two_sides two = {0};
    (void)unused;
    start(&two, 4, 2, 1000000);
    assert_true(lb_side_speed(&two.sides[0]) == 0 && lb_side_speed(&two.sides[1]) == 0);
    assert_true(lb_sides_speed(&two, 10) == 40);
    lb_sides_learn(&two, 0, 100, 1, LB_SPEED_ALL);
    assert_true(near(lb_side_speed(&two.sides[0]), 400));
    lb_sides_learn(&two, 3, 100, 0.5, LB_SPEED_ALL);
    assert_true(near(lb_side_speed(&two.sides[0]), 600) && lb_side_speed(&two.sides[1]) == 0);
    lb_sides_learn(&two, 5, 1000, 0.1, LB_SPEED_ALL);
    assert_true(near(lb_sides_speed(&two, 10), 600 + 20000));
    lb_sides_free(&two);
}

/* A chunk of the second half of the frame counts twice what came before it, of the trial as much. */
static void later_chunks_count_more(void **unused)
{
    struct lb_two_sides two = {0};
    (void)unused;
    start(&two, 1, 1, 1000000);
    lb_sides_learn(&two, 0, 100, 1, LB_SPEED_ALL);
    lb_sides_learn(&two, 0, 300, 1, LB_SPEED_ALL);
    assert_true(near(two.runners[0].speed, 200));
    lb_sides_learn(&two, 0, 300, 1, LB_SPEED_RECENT);
    assert_true(near(two.runners[0].speed, (400 / 2 + 300) / (2.0 / 2 + 1)));
    lb_sides_free(&two);
}

/* Whom was lost is neither counted nor listened to; with the last of a side its speed is 0. */
static void the_lost_count_no_more(void **unused)
{
    struct lb_two_sides two = {0};
    (void)unused;
    start(&two, 3, 1, 1000000);
    lb_sides_learn(&two, 0, 100, 1, LB_SPEED_ALL);
    lb_sides_learn(&two, 1, 300, 1, LB_SPEED_ALL);
    lb_sides_lose(&two, 1);
    lb_sides_lose(&two, 1);
    lb_sides_learn(&two, 1, 900, 1, LB_SPEED_ALL);
    assert_true(near(lb_side_speed(&two.sides[0]), 200) && two.sides[0].count == 2);
    lb_sides_lose(&two, 2);
    lb_sides_lose(&two, 0);
    assert_true(lb_side_speed(&two.sides[0]) == 0 && two.sides[0].count == 0 && two.sides[0].untried == 0);
    lb_sides_free(&two);
}

/* Of each 1 in 2048 positions, or a chunk at least once half of the picture is dealt; who was lost is not asked. */
static void speeds_are_known_by_enough(void **unused)
{
    struct lb_two_sides two = {0};
    struct lb_range range;
    (void)unused;
    start(&two, 2, 1, 2048 * 100);
    lb_sides_learn(&two, 2, 100, 1, LB_SPEED_ALL);
    assert_true(lb_sides_known(&two, false) && !lb_sides_known(&two, true));
    lb_sides_learn(&two, 0, 99, 1, LB_SPEED_ALL);
    lb_sides_learn(&two, 1, 100, 1, LB_SPEED_ALL);
    assert_false(lb_sides_known(&two, true));
    lb_sides_learn(&two, 0, 1, 1, LB_SPEED_ALL);
    assert_true(lb_sides_known(&two, true));
    lb_sides_free(&two);
    start(&two, 2, 1, 2048 * 100);
    for (uint32_t k = 0; k < 2; k++)
        lb_sides_learn(&two, 1 + k, 5, 1, LB_SPEED_ALL);
    assert_true(lb_sides_take_common(&two, 1024 * 100, &range));
    assert_true(lb_sides_known(&two, false) && !lb_sides_known(&two, true));
    lb_sides_lose(&two, 0);
    assert_true(lb_sides_known(&two, true));
    lb_sides_free(&two);
}

/* With alpha preset every thread is as fast as the one alone over alpha, measured or not. */
static void threads_may_be_taken_for_equal(void **unused)
{
    struct lb_two_sides two = {0};
    (void)unused;
    start(&two, 4, 1, 1000000);
    lb_sides_learn(&two, 0, 900, 1, LB_SPEED_ALL);
    lb_sides_learn(&two, 4, 5000, 1, LB_SPEED_ALL);
    lb_sides_lose(&two, 3);
    lb_sides_believe(&two, 100);
    assert_true(near(lb_side_speed(&two.sides[0]), 300) && two.sides[0].untried == 0);
    assert_true(near(lb_side_speed(&two.sides[1]), 5000));
    lb_sides_free(&two);
}

/* What was done and how late it is. */
static void work_is_counted(void **unused)
{
    struct lb_two_sides two = {0};
    (void)unused;
    start(&two, 1, 1, 1000);
    lb_sides_count(&two, 0, 300, 2);
    lb_sides_count(&two, 1, 500, 1.5);
    assert_true(two.outstanding == 200 && two.clock == 2 && two.runners[0].done == 300);
    lb_sides_count(&two, 1, 200, 1);
    assert_true(two.outstanding == 0 && two.clock == 2.5);
    lb_sides_free(&two);
}

/* A trial's chunk takes a 64th of the time left, but is eight times what its processor did at most, and a 16384th of
 * the picture at least. */
static void trial_chunks_grow(void **unused)
{
    struct lb_two_sides two = {0};
    const uint64_t positions = 16384 * 64;
    (void)unused;
    start(&two, 1, 1, positions);
    assert_int_equal(lb_sides_trial_chunk(&two, 0, 0), 64);
    lb_sides_count(&two, 1, 64, 0.01);
    lb_sides_learn(&two, 1, 64, 0.01, LB_SPEED_ALL);
    assert_int_equal(lb_sides_trial_chunk(&two, 1, 640), 8 * 64);
    lb_sides_count(&two, 1, positions / 2 - 64, 10);
    /* Ten times as fast as the thread: ten elevenths of a 64th of the other half. */
    assert_int_equal(lb_sides_trial_chunk(&two, 1, 640), (uint64_t)((double)positions / 2 / 64 * 10 / 11));
    lb_sides_free(&two);
}

/* After the split: a quarter of the processor's due of its side's part, or of all where the other will help, and no
 * less than a 512th of the time foretold. */
static void chunks_shrink(void **unused)
{
    struct lb_two_sides two = {0};
    (void)unused;
    start(&two, 2, 1, 1000000);
    lb_sides_learn(&two, 0, 1000, 1, LB_SPEED_ALL);
    lb_sides_learn(&two, 1, 3000, 1, LB_SPEED_ALL);
    lb_sides_learn(&two, 2, 96000, 1, LB_SPEED_ALL);
    two.sides[0].next = 0;
    two.sides[0].end = two.sides[1].next = 40000;
    two.sides[1].end = two.next = 1000000;
    assert_int_equal(lb_sides_chunk(&two, 0, 10), 10000 / 4);
    assert_int_equal(lb_sides_chunk(&two, 1, 10), 30000 / 4);
    assert_int_equal(lb_sides_chunk(&two, 2, 10), 960000 / 4);
    two.sides[1].next = 980000; /* together 0.6 s are left, the threads alone would need 10 */
    assert_int_equal(lb_sides_chunk(&two, 1, 10), 3000 * 0.6 / 4);
    assert_int_equal(lb_sides_chunk(&two, 1, 512), 3000);
    lb_sides_free(&two);
}

/* Whatever chunks are taken, by whom, before and after the split: every position but those kept is dealt once. */
static void every_position_is_dealt_once(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 300; turn++) {
        struct lb_two_sides two = {0};
        uint32_t threads = 1 + (uint32_t)draw(0, 5), gpus = 1 + (uint32_t)draw(0, 3);
        uint64_t all = 1000 + (uint64_t)draw(0, 5000), kept = (uint64_t)draw(0, 300);
        unsigned char *seen = calloc(all, 1);
        struct lb_range range;
        start(&two, threads, gpus, all);
        two.kept.begin = (uint64_t)draw(0, (double)(all - kept));
        two.kept.end = two.kept.begin + kept;
        two.count = all - kept;
        for (uint64_t i = two.kept.begin; i < two.kept.end; i++)
            seen[i] = 1;
        for (int i = (int)draw(0, 40); i > 0 && lb_sides_take_common(&two, 1 + (uint64_t)draw(0, 60), &range);
             i--)
            for (uint64_t k = range.begin; k < range.end; k++)
                assert_int_equal(seen[k]++, 0);
        two.sides[0].next = two.next;
        two.sides[0].end = two.sides[1].next = two.next + (uint64_t)draw(0, (double)(two.count - two.next));
        two.sides[1].end = two.next = two.count;
        while (lb_sides_take(&two, (uint32_t)draw(0, threads + gpus), 1 + (uint64_t)draw(0, 60), &range))
            for (uint64_t k = range.begin; k < range.end; k++)
                assert_int_equal(seen[k]++, 0);
        for (uint64_t k = 0; k < all; k++)
            assert_int_equal(seen[k], 1);
        lb_sides_free(&two);
        free(seen);
    }
}

/* A side that is done takes of the other's part from its far end. */
static void who_is_done_helps_from_the_far_end(void **unused)
{
    struct lb_two_sides two = {0};
    struct lb_range range;
    (void)unused;
    start(&two, 1, 1, 1000);
    two.sides[0].end = two.sides[1].next = 900;
    two.sides[1].end = two.next = 1000;
    assert_true(lb_sides_take(&two, 1, 100, &range) && range.begin == 900 && range.end == 1000);
    assert_true(lb_sides_take(&two, 1, 100, &range) && range.begin == 800 && range.end == 900);
    assert_true(lb_sides_take(&two, 0, 100, &range) && range.begin == 0 && range.end == 100);
    assert_true(lb_sides_take(&two, 1, 1000, &range) && range.begin == 100 && range.end == 800);
    assert_false(lb_sides_take(&two, 0, 1, &range));
    lb_sides_free(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untried_ones_count_as_the_mean),
        cmocka_unit_test(later_chunks_count_more),
        cmocka_unit_test(the_lost_count_no_more),
        cmocka_unit_test(speeds_are_known_by_enough),
        cmocka_unit_test(threads_may_be_taken_for_equal),
        cmocka_unit_test(work_is_counted),
        cmocka_unit_test(trial_chunks_grow),
        cmocka_unit_test(chunks_shrink),
        cmocka_unit_test(every_position_is_dealt_once),
        cmocka_unit_test(who_is_done_helps_from_the_far_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
