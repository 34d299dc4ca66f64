/* The scheduler and frames over processors and strategies made for the test: every position once, waiting, failures,
 * losses, stops, and a strategy that never gives anything. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine/clock.h"
#include "core/run/frame.h"
#include "core/run/noise.h"
#include "core/run/portion.h"
#include "core/processors/null_processor.h"

enum { MOST = 16 };

/* ---- a processor that marks what it renders ---- */

struct marker {
    struct lb_processor base;
    uint32_t fails; /* per mille of the pieces */
    bool loses;     /* a failure loses it */
    unsigned random;
    double delay; /* seconds a piece */
};

/* A sum by which samples [begin, end) are told from others. */
static int64_t sum_squares(uint32_t begin, uint32_t end)
{
    int64_t sum = 0;
    for (int64_t s = begin; s < end; s++)
        sum += (s + 1) * (s + 1);
    return sum;
}

static enum lb_status mark(struct lb_processor *processor, const struct lb_work *work,
                           struct lb_result *result, bool *lost, struct lb_error *error)
{
    struct marker *marker = (struct marker *)processor;
    uint64_t count = work->range.end - work->range.begin;
    memset(result->pixels, 0, count * sizeof *result->pixels);
    if (result->cost)
        memset(result->cost, 0, count * sizeof *result->cost);
    bool fails = (uint32_t)rand_r(&marker->random) % 1000 < marker->fails;
    for (uint64_t i = 0; i < (fails ? count / 2 : count); i++) {
        uint64_t pixel = lb_order_due(work->order, work->range.begin + i);
        if (pixel == LB_NO_PIXEL)
            continue;
        uint32_t samples = work->sample_end - work->sample_begin;
        result->pixels[i].sum[0] = (int64_t)(pixel * samples);
        result->pixels[i].sum[1] = sum_squares(work->sample_begin, work->sample_end);
        result->pixels[i].weight = samples;
        result->samples += samples;
        result->counters.nodes += samples;
        if (result->cost)
            result->cost[i] = (float)samples;
    }
    if (marker->delay > 0)
        lb_clock_sleep_until(lb_clock_now() + marker->delay);
    *lost = fails && marker->loses;
    return fails ? lb_error_set(error, LB_ERROR, "%s failed", processor->name) : LB_OK;
}

static void unmark(struct lb_processor *processor)
{
    free(processor);
}

static const struct lb_processor_table marker_table = {.render = mark, .close = unmark};

static struct marker *new_marker(uint32_t number)
{
    struct marker *marker = calloc(1, sizeof *marker);
    marker->base.table = &marker_table;
    marker->random = number + 1;
    snprintf(marker->base.name, sizeof marker->base.name, "cpu%u", number);
    return marker;
}

/* ---- one that is given work ahead of time ---- */

struct eager {
    struct marker marker; /* first: how it renders */
    struct lb_work works[LB_PIECES_IN_HAND];
    struct lb_result results[LB_PIECES_IN_HAND];
    uint32_t count, most; /* that it has in hand, and ever had */
};

static void eager_begin(struct lb_processor *processor, const struct lb_work *work,
                        const struct lb_result *result)
{
    struct eager *eager = (struct eager *)processor;
    assert_true(eager->count < LB_PIECES_IN_HAND);
    eager->works[eager->count] = *work;
    eager->results[eager->count++] = *result;
    if (eager->most < eager->count)
        eager->most = eager->count;
}

static bool eager_await(struct lb_processor *processor, bool may_begin, struct lb_outcome *outcome)
{
    struct eager *eager = (struct eager *)processor;
    assert_true(eager->count > 0);
    if (may_begin && rand_r(&eager->marker.random) % 3)
        return false;
    *outcome = (struct lb_outcome){.result = eager->results[0]};
    lb_result_clear_all(&outcome->result, eager->works[0].range.end - eager->works[0].range.begin);
    outcome->status = mark(processor, &eager->works[0], &outcome->result, &outcome->lost, &outcome->error);
    outcome->result.render_seconds = 1e-3;
    eager->count = outcome->status == LB_OK ? eager->count - 1 : 0;
    memmove(eager->works, eager->works + 1, eager->count * sizeof *eager->works);
    memmove(eager->results, eager->results + 1, eager->count * sizeof *eager->results);
    return true;
}

static const struct lb_processor_table eager_table = {
    .render = mark, .close = unmark, .begin = eager_begin, .await = eager_await};

static struct marker *new_eager(uint32_t number)
{
    struct eager *eager = calloc(1, sizeof *eager);
    eager->marker.base.table = &eager_table;
    eager->marker.random = number + 1;
    snprintf(eager->marker.base.name, sizeof eager->marker.base.name, "host%u", number);
    return &eager->marker;
}

/* ---- strategies made for the test ---- */

static size_t no_state(uint32_t processors)
{
    (void)processors;
    return 64;
}

static enum lb_status plan_rows(void *state, const struct lb_plan *plan, struct lb_order *order,
                                struct lb_error *error)
{
    (void)error;
    memset(state, 0, 64);
    *order = lb_order_curve(plan->width, plan->height, LB_CURVE_ROWS);
    *(uint64_t *)state = order->count;
    return LB_OK;
}

static void ignore_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    (void)state, (void)processor, (void)range, (void)seconds;
}

static void ignore_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    (void)state, (void)processor, (void)range, (void)lost;
}

/* One range after another: the next is only given when the last one is done, so that all but one wait. */
struct single {
    uint64_t count, at;
    bool out;
};

static enum lb_next single_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct single *single = state;
    (void)processor;
    if (single->out)
        return LB_NEXT_WAIT;
    if (single->at == single->count)
        return LB_NEXT_END;
    *range = (struct lb_range){single->at, single->at + 7 < single->count ? single->at + 7 : single->count};
    single->out = true;
    return LB_NEXT_RANGE;
}

static void single_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct single *single = state;
    (void)processor;
    assert_true(seconds >= 0);
    single->at = range.end;
    single->out = false;
}

static void single_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    (void)processor, (void)range, (void)lost;
    ((struct single *)state)->out = false;
}

static const struct lb_strategy single = {.name = "single",
                                          .summary = "one at a time",
                                          .state_size = no_state,
                                          .plan = plan_rows,
                                          .next = single_next,
                                          .done = single_done,
                                          .failed = single_failed};

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

/* ---- a run ---- */

struct bench {
    lb_scene scene;
    struct lb_member members[MOST];
    struct lb_run_options options;
    struct lb_run *run;
    struct lb_frame frame;
    struct lb_error error;
    uint32_t count;
};

static void set_up(struct bench *bench, const struct lb_strategy *strategy, uint32_t count, uint32_t width,
                   uint32_t height, uint32_t samples)
{
    memset(bench, 0, sizeof *bench);
    bench->scene.film.width = width;
    bench->scene.film.height = height;
    bench->scene.integrator.samples = samples;
    bench->scene.integrator.kind = LB_INTEGRATOR_MANDELBROT;
    bench->options = (struct lb_run_options){.settings = {.strategy = strategy}, .growth = {.passes = 1}};
    bench->count = count;
    for (uint32_t i = 0; i < count; i++) {
        bench->members[i].processor = &new_marker(i)->base;
        bench->members[i].weight = 1.0 / count;
    }
}

static struct marker *marker_of(struct bench *bench, uint32_t number)
{
    return (struct marker *)bench->members[number].processor;
}

static enum lb_status run(struct bench *bench)
{
    assert_int_equal(lb_run_open(&bench->options, bench->members, bench->count, &bench->run, &bench->error),
                     LB_OK);
    return lb_run_frame(bench->run, &bench->scene, 0, NULL, &bench->frame, &bench->error);
}

static void tear_down(struct bench *bench)
{
    lb_run_close(bench->run);
    lb_frame_free(&bench->frame);
    for (uint32_t i = 0; i < bench->count; i++)
        bench->members[i].processor->table->close(bench->members[i].processor);
}

static void expect_whole(const struct bench *bench)
{
    const struct lb_frame *frame = &bench->frame;
    uint64_t pixels = (uint64_t)frame->width * frame->height, samples = bench->scene.integrator.samples,
             sum = 0;
    assert_true(frame->complete);
    assert_int_equal(frame->samples, pixels * samples);
    for (uint64_t i = 0; i < pixels; i++) {
        assert_int_equal(frame->pixels[i].weight, samples);
        assert_int_equal(frame->pixels[i].sum[0], i * samples);
        assert_int_equal(frame->pixels[i].sum[1], sum_squares(0, bench->scene.integrator.samples));
        if (frame->cost)
            assert_true(frame->cost[i] == (float)samples);
        if (frame->owners)
            assert_true(frame->owners[i] < bench->count);
    }
    for (uint32_t i = 0; i < bench->count; i++)
        sum += frame->report.all.processors[i].samples;
    assert_int_equal(sum, pixels * samples);
}

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

/* ---- the tests ---- */

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
                    bench.options.want_cost = bench.options.want_owners = bench.options.want_spans = true;
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

static void losses(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (uint32_t turn = 0; turn < 20; turn++) {
            struct bench bench;
            set_up(&bench, lb_strategies[s], 5, 40, 30 + turn, 4);
            bench.options.growth.passes = 1 + turn % 3;
            for (uint32_t i = 1; i < 5; i++) {
                marker_of(&bench, i)->random = turn * 8 + i;
                marker_of(&bench, i)->fails = turn % 2 ? 1000 : 200;
                marker_of(&bench, i)->loses = turn % 4 < 2;
            }
            if (turn % 4 == 3)
                for (uint32_t i = 1; i < 5; i++)
                    marker_of(&bench, i)->fails = 300;
            if (run(&bench) != LB_OK)
                fail_msg("%s: %s", lb_strategies[s]->name, bench.error.message);
            expect_whole(&bench);
            for (uint32_t i = 0; i < 5; i++) {
                const struct lb_report_processor *p = &bench.frame.report.all.processors[i];
                assert_int_equal(p->lost, p->failed > 0 && turn % 4 < 2);
            }
            tear_down(&bench);
        }
}

/* Some processors are given ranges ahead of time. When one fails, others do all that it had in hand. */
static void given_ahead(void **unused)
{
    (void)unused;
    uint32_t most[2] = {0, 0};
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (uint32_t turn = 0; turn < 24; turn++) {
            struct bench bench;
            set_up(&bench, lb_strategies[s], 1 + turn % 5, 60 + turn, 50, 1 + turn % 3);
            for (uint32_t i = 0; i < bench.count; i += 1 + turn % 2) {
                unmark(bench.members[i].processor);
                bench.members[i].processor = &new_eager(i)->base;
                marker_of(&bench, i)->random = turn * 8 + i;
                marker_of(&bench, i)->fails = i > 0 && turn % 3 ? 150 : 0;
                marker_of(&bench, i)->loses = turn % 4 < 2;
            }
            if (run(&bench) != LB_OK)
                fail_msg("%s: %s", lb_strategies[s]->name, bench.error.message);
            expect_whole(&bench);
            uint32_t *had = &most[lb_strategies[s]->one_at_a_time];
            const struct eager *first = (const struct eager *)marker_of(&bench, 0);
            *had = first->most > *had ? first->most : *had;
            tear_down(&bench);
        }
    assert_int_equal(most[0], LB_PIECES_IN_HAND);
    assert_true(most[1] >= 1 && most[1] < LB_PIECES_IN_HAND);
}

struct heard {
    pthread_mutex_t lock;
    unsigned char *positions; /* a byte each: was it told? */
};

static void hear(void *user, struct lb_range positions)
{
    struct heard *heard = user;
    pthread_mutex_lock(&heard->lock);
    memset(heard->positions + positions.begin, 1, positions.end - positions.begin);
    pthread_mutex_unlock(&heard->lock);
}

/* A random range of a random order, cut out of the same picture rendered by one processor. */
static void expect_portion(struct bench *bench, const lb_order *order, struct lb_range range)
{
    struct lb_portion_team team = {bench->options.settings, bench->members, bench->count};
    uint64_t count = range.end - range.begin;
    struct lb_work work = {.scene = &bench->scene,
                           .order = order,
                           .range = range,
                           .whole = range,
                           .sample_begin = 1,
                           .sample_end = 4};
    struct lb_result result = {.pixels = malloc(count * sizeof *result.pixels),
                               .cost = malloc(count * sizeof *result.cost)};
    uint64_t samples = 0;
    struct heard heard = {PTHREAD_MUTEX_INITIALIZER, calloc(count, 1)};
    struct lb_listener listener = {hear, &heard};
    if (lb_portion_render(&team, &work, &listener, &result, &bench->error) != LB_OK)
        fail_msg("%s: %s", team.settings.strategy->name, bench->error.message);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t pixel = lb_order_pixel(order, range.begin + i);
        bool holds = pixel != LB_NO_PIXEL;
        assert_int_equal(result.pixels[i].weight, holds ? 3 : 0);
        assert_int_equal(result.pixels[i].sum[0], holds ? pixel * 3 : 0);
        assert_true(result.cost[i] == (holds ? 3.0f : 0.0f));
        assert_true(heard.positions[i]);
        samples += holds ? 3 : 0;
    }
    assert_int_equal(result.samples, samples);
    assert_int_equal(result.counters.nodes, samples);
    assert_false(result.stopped);
    free(heard.positions);
    free(result.pixels);
    free(result.cost);
}

static void portions(void **unused)
{
    (void)unused;
    unsigned random = 1;
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (uint32_t turn = 0; turn < 30; turn++) {
            struct bench bench;
            uint32_t width = 1 + (uint32_t)rand_r(&random) % 90, height = 1 + (uint32_t)rand_r(&random) % 90;
            set_up(&bench, lb_strategies[s], 1 + turn % 6, width, height, 5);
            for (uint32_t i = 1; i < bench.count; i++) {
                marker_of(&bench, i)->fails = turn % 3 ? 0 : 200;
                marker_of(&bench, i)->loses = turn % 2;
            }
            lb_order order = turn % 2 ? lb_order_reversed(width, height, 8, LB_CURVE_ROWS)
                                      : lb_order_shuffled(width, height, 8, turn);
            uint64_t begin = (uint64_t)rand_r(&random) % order.count;
            uint64_t end = begin + 1 + (uint64_t)rand_r(&random) % (order.count - begin);
            expect_portion(&bench, &order, (struct lb_range){begin, end});
            tear_down(&bench);
        }
}

static void lost_portion(void **unused)
{
    (void)unused;
    struct bench bench;
    set_up(&bench, lb_strategy_find("pool"), 2, 64, 64, 2);
    for (uint32_t i = 0; i < 2; i++) {
        marker_of(&bench, i)->fails = 1000;
        marker_of(&bench, i)->loses = true;
    }
    struct lb_portion_team team = {bench.options.settings, bench.members, 2};
    lb_order order = lb_order_curve(64, 64, LB_CURVE_ROWS);
    struct lb_work work = {
        .scene = &bench.scene, .order = &order, .range = {0, 4096}, .whole = {0, 4096}, .sample_end = 2};
    struct lb_result result = {.pixels = malloc(4096 * sizeof *result.pixels)};
    assert_int_equal(lb_portion_render(&team, &work, NULL, &result, &bench.error), LB_ERROR);
    assert_true(bench.members[0].lost && bench.members[1].lost);
    assert_int_equal(lb_portion_render(&team, &work, NULL, &result, &bench.error), LB_ERROR);
    free(result.pixels);
    tear_down(&bench);
}

static void all_lost(void **unused)
{
    (void)unused;
    struct bench bench;
    set_up(&bench, lb_strategy_find("pool"), 3, 64, 64, 2);
    for (uint32_t i = 0; i < 3; i++) {
        marker_of(&bench, i)->fails = 1000;
        marker_of(&bench, i)->loses = true;
    }
    assert_int_equal(run(&bench), LB_OK);
    assert_false(bench.frame.complete);
    assert_int_equal(bench.frame.samples, 0);
    assert_int_equal(bench.frame.report.all.lost, 3);
    for (uint32_t i = 0; i < 64 * 64; i++)
        assert_int_equal(bench.frame.pixels[i].weight, 0);
    tear_down(&bench);
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

static void stalls(void **unused)
{
    (void)unused;
    struct bench bench;
    set_up(&bench, &never, 4, 10, 10, 1);
    assert_int_equal(run(&bench), LB_ERROR);
    assert_non_null(strstr(bench.error.message, "never"));
    tear_down(&bench);
}

static void *stop_soon(void *stop)
{
    lb_clock_sleep_until(lb_clock_now() + 0.05);
    atomic_store((atomic_int *)stop, 15);
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
        atomic_int stop = 0;
        struct bench bench;
        pthread_t thread;
        uint32_t height = i < 3 ? 200 : 20;
        set_up(&bench, strategies[i], 4, 1000, height, i < 3 ? 3 : 30);
        bench.options.stop = &stop;
        bench.options.growth.passes = 2;
        for (uint32_t j = 0; j < 4; j++)
            marker_of(&bench, j)->delay = 0.004;
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
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

/* Somebody who ends passes for newcomers, a few times. */
struct interrupter {
    struct bench *bench;
    atomic_int stop;
    atomic_bool done;
    uint32_t renewed, waited;
};

static void *interrupt(void *argument)
{
    struct interrupter *interrupter = argument;
    for (uint32_t i = 0; i < 6 && !atomic_load(&interrupter->done); i++) {
        int none = 0;
        lb_clock_sleep_until(lb_clock_now() + 0.005);
        atomic_compare_exchange_strong(&interrupter->stop, &none, LB_RENEW);
    }
    return NULL;
}

/* Members come back, and leave, by turns. */
static void renew(void *user, bool wait)
{
    struct interrupter *interrupter = user;
    struct bench *bench = interrupter->bench;
    interrupter->renewed++;
    interrupter->waited += wait;
    for (uint32_t i = 1; i < bench->count; i++)
        bench->members[i].lost = (i + interrupter->renewed) % 3 == 0;
}

static void members_come(void **unused)
{
    (void)unused;
    uint32_t renewed = 0, waited = 0;
    for (size_t s = 0; s <= lb_strategy_count; s++)
        for (uint32_t turn = 0; turn < 4; turn++) {
            struct bench bench;
            pthread_t thread;
            set_up(&bench, s < lb_strategy_count ? lb_strategies[s] : &single, 5, 120, 100, 3);
            struct interrupter interrupter = {.bench = &bench};
            bench.options.stop = &interrupter.stop;
            bench.options.renew = renew;
            bench.options.user = &interrupter;
            bench.members[4].lost = true;
            for (uint32_t i = 0; i < bench.count; i++) {
                marker_of(&bench, i)->delay = 0.001;
                marker_of(&bench, i)->fails = turn % 2 ? 1000 : 0;
                marker_of(&bench, i)->loses = turn % 2;
            }
            marker_of(&bench, 1)->fails = 0;
            assert_int_equal(pthread_create(&thread, NULL, interrupt, &interrupter), 0);
            enum lb_status status = run(&bench);
            atomic_store(&interrupter.done, true);
            pthread_join(thread, NULL);
            if (status != LB_OK)
                fail_msg("%s: %s", bench.options.settings.strategy->name, bench.error.message);
            expect_whole(&bench);
            renewed += interrupter.renewed;
            waited += interrupter.waited;
            tear_down(&bench);
        }
    assert_true(renewed > 100 && waited > 0);
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

/* A null device that would sleep for an hour wakes up for a signal, and what it rendered before it slept is
 * delivered. */
static void stops_the_slow(void **unused)
{
    (void)unused;
    atomic_int stop = 0;
    struct bench bench;
    pthread_t thread;
    struct lb_processor *null;
    set_up(&bench, lb_strategy_find("naive"), 1, 100, 20, 10);
    assert_int_equal(lb_null_processor_open(bench.members[0].processor, 0, 0.1, 0, 1, &null, &bench.error),
                     LB_OK);
    bench.members[0].processor = null;
    bench.options.stop = &stop;
    double begin = lb_clock_now();
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
    assert_int_equal(run(&bench), LB_OK);
    pthread_join(thread, NULL);
    assert_false(bench.frame.complete);
    assert_int_equal(bench.frame.samples, 64 * 10);
    assert_true(lb_clock_now() - begin < 10);
    tear_down(&bench);
}

/* The chance is one a range, however it is cut into pieces and blocks of samples, and the failed range delivers
 * nothing. */
static void null_failures(void **unused)
{
    (void)unused;
    uint32_t failed = 0;
    for (uint32_t seed = 0; seed < 400; seed++) {
        struct lb_processor *null;
        struct lb_error error;
        uint32_t width = seed % 2 == 0 ? 100 : 30;
        lb_scene scene = {.film = {.width = width, .height = 1}};
        lb_order order = lb_order_curve(width, 1, LB_CURVE_ROWS);
        lb_film_pixel pixels[100];
        assert_int_equal(lb_null_processor_open(&new_marker(0)->base, 0, 0, 0.25, seed, &null, &error),
                         LB_OK);
        for (uint64_t at = 0; at < 100; at += 10) {
            uint64_t offset = at / width * width;
            struct lb_work work = {.scene = &scene,
                                   .order = &order,
                                   .range = {at - offset, at - offset + 10},
                                   .whole = {0, 100},
                                   .sample_end = 1,
                                   .offset = offset};
            struct lb_result result = {.pixels = pixels + at};
            bool lost = false;
            if (null->table->render(null, &work, &result, &lost, &error) != LB_OK) {
                assert_true(lost);
                failed++;
                break;
            }
        }
        null->table->close(null);
    }
    assert_in_range(failed, 70, 130); /* 100 expected, 8.7 the deviation */
}

/* ---- what is left to do ---- */

/* Samples that the pixels have already, in spans at random, with the sums that the marker would have made. */
static void begin_part(struct lb_part *part, const lb_scene *scene, unsigned *random)
{
    struct lb_part_subject subject = {
        .width = scene->film.width, .height = scene->film.height, .samples = scene->integrator.samples};
    struct lb_error error;
    assert_int_equal(lb_part_open(&subject, part, &error), LB_OK);
    assert_int_equal(lb_held_spread(&part->held, &error), LB_OK);
    part->pixels = calloc(part->held.count, sizeof *part->pixels);
    for (uint64_t i = 0; i < part->held.count; i++)
        for (uint32_t at = 0, end; at < subject.samples; at = end) {
            end = at + 1 + (uint32_t)rand_r(random) % (subject.samples - at);
            if (rand_r(random) % 3)
                continue;
            lb_held_with(&part->held, part->held.pixels[i], at, end, &part->held.pixels[i], &error);
            part->pixels[i].sum[0] += (int64_t)(i * (end - at));
            part->pixels[i].weight += end - at;
        }
}

/* Of the pixels of the share all the samples that were asked for, of the others what there was. */
static void expect_wished(const struct bench *bench, const struct lb_wish *wish, const uint32_t *before)
{
    const struct lb_held *held = &bench->frame.held;
    uint64_t samples = 0;
    assert_true(bench->frame.complete);
    for (uint64_t i = 0; i < held->count; i++) {
        uint32_t set = lb_held_set(held, i), size = lb_held_size(held, set, 0, UINT32_MAX);
        bool asked = !wish->share || (wish->share[i / 64] >> i % 64 & 1);
        assert_int_equal(bench->frame.pixels[i].weight, size);
        assert_int_equal(bench->frame.pixels[i].sum[0], i * size);
        if (asked)
            assert_true(lb_held_has(held, set, wish->sample_begin, wish->sample_end));
        else
            assert_int_equal(size, before[i]);
        samples += size;
    }
    assert_int_equal(bench->frame.samples, samples);
}

static void renders_what_is_missing(void **state)
{
    (void)state;
    unsigned random = 5;
    for (uint32_t round = 0; round < 80; round++) {
        struct bench bench;
        struct lb_part part;
        uint32_t width = 1 + (uint32_t)rand_r(&random) % 60, height = 1 + (uint32_t)rand_r(&random) % 40;
        uint32_t samples = 1 + (uint32_t)rand_r(&random) % 12, count = 1 + round % 5;
        uint64_t share[60 * 40 / 64 + 1];
        uint32_t before[60 * 40];
        set_up(&bench, lb_strategies[round % lb_strategy_count], count, width, height, samples);
        bench.options.growth.passes = 1 + (uint32_t)rand_r(&random) % 4;
        begin_part(&part, &bench.scene, &random);
        for (size_t i = 0; i < sizeof share / sizeof *share; i++)
            share[i] =
                (uint64_t)rand_r(&random) << 40 ^ (uint64_t)rand_r(&random) << 20 ^ (uint64_t)rand_r(&random);
        for (uint64_t i = 0; i < part.held.count; i++)
            before[i] = lb_held_size(&part.held, part.held.pixels[i], 0, UINT32_MAX);
        struct lb_wish wish = {.begun = &part, .share = round % 2 ? share : NULL};
        wish.sample_begin = (uint32_t)rand_r(&random) % samples;
        wish.sample_end = wish.sample_begin + 1 + (uint32_t)rand_r(&random) % (samples - wish.sample_begin);
        assert_int_equal(lb_run_open(&bench.options, bench.members, bench.count, &bench.run, &bench.error),
                         LB_OK);
        assert_int_equal(lb_run_frame(bench.run, &bench.scene, 0, &wish, &bench.frame, &bench.error), LB_OK);
        expect_wished(&bench, &wish, before);
        assert_null(part.pixels);
        tear_down(&bench);
    }
}

/* ---- looking while it runs ---- */

struct onlooker {
    struct bench *bench;
    atomic_bool ends;
    uint32_t looks, begun; /* begun: with some samples, not all */
};

/* Each look has, of each pixel, the sums of exactly the samples that it says it has; and never fewer than the last. */
static void *look_on(void *argument)
{
    struct onlooker *onlooker = argument;
    struct bench *bench = onlooker->bench;
    struct lb_part_subject subject = {.width = bench->scene.film.width,
                                      .height = bench->scene.film.height,
                                      .samples = bench->scene.integrator.samples};
    uint64_t before = 0;
    while (!atomic_load(&onlooker->ends)) {
        struct lb_part part;
        struct lb_error error;
        assert_int_equal(lb_run_look(bench->run, &subject, &part, &error), LB_OK);
        uint64_t samples = lb_held_samples(&part.held);
        for (uint64_t i = 0; part.pixels && i < part.held.count; i++) {
            uint32_t size = lb_held_size(&part.held, lb_held_set(&part.held, i), 0, UINT32_MAX);
            if (part.pixels[i].weight != size || part.pixels[i].sum[0] != (int64_t)(i * size))
                return "a pixel without its samples";
        }
        if (part.pixels && !marker_of(bench, 0)->fails && samples < before)
            return "less than before";
        before = part.pixels ? samples : before;
        onlooker->looks++;
        onlooker->begun += samples > 0 && samples < part.held.count * subject.samples;
        lb_part_free(&part);
    }
    return NULL;
}

static void is_looked_at_while_it_runs(void **state)
{
    (void)state;
    uint32_t begun = 0;
    for (uint32_t round = 0; round < 24; round++) {
        struct bench bench;
        void *complaint;
        pthread_t thread;
        set_up(&bench, lb_strategies[round % lb_strategy_count], 3, 90, 70, 6);
        bench.options.growth.passes = 1 + round % 3;
        bench.options.looked_at = true;
        for (uint32_t i = 0; i < bench.count; i++) {
            marker_of(&bench, i)->delay = 0.0002;
            marker_of(&bench, i)->fails = round % 2 ? 30 : 0;
        }
        struct lb_wish wish = {.sample_end = 6, .keep_held = true};
        struct onlooker onlooker = {.bench = &bench};
        assert_int_equal(lb_run_open(&bench.options, bench.members, bench.count, &bench.run, &bench.error),
                         LB_OK);
        assert_int_equal(pthread_create(&thread, NULL, look_on, &onlooker), 0);
        assert_int_equal(lb_run_frame(bench.run, &bench.scene, 0, &wish, &bench.frame, &bench.error), LB_OK);
        atomic_store(&onlooker.ends, true);
        pthread_join(thread, &complaint);
        if (complaint)
            fail_msg("%s: %s", lb_strategies[round % lb_strategy_count]->name, (const char *)complaint);
        expect_whole(&bench);
        begun += onlooker.begun;
        tear_down(&bench);
    }
    assert_true(begun > 24); /* there was something to see */
}

/* ---- where passes end ---- */

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
        cmocka_unit_test(every_strategy),
        cmocka_unit_test(losses),
        cmocka_unit_test(given_ahead),
        cmocka_unit_test(portions),
        cmocka_unit_test(lost_portion),
        cmocka_unit_test(all_lost),
        cmocka_unit_test(waiting),
        cmocka_unit_test(stalls),
        cmocka_unit_test(stops),
        cmocka_unit_test(members_come),
        cmocka_unit_test(null_devices),
        cmocka_unit_test(null_failures),
        cmocka_unit_test(stops_the_slow),
        cmocka_unit_test(renders_what_is_missing),
        cmocka_unit_test(is_looked_at_while_it_runs),
        cmocka_unit_test(passes_grow_to_the_end),
        cmocka_unit_test(time_and_noise_end_it),
        cmocka_unit_test(noise_is_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
