/* Frames over processors that mark what they render, for tests of what runs them. */
#ifndef LB_TEST_UNIT_SCHEDULE_HELP_H
#define LB_TEST_UNIT_SCHEDULE_HELP_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine/clock.h"
#include "core/run/frame.h"

enum { MOST = 16 };

/* ---- a processor that marks what it renders ---- */

struct marker {
    struct lb_processor base;
    uint32_t fails; /* per mille of the pieces */
    bool at_probes; /* it fails in pre-passes for coverage alone */
    bool loses;     /* a failure loses it */
    unsigned random;
    double delay; /* seconds a piece in which any pixel is due */
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
    bool fails =
        (uint32_t)rand_r(&marker->random) % 1000 < marker->fails && (work->coverage || !marker->at_probes);
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
    if (marker->delay > 0 && result->samples > 0)
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

/* ---- a strategy made for the tests ---- */

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

__attribute__((unused)) static const struct lb_strategy single = {.name = "single",
                                                                  .summary = "one at a time",
                                                                  .state_size = no_state,
                                                                  .plan = plan_rows,
                                                                  .next = single_next,
                                                                  .done = single_done,
                                                                  .failed = single_failed};

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

__attribute__((unused)) static enum lb_status run(struct bench *bench)
{
    assert_int_equal(
        lb_run_open(&bench->options, bench->members, bench->count, MOST, &bench->run, &bench->error), LB_OK);
    return lb_run_frame(bench->run, &bench->scene, 0, NULL, &bench->frame, &bench->error);
}

static void tear_down(struct bench *bench)
{
    lb_run_close(bench->run);
    lb_frame_free(&bench->frame);
    for (uint32_t i = 0; i < bench->count; i++)
        bench->members[i].processor->table->close(bench->members[i].processor);
}

__attribute__((unused)) static void expect_whole(const struct bench *bench)
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
        if (frame->owned)
            assert_true(frame->owned[i].samples > (float)samples - 0.01f); /* more where a range was cut */
    }
    for (uint32_t i = 0; i < bench->count; i++)
        sum += frame->report.all.processors[i].samples;
    assert_int_equal(sum, pixels * samples);
}

#endif
