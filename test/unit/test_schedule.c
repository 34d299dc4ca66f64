/* How frames end, over processors and strategies made for the test: every position once, waiting, stops, and a strategy
 * that never gives anything. */
#include "schedule_help.h"
#include "core/processors/null_processor.h"

#include <pthread.h>

/* ---- a strategy that never gives anything ---- */

static void ignore_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    (void)state, (void)processor, (void)range, (void)seconds;
}

static void ignore_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    (void)state, (void)processor, (void)range, (void)lost;
}

static enum lb_next never_next(void *state, uint32_t processor, struct lb_range *range)
{
    (void)state, (void)processor, (void)range;
    return LB_NEXT_WAIT;
}

static const struct lb_strategy never = {.name = "never",
                                         .summary = "nothing for anybody",
                                         .state_size = no_state,
                                         .plan = plan_rows,
                                         .next = never_next,
                                         .done = ignore_done,
                                         .failed = ignore_failed};

/* ---- a strategy that gives all to one, and then a part of that to whoever waits ---- */

/* A cut leaves a range only where none is left, so that there is one for each processor at most, and one more. */
struct giver {
    uint64_t outstanding;
    struct lb_range left[MOST + 1];
    uint32_t left_count;
    uint64_t cuts;
};

static void leave(struct giver *giver, struct lb_range range)
{
    assert_true(giver->left_count <= MOST);
    giver->left[giver->left_count++] = range;
}

static size_t giver_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct giver);
}

static enum lb_status giver_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                 struct lb_error *error)
{
    struct giver *giver = state;
    plan_rows(state, plan, order, error);
    *giver = (struct giver){.outstanding = order->count};
    leave(giver, (struct lb_range){0, order->count});
    return LB_OK;
}

static enum lb_next giver_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct giver *giver = state;
    (void)processor;
    if (giver->left_count == 0)
        return giver->outstanding > 0 ? LB_NEXT_WAIT : LB_NEXT_END;
    *range = giver->left[--giver->left_count];
    return LB_NEXT_RANGE;
}

static void giver_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    (void)processor, (void)seconds;
    ((struct giver *)state)->outstanding -= range.end - range.begin;
}

static void giver_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    (void)processor, (void)lost;
    if (range.begin < range.end)
        leave(state, range);
}

static uint64_t giver_cut(void *state, uint32_t processor, struct lb_range range, uint64_t positions,
                          double seconds)
{
    struct giver *giver = state;
    (void)processor;
    assert_true(seconds > 0 && positions > 0 && positions < range.end - range.begin);
    if (giver->left_count > 0)
        return range.end;
    uint64_t done = range.begin + positions, end = done + (range.end - done) / 2;
    leave(giver, (struct lb_range){end, range.end});
    giver->cuts++;
    return end;
}

static void giver_counts(const void *state, struct lb_strategy_counts *counts)
{
    *counts = (struct lb_strategy_counts){.messages = ((const struct giver *)state)->cuts};
}

static const struct lb_strategy giver = {.name = "giver",
                                         .summary = "all to one, who gives to those who wait",
                                         .state_size = giver_size,
                                         .plan = giver_plan,
                                         .next = giver_next,
                                         .done = giver_done,
                                         .failed = giver_failed,
                                         .cut = giver_cut,
                                         .counts = giver_counts};

/* ---- the tests ---- */

static void expect_report(const struct bench *bench)
{
    const struct lb_report_balance *all = &bench->frame.report.all;
    double share = 0;
    assert_true(all->t > 0 && all->t_min > 0 && all->t_min < 1.5 * all->t);
    for (uint32_t i = 0; i < bench->count; i++) {
        const struct lb_report_processor *p = &all->processors[i];
        share += p->share;
        assert_true(p->busy_seconds <= all->t + 1e-9 && p->finish_seconds <= all->t + 1e-9);
    }
    assert_true(share > 1 - 1e-9 && share < 1 + 1e-9);
}

static void every_strategy(void **unused)
{
    (void)unused;
    static const uint32_t sizes[][2] = {{1, 1}, {17, 13}, {64, 64}, {3, 101}, {128, 31}};
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (size_t size = 0; size < 5; size++)
            for (uint32_t count = 1; count <= MOST; count += 5)
                for (uint32_t passes = 1; passes <= 3; passes += 2) {
                    struct bench bench;
                    set_up(&bench, lb_strategies[s], count, sizes[size][0], sizes[size][1], 5);
                    bench.options.growth.passes = passes;
                    bench.options.want_cost = bench.options.want_owned = bench.options.want_spans = true;
                    if (run(&bench) != LB_OK)
                        fail_msg("%s: %s", lb_strategies[s]->name, bench.error.message);
                    expect_whole(&bench);
                    expect_report(&bench);
                    assert_int_equal(bench.frame.report.pass_count, passes);
                    assert_true(bench.frame.span_count > 0);
                    assert_int_equal(lb_run_progress(bench.run), bench.frame.samples);
                    tear_down(&bench);
                }
}

static void waiting(void **unused)
{
    (void)unused;
    for (uint32_t fails = 0; fails <= 200; fails += 200) {
        struct bench bench;
        set_up(&bench, &single, 8, 60, 60, 1);
        for (uint32_t i = 0; i < 8; i++)
            marker_of(&bench, i)->fails = fails;
        assert_int_equal(run(&bench), LB_OK);
        expect_whole(&bench);
        tear_down(&bench);
    }
}

/* What one has in hand is cut between two pieces for those who wait, and every pixel is rendered once. */
static void ranges_are_cut(void **unused)
{
    (void)unused;
    for (uint32_t fails = 0; fails <= 200; fails += 200) {
        struct bench bench;
        set_up(&bench, &giver, 4, 200, 60, 1);
        for (uint32_t i = 0; i < 4; i++) {
            marker_of(&bench, i)->delay = 0.002;
            marker_of(&bench, i)->fails = fails;
        }
        bench.options.want_spans = true;
        assert_int_equal(run(&bench), LB_OK);
        expect_whole(&bench);
        assert_true(bench.frame.report.all.counts.messages > 0);
        /* On a busy machine a thread may not run before the others are done. */
        uint32_t helped = 0;
        for (uint32_t i = 0; i < 4; i++)
            helped += bench.frame.report.all.processors[i].samples > 0;
        assert_true(helped > 1);
        tear_down(&bench);
    }
}

static void stalls(void **unused)
{
    (void)unused;
    struct bench bench;
    set_up(&bench, &never, 4, 10, 10, 1);
    assert_int_equal(run(&bench), LB_ERROR);
    assert_non_null(strstr(bench.error.message, "never"));
    tear_down(&bench);
}

static void *stop_soon(void *interrupt)
{
    lb_clock_sleep_until(lb_clock_now() + 0.05);
    lb_interrupt_signal(interrupt, 15);
    return NULL;
}

/* A stop ends the pass soon, in the middle of the longest range, too, and while others wait. */
static void stops(void **unused)
{
    (void)unused;
    /* auto splits the few pixels that it gets. */
    const struct lb_strategy *strategies[] = {lb_strategy_find("naive"), lb_strategy_find("pool"), &single,
                                              lb_strategy_find("auto")};
    for (int i = 0; i < 4; i++) {
        struct lb_interrupt interrupt = {0};
        struct bench bench;
        pthread_t thread;
        uint32_t height = i < 3 ? 200 : 20;
        set_up(&bench, strategies[i], 4, 1000, height, i < 3 ? 3 : 30);
        bench.options.interrupt = &interrupt;
        bench.options.growth.passes = 2;
        for (uint32_t j = 0; j < 4; j++)
            marker_of(&bench, j)->delay = 0.004;
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, &interrupt), 0);
        assert_int_equal(run(&bench), LB_OK);
        pthread_join(thread, NULL);
        assert_false(bench.frame.complete);
        uint64_t held = 0;
        for (uint32_t j = 0; j < 1000 * height; j++)
            held += (uint64_t)bench.frame.pixels[j].weight;
        assert_int_equal(held, bench.frame.samples);
        assert_true(held > 0);
        tear_down(&bench);
    }
}

static void null_devices(void **unused)
{
    (void)unused;
    struct bench bench;
    set_up(&bench, lb_strategy_find("pool"), 2, 100, 20, 10);
    struct lb_processor *null;
    assert_int_equal(lb_null_processor_open(bench.members[0].processor, 3, 50000, 0, 1, &null, &bench.error),
                     LB_OK);
    assert_string_equal(null->name, "null3");
    assert_int_equal(null->kind, LB_PROCESSOR_CPU);
    bench.members[0].processor = null;
    bench.count = 1;
    marker_of(&bench, 1)->base.table->close(bench.members[1].processor);
    assert_int_equal(run(&bench), LB_OK);
    expect_whole(&bench);
    /* 20,000 samples at 50,000 a second */
    assert_true(bench.frame.report.all.t > 0.4 && bench.frame.report.all.t < 6);
    tear_down(&bench);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median time between the ends of two pieces of which a null device renders 1 / `seconds` a second. */
static double median_between(double seconds)
{
    enum { PIECES = 300 };
    struct lb_processor *null;
    struct lb_error error;
    lb_scene scene = {.film = {.width = 10, .height = 1}};
    lb_order order = lb_order_curve(10, 1, LB_CURVE_ROWS);
    lb_film_pixel pixels[10];
    struct lb_work work = {
        .scene = &scene, .order = &order, .range = {0, 10}, .whole = {0, 10}, .sample_end = 1};
    double between[PIECES], last = lb_clock_now();
    assert_int_equal(lb_null_processor_open(&new_marker(0)->base, 0, 10 / seconds, 0, 1, &null, &error),
                     LB_OK);
    for (int i = 0; i < PIECES; i++) {
        struct lb_result result = {.pixels = pixels};
        bool lost;
        assert_int_equal(null->table->render(null, &work, &result, &lost, &error), LB_OK);
        double now = lb_clock_now();
        between[i] = now - last;
        last = now;
    }
    null->table->close(null);
    qsort(between, PIECES, sizeof between[0], by_value);
    return between[PIECES / 2];
}

/* However small its pieces are, a null device is as fast as it was told to be: the time between the ends of two pieces
 * does not always have what the system takes to wake a thread. On a busy machine many pieces end late for want of a
 * CPU, and others soon after them: so there are tries, of which a device that always is late passes none. */
static void null_devices_keep_their_time(void **unused)
{
    (void)unused;
    static const double SECONDS = 0.001;
    bool kept = false;
    for (int tries = 0; tries < 30 && !kept; tries++) {
        double median = median_between(SECONDS);
        kept = median > 0.98 * SECONDS && median < 1.02 * SECONDS;
    }
    assert_true(kept);
}

/* A null device that would sleep for an hour wakes up for a signal, and what it rendered before it slept is
 * delivered. */
static void stops_the_slow(void **unused)
{
    (void)unused;
    struct lb_interrupt interrupt = {0};
    struct bench bench;
    pthread_t thread;
    struct lb_processor *null;
    set_up(&bench, lb_strategy_find("naive"), 1, 100, 20, 10);
    assert_int_equal(lb_null_processor_open(bench.members[0].processor, 0, 0.1, 0, 1, &null, &bench.error),
                     LB_OK);
    bench.members[0].processor = null;
    bench.options.interrupt = &interrupt;
    double begin = lb_clock_now();
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &interrupt), 0);
    assert_int_equal(run(&bench), LB_OK);
    pthread_join(thread, NULL);
    assert_false(bench.frame.complete);
    assert_int_equal(bench.frame.samples, 64 * 10);
    assert_true(lb_clock_now() - begin < 10);
    tear_down(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_strategy),
        cmocka_unit_test(waiting),
        cmocka_unit_test(ranges_are_cut),
        cmocka_unit_test(stalls),
        cmocka_unit_test(stops),
        cmocka_unit_test(null_devices),
        cmocka_unit_test(null_devices_keep_their_time),
        cmocka_unit_test(stops_the_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
