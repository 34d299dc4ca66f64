/* The simulator: that its clock adds up, whoever fails, comes late or contends, and that wrong strategies are found
 * out. */
#include "simulate_help.h"
#include "core/simulate/simulate_events.h"
#include "strategies/layout.h"

/* ---- its clock ---- */

static void events_come_in_order(void **unused)
{
    struct lb_sim_events events = {0};
    struct lb_sim_event event;
    double before = -1;
    (void)unused;
    for (uint32_t i = 0; i < 5000; i++)
        assert_true(lb_sim_events_add(&events, floor(draw() * 100), i, 0));
    for (uint32_t i = 0, number = 0; i < 5000; i++) {
        assert_true(lb_sim_events_take(&events, &event));
        assert_true(event.time > before || (event.time == before && event.processor > number));
        before = event.time;
        number = event.processor;
    }
    assert_false(lb_sim_events_take(&events, &event));
    lb_sim_events_free(&events);
}

static void one_processor_takes_all_the_work(void **unused)
{
    struct lb_estimate map = {40, 30, mandelbrot(40, 30)};
    struct lb_sim_spec spec;
    (void)unused;
    assert_int_equal(lb_sim_spec_parse("1x4", &spec, NULL), LB_OK);
    spec.range_overhead = 0;
    spec.latency = 0;
    for (size_t s = 0; s < lb_strategy_count; s++) {
        struct lb_report_frame frame;
        struct lb_simulation job = make_job(lb_strategies[s]->name, &spec, &map);
        assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
        assert_true(fabs(frame.all.t - 150) < 1e-6 && fabs(frame.all.t_min - 150) < 1e-6);
        assert_int_equal(frame.all.processors[0].pixels, 1200);
        lb_report_frame_free(&frame);
    }
    lb_sim_spec_free(&spec);
    free((void *)(uintptr_t)map.cost);
}

/* Who hands over the table of the Hilbert curve is told the same as who does not. */
static void a_table_of_the_curve_changes_nothing(void **unused)
{
    struct lb_estimate map = {70, 50, hot_spot(70, 50, 30)};
    struct lb_sim_spec spec;
    (void)unused;
    assert_int_equal(lb_sim_spec_parse("3x1,1x4", &spec, NULL), LB_OK);
    for (size_t s = 0; s < lb_strategy_count; s++) {
        struct lb_report_frame with, without;
        struct lb_simulation job = make_job(lb_strategies[s]->name, &spec, &map);
        lb_option_give(&job.settings.options, &lb_option_curve,
                       (union lb_option_value){.word = LB_CURVE_HILBERT});
        assert_non_null(job.hilbert);
        assert_int_equal(lb_simulate(&job, &with, NULL, 0, NULL), LB_OK);
        job.hilbert = NULL;
        assert_int_equal(lb_simulate(&job, &without, NULL, 0, NULL), LB_OK);
        assert_true(with.all.t == without.all.t && with.all.t_min == without.all.t_min);
        for (uint32_t k = 0; k < spec.count; k++)
            assert_int_equal(with.all.processors[k].pixels, without.all.processors[k].pixels);
        lb_report_frame_free(&with);
        lb_report_frame_free(&without);
    }
    lb_sim_spec_free(&spec);
    free((void *)(uintptr_t)map.cost);
}

static void overhead_messages_and_transfer_take_time(void **unused)
{
    struct lb_estimate map = {64, 64, mandelbrot(64, 64)};
    struct lb_sim_spec spec;
    struct lb_report_frame frame;
    (void)unused;
    assert_int_equal(lb_sim_spec_parse("1", &spec, NULL), LB_OK);
    spec.range_overhead = 1;
    spec.latency = 10;
    spec.bandwidth = 32;
    spec.start_up = 1000;
    struct lb_simulation job = make_job("pool", &spec, &map);
    assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
    /* 64 rows: an overhead each, 32 bytes a pixel, two messages each but for the last result's. */
    assert_int_equal(frame.all.counts.messages, 128);
    assert_true(fabs(frame.all.t - (600 + 1000 + 64 * 1 + 4096 + 127 * 10)) < 1e-6);
    assert_true(fabs(frame.all.processors[0].transfer_seconds - 4096) < 1e-6);
    lb_report_frame_free(&frame);
    lb_sim_spec_free(&spec);
    free((void *)(uintptr_t)map.cost);
}

/* ---- failures, late joiners, births ---- */

static void failures_and_births_leave_nothing_out(void **unused)
{
    struct lb_estimate maps[3];
    (void)unused;
    for (uint32_t i = 0; i < 3; i++)
        maps[i] = (struct lb_estimate){61, 47, mandelbrot(61, 47)};
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (uint32_t turn = 0; turn < 40; turn++) {
            struct lb_sim_spec spec;
            struct lb_report_frame frames[3];
            struct lb_error error = {0};
            uint32_t doomed = 0;
            assert_int_equal(lb_sim_spec_make(2 + turn, &spec, NULL), LB_OK);
            for (uint32_t k = 1; k < spec.count; k++) {
                spec.processors[k].speed = 1 + 19 * draw();
                spec.processors[k].joins = draw() < 0.2 ? 20 * draw() : 0;
                if (draw() < 0.4) {
                    spec.processors[k].fails = 40 * draw() * draw();
                    doomed++;
                }
            }
            struct lb_simulation job = make_job(lb_strategies[s]->name, &spec, maps);
            for (int probe = LB_PROBE_NONE + 1; probe < LB_PROBES; probe++)
                job.estimates[probe] = turn % 2 ? maps : NULL;
            job.frame_count = 3;
            spec.births = (struct lb_sim_births){0.3, 20, 500};
            if (lb_simulate(&job, frames, NULL, 0, &error) != LB_OK)
                fail_msg("%s, %u processors: %s", lb_strategies[s]->name, spec.count, error.message);
            for (uint32_t i = 0; i < 3; i++) {
                assert_true(frames[i].all.lost <= doomed);
                assert_true(frames[i].all.t >= frames[i].all.t_min * 0.999);
                lb_report_frame_free(&frames[i]);
            }
            lb_sim_spec_free(&spec);
        }
    for (uint32_t i = 0; i < 3; i++)
        free((void *)(uintptr_t)maps[i].cost);
}

/* When all CPU threads are at work they are slower by the contention; one that works alone is not, and a GPU never
 * is. */
static void threads_contend(void **unused)
{
    struct lb_estimate map = {64, 64, malloc(64 * 64 * sizeof(float))};
    (void)unused;
    for (int i = 0; i < 64 * 64; i++)
        ((float *)map.cost)[i] = 1;
    static const char *const specs[] = {"1,contention=1.5", "4,contention=1.5", "contention=0.8,4", "4"};
    static const double seconds[] = {600, 600 * 1.5 / 4, 600 * 0.8 / 4, 150};
    for (int i = 0; i < 4; i++) {
        struct lb_sim_spec spec;
        struct lb_report_frame frame;
        assert_int_equal(lb_sim_spec_parse(specs[i], &spec, NULL), LB_OK);
        spec.range_overhead = spec.latency = 0;
        struct lb_simulation job = make_job("contiguous", &spec, &map);
        assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
        assert_true(fabs(frame.all.t_min / seconds[i] - 1) < 1e-9);
        assert_true(fabs(frame.all.t / seconds[i] - 1) < 0.02);
        lb_report_frame_free(&frame);
        for (uint32_t k = 0; k < spec.count; k++)
            spec.processors[k].kind = LB_PROCESSOR_GPU;
        assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
        assert_true(fabs(frame.all.t / (600.0 / spec.count) - 1) < 1e-9);
        lb_report_frame_free(&frame);
        lb_sim_spec_free(&spec);
    }
    free((void *)(uintptr_t)map.cost);
}

/* Rows in blocks of samples, dealt in random ranges. */
struct random_blocks {
    uint64_t next, count;
};

static uint32_t drawn_blocks;

static enum lb_status plan_blocks(void *own, const struct lb_plan *plan, struct lb_order *order,
                                  struct lb_error *error)
{
    (void)error;
    lb_order rows = lb_order_dealt(plan->width, plan->height, 7, 3, LB_CURVE_ROWS); /* with padding */
    *order = lb_order_split(rows, drawn_blocks);
    *(struct random_blocks *)own = (struct random_blocks){0, order->count};
    return LB_OK;
}

static enum lb_next next_block(void *own, uint32_t processor, struct lb_range *range)
{
    struct random_blocks *blocks = own;
    uint64_t left = blocks->count - blocks->next;
    (void)processor;
    range->begin = blocks->next;
    blocks->next += left > 0 ? 1 + (uint64_t)(draw() * (double)left * draw()) : 0;
    range->end = blocks->next;
    return left > 0 ? LB_NEXT_RANGE : LB_NEXT_END;
}

static size_t blocks_state(uint32_t processors)
{
    (void)processors;
    return sizeof(struct random_blocks);
}

/* A range takes what its samples of its pixels cost. */
static void check_blocks_seconds(void *user, uint32_t frame, const lb_order *order, uint32_t processor,
                                 struct lb_range range, double begin, double end)
{
    const struct lb_simulation *job = user;
    lb_order whole = lb_order_block(*order);
    double work = 0, all = 0;
    (void)frame;
    (void)processor;
    for (uint64_t i = 0; i < (uint64_t)job->width * job->height; i++)
        all += (double)job->costs->cost[i];
    for (uint64_t at = range.begin; at < range.end; at++) {
        uint64_t block = at / whole.count, pixel = lb_order_pixel(&whole, at % whole.count);
        uint32_t first = lb_order_block_sample(order, job->spec->samples, block);
        uint32_t last = lb_order_block_sample(order, job->spec->samples, block + 1);
        work += pixel == LB_NO_PIXEL ? 0 : (double)job->costs->cost[pixel] * (last - first);
    }
    work *= job->spec->total_seconds / all / job->spec->samples;
    assert_true(fabs(end - begin - job->spec->range_overhead - work) < 1e-9 * job->spec->total_seconds);
}

static void blocks_take_their_samples_time(void **unused)
{
    const struct lb_strategy blocks = {.name = "blocks",
                                       .plan = plan_blocks,
                                       .state_size = blocks_state,
                                       .next = next_block,
                                       .done = ignore_done};
    (void)unused;
    for (int i = 0; i < 60; i++) {
        uint32_t width = 1 + (uint32_t)(40 * draw()), height = 1 + (uint32_t)(40 * draw());
        struct lb_estimate map = {width, height, hot_spot(width, height, 50)};
        struct lb_sim_spec spec;
        struct lb_report_frame frame;
        assert_int_equal(lb_sim_spec_parse("2x1,1x3", &spec, NULL), LB_OK);
        spec.samples = 1 + (uint32_t)(100 * draw());
        drawn_blocks = 1 + (uint32_t)(spec.samples * draw());
        struct lb_simulation job = make_job("pool", &spec, &map);
        job.settings.strategy = &blocks;
        job.delivered = check_blocks_seconds;
        job.user = &job;
        spec.processors[2].speed = 1;
        assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
        uint64_t pixels = 0;
        for (uint32_t k = 0; k < spec.count; k++)
            pixels += frame.all.processors[k].pixels;
        assert_int_equal(pixels, width * height);
        lb_report_frame_free(&frame);
        drawn_blocks = spec.samples + 1;
        assert_int_not_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
        lb_report_frame_free(&frame);
        lb_sim_spec_free(&spec);
        free((void *)(uintptr_t)map.cost);
    }
}

/* A strategy that gives a range twice, or never, is found out. */
static enum lb_next twice(void *own, uint32_t processor, struct lb_range *range)
{
    uint64_t *calls = own;
    (void)processor;
    *range = (struct lb_range){0, 64 * 64};
    return (*calls)++ < 2 ? LB_NEXT_RANGE : LB_NEXT_END;
}

static enum lb_next never(void *own, uint32_t processor, struct lb_range *range)
{
    (void)own;
    (void)processor;
    (void)range;
    return LB_NEXT_END;
}

static enum lb_next sleepy(void *own, uint32_t processor, struct lb_range *range)
{
    (void)own;
    (void)processor;
    (void)range;
    return LB_NEXT_WAIT;
}

static void wrong_strategies_are_found_out(void **unused)
{
    enum lb_next (*const wrong[])(void *, uint32_t, struct lb_range *) = {twice, never, sleepy};
    static const char *const words[] = {"twice", "never", "wait"};
    struct lb_estimate map = {64, 64, mandelbrot(64, 64)};
    struct lb_sim_spec spec;
    (void)unused;
    assert_int_equal(lb_sim_spec_parse("2", &spec, NULL), LB_OK);
    for (uint32_t i = 0; i < 3; i++) {
        struct lb_strategy bad = {.name = "bad",
                                  .state_size = small_state,
                                  .plan = plan_rows,
                                  .next = wrong[i],
                                  .done = ignore_done};
        struct lb_simulation job = make_job("pool", &spec, &map);
        struct lb_report_frame frame;
        struct lb_error error = {0};
        job.settings.strategy = &bad;
        assert_int_equal(lb_simulate(&job, &frame, NULL, 0, &error), LB_ERROR);
        assert_non_null(strstr(error.message, words[i]));
        lb_report_frame_free(&frame);
    }
    lb_sim_spec_free(&spec);
    free((void *)(uintptr_t)map.cost);
}

/* ---- a strategy that gives each but the last as much, and half of what one has left to whoever waits ---- */

struct giver {
    uint64_t outstanding, share, cuts;
    struct lb_range rest;
};

static size_t giver_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct giver);
}

static enum lb_status giver_plan(void *own, const struct lb_plan *plan, struct lb_order *order,
                                 struct lb_error *error)
{
    enum lb_status status = plan_rows(own, plan, order, error);
    *(struct giver *)own =
        (struct giver){order->count, order->count / (plan->processor_count - 1), 0, {0, order->count}};
    return status;
}

static enum lb_next giver_next(void *own, uint32_t processor, struct lb_range *range)
{
    struct giver *giver = own;
    (void)processor;
    *range = giver->rest;
    if (range->end - range->begin > giver->share)
        range->end = range->begin + giver->share;
    giver->rest.begin = range->end;
    if (range->begin < range->end)
        return LB_NEXT_RANGE;
    return giver->outstanding > 0 ? LB_NEXT_WAIT : LB_NEXT_END;
}

static void giver_done(void *own, uint32_t processor, struct lb_range range, double seconds)
{
    (void)processor, (void)seconds;
    ((struct giver *)own)->outstanding -= range.end - range.begin;
}

static uint64_t giver_cut(void *own, uint32_t processor, struct lb_range range, uint64_t positions,
                          double seconds)
{
    struct giver *giver = own;
    uint64_t done = range.begin + positions;
    (void)processor, (void)seconds;
    if (giver->rest.begin < giver->rest.end)
        return range.end;
    giver->rest = (struct lb_range){done + (range.end - done) / 2, range.end};
    giver->cuts++;
    return giver->rest.begin;
}

static bool giver_ready(const void *own)
{
    const struct giver *giver = own;
    return giver->rest.begin < giver->rest.end || giver->outstanding == 0;
}

static void giver_counts(const void *own, struct lb_strategy_counts *counts)
{
    *counts = (struct lb_strategy_counts){.messages = ((const struct giver *)own)->cuts};
}

/* As a thread that renders a range in one piece does not look up meanwhile, such a range is not cut. */
static void ranges_shorter_than_a_piece_are_not_cut(void **unused)
{
    const struct lb_strategy giver = {.name = "giver",
                                      .state_size = giver_size,
                                      .plan = giver_plan,
                                      .next = giver_next,
                                      .done = giver_done,
                                      .cut = giver_cut,
                                      .ready = giver_ready,
                                      .counts = giver_counts};
    struct lb_estimate map = {64, 64, mandelbrot(64, 64)};
    struct lb_sim_spec spec;
    (void)unused;
    assert_int_equal(lb_sim_spec_parse("17", &spec, NULL), LB_OK);
    for (uint32_t is_long = 0; is_long < 2; is_long++) {
        struct lb_report_frame frame;
        spec.total_seconds = is_long ? 64 : 0.064;
        struct lb_simulation job = make_job("pool", &spec, &map);
        job.settings.strategy = &giver;
        assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
        assert_int_equal(frame.all.counts.messages > 0, is_long);
        assert_int_equal(frame.all.processors[16].pixels > 0, is_long);
        lb_report_frame_free(&frame);
    }
    lb_sim_spec_free(&spec);
    free((void *)(uintptr_t)map.cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_in_order),
        cmocka_unit_test(one_processor_takes_all_the_work),
        cmocka_unit_test(a_table_of_the_curve_changes_nothing),
        cmocka_unit_test(overhead_messages_and_transfer_take_time),
        cmocka_unit_test(failures_and_births_leave_nothing_out),
        cmocka_unit_test(threads_contend),
        cmocka_unit_test(blocks_take_their_samples_time),
        cmocka_unit_test(wrong_strategies_are_found_out),
        cmocka_unit_test(ranges_shorter_than_a_piece_are_not_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
