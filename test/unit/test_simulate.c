/* The simulator: what it reads, that its clock adds up, and how well strategies do on costs computed here. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/simulate/simulate.h"
#include "core/simulate/simulate_ahead.h"
#include "core/simulate/simulate_events.h"
#include "core/simulate/simulate_host.h"
#include "strategies/layout.h"

static uint64_t state = 0xa4093822299f31d0u;

static double draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* ---- maps ---- */

static float *mandelbrot(uint32_t width, uint32_t height)
{
    float *cost = malloc((size_t)width * height * sizeof *cost);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            double a = -0.5 + 3.0 * (x + 0.5 - width / 2.0) / width;
            double b = 3.0 * (y + 0.5 - height / 2.0) / width, u = 0, v = 0;
            int i = 0;
            for (; i < 256 && u * u + v * v <= 4; i++) {
                double next = u * u - v * v + a;
                v = 2 * u * v + b;
                u = next;
            }
            cost[(size_t)y * width + x] = (float)(i + 1);
        }
    return cost;
}

/* A spot of a hundredth of the picture, `dear` times as dear as the rest: the book's headlight. */
static float *hot_spot(uint32_t width, uint32_t height, double dear)
{
    float *cost = malloc((size_t)width * height * sizeof *cost);
    double radius = sqrt(0.01 * width * height / 3.14159265);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            double d = hypot(x - 0.25 * width, y - 0.75 * height) / radius;
            double base = d < 1 ? dear * (1.2 - 0.4 * d) : 1 + 0.1 * dear / (1 + 20 * d * d);
            cost[(size_t)y * width + x] = (float)(base * (0.8 + 0.4 * draw()));
        }
    return cost;
}

static struct lb_simulation make_job(const char *strategy, const struct lb_sim_spec *spec,
                                     const struct lb_estimate *map)
{
    return (struct lb_simulation){.spec = spec,
                                  .settings.strategy = lb_strategy_find(strategy),
                                  .width = map->width,
                                  .height = map->height,
                                  .costs = map,
                                  .frame_count = 1};
}

static double efficiency_of(const struct lb_simulation *job, uint32_t frame)
{
    struct lb_report_frame *frames = calloc(job->frame_count, sizeof *frames);
    struct lb_error error = {0};
    if (lb_simulate(job, frames, NULL, 0, &error) != LB_OK)
        fail_msg("%s", error.message);
    double efficiency = frames[frame].all.efficiency;
    for (uint32_t i = 0; i < job->frame_count; i++)
        lb_report_frame_free(&frames[i]);
    free(frames);
    return efficiency;
}

/* ---- what it reads ---- */

static void specs_are_read(void **unused)
{
    struct lb_sim_spec spec;
    (void)unused;
    assert_int_equal(lb_sim_spec_parse("64", &spec, NULL), LB_OK);
    assert_int_equal(spec.count, 64);
    assert_true(spec.processors[63].speed == 1 && spec.total_seconds == 600);
    assert_true(spec.latency == 50e-6 && spec.range_overhead == 20e-6);
    lb_sim_spec_free(&spec);
    assert_int_equal(lb_sim_spec_parse("4x1,2x8.5", &spec, NULL), LB_OK);
    assert_int_equal(spec.count, 6);
    assert_true(spec.processors[3].speed == 1 && spec.processors[5].speed == 8.5);
    lb_sim_spec_free(&spec);
}

static void bad_specs_are_refused(void **unused)
{
    static const char *const texts[] = {"",
                                        "0",
                                        "x",
                                        "4x",
                                        "4x0",
                                        "4x-1",
                                        "4x1,",
                                        ",4",
                                        "4 x 1",
                                        "1e3",
                                        "nan",
                                        "4xinf",
                                        "4x1x2",
                                        "-3",
                                        "4;2",
                                        "99999999999999",
                                        "none.json",
                                        "contention=2",
                                        "4,contention=",
                                        "4,contention=0",
                                        "4,contention=x",
                                        "4,contention=1.5x",
                                        "4,contention=2,"};
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct lb_sim_spec spec;
        struct lb_error error = {0};
        assert_int_not_equal(lb_sim_spec_parse(texts[i], &spec, &error), LB_OK);
        assert_true(strlen(error.message) > 0);
        assert_null(spec.processors);
    }
}

static enum lb_status parse_json(const char *text, struct lb_sim_spec *spec, struct lb_error *error)
{
    char path[] = "/tmp/lb-spec-XXXXXX.json";
    int file = mkstemps(path, 5);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    enum lb_status status = lb_sim_spec_parse(path, spec, error);
    unlink(path);
    return status;
}

static void json_specs_are_read(void **unused)
{
    struct lb_sim_spec spec;
    struct lb_error error = {0};
    (void)unused;
    assert_int_equal(parse_json("{\"processors\": \"3x2\", \"jitter\": 0.5}", &spec, &error), LB_OK);
    assert_int_equal(spec.count, 3);
    assert_true(spec.jitter == 0.5 && spec.processors[0].speed == 2 && isinf(spec.processors[0].fails));
    lb_sim_spec_free(&spec);
    assert_int_equal(
        parse_json("{\"total_seconds\": 10, \"start_up\": 1, \"range_overhead\": 0, \"latency\": 0,"
                   "\"bandwidth\": 1e9, \"processors\": [{\"count\": 2, \"speed\": 4, \"kind\": "
                   "\"cuda\", \"group\": 7}, {\"joins\": 2.5, \"fails\": 3}]}",
                   &spec, &error),
        LB_OK);
    assert_int_equal(spec.count, 3);
    assert_int_equal(spec.processors[1].kind, LB_PROCESSOR_CUDA);
    assert_true(spec.contention == 1 && spec.births.positions == 0);
    assert_int_equal(spec.processors[1].group, 7);
    assert_true(spec.processors[2].joins == 2.5 && spec.processors[2].fails == 3 && spec.start_up == 1);
    lb_sim_spec_free(&spec);
    assert_int_equal(
        parse_json("{\"processors\": \"3,contention=1.5\", \"births\": {\"chance\": 0.5, \"most\": 9, "
                   "\"positions\": 80}}",
                   &spec, &error),
        LB_OK);
    assert_true(spec.contention == 1.5 && spec.births.chance == 0.5);
    assert_true(spec.births.most == 9 && spec.births.positions == 80);
    lb_sim_spec_free(&spec);
    assert_int_equal(
        parse_json(
            "{\"processors\": \"2\", \"block\": 3e8, \"primary_bandwidth\": 1e9, \"silence\": 1, "
            "\"hosts\": [{\"count\": 3, \"cores\": 64, \"speed\": 2, \"latency\": 0.05, \"bandwidth\": 1e7, "
            "\"loss\": 0.01}, {\"joins\": 4, \"fails\": 9, \"group\": 2}]}",
            &spec, &error),
        LB_OK);
    assert_int_equal(spec.count, 6);
    const struct lb_sim_processor *host = &spec.processors[2];
    assert_true(spec.processors[1].cores == 0 && host->cores == 64 && host->speed == 2);
    assert_true(host->link.latency == 0.05 && host->link.bandwidth == 1e7 && host->link.loss == 0.01);
    assert_true(spec.block == 3e8 && spec.primary_bandwidth == 1e9 && spec.silence == 1 && spec.samples == 1);
    assert_true(host[3].cores == 1 && host[3].joins == 4 && host[3].fails == 9 && host[3].group == 2);
    lb_sim_spec_free(&spec);
    assert_int_equal(parse_json("{\"hosts\": [{\"cores\": 2}]}", &spec, &error), LB_OK);
    assert_int_equal(spec.count, 1);
    lb_sim_spec_free(&spec);
}

static void bad_json_specs_are_refused(void **unused)
{
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"processors\": []}",
        "{\"processors\": 4}",
        "{\"processors\": [4]}",
        "{\"processors\": \"4\", \"latency\": -1}",
        "{\"processors\": \"4\", \"latency\": \"x\"}",
        "{\"processors\": \"4\", \"total_seconds\": 0}",
        "{\"processors\": \"4\", \"lateness\": 1}",
        "{\"processors\": \"4\", \"processors\": \"4\"}",
        "{\"processors\": [{\"speed\": 0}]}",
        "{\"processors\": [{\"kind\": \"abacus\"}]}",
        "{\"processors\": [{\"colour\": 1}]}",
        "{\"processors\": \"4\", \"contention\": 0}",
        "{\"hosts\": []}",
        "{\"hosts\": \"4\"}",
        "{\"hosts\": [{\"cores\": 0}]}",
        "{\"hosts\": [{\"cores\": 1.5}]}",
        "{\"hosts\": [{\"loss\": 0.9}]}",
        "{\"hosts\": [{\"bandwidth\": 0.5}]}",
        "{\"hosts\": [{\"kind\": \"cpu\"}]}",
        "{\"processors\": \"4\", \"block\": -1}",
        "{\"processors\": \"4\", \"primary_bandwidth\": 0.5}",
        "{\"processors\": \"4\", \"births\": 3}",
        "{\"processors\": \"4\", \"births\": {\"chance\": 1.5}}",
        "{\"processors\": \"4\", \"births\": {\"most\": 0}}",
        "{\"processors\": \"4\", \"births\": {\"positions\": 1.5}}",
        "{\"processors\": \"4\", \"births\": {\"twins\": 1}}",
    };
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct lb_sim_spec spec;
        struct lb_error error = {0};
        assert_int_not_equal(parse_json(texts[i], &spec, &error), LB_OK);
        assert_true(strlen(error.message) > 0);
    }
}

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

/* ---- other hosts ---- */

static struct lb_sim_spec hosts_made(uint32_t count, uint32_t cores)
{
    struct lb_sim_spec spec;
    assert_int_equal(lb_sim_spec_make(count, &spec, NULL), LB_OK);
    spec.samples = 1;
    for (uint32_t k = 0; k < count; k++)
        spec.processors[k].cores = cores;
    return spec;
}

static double t_of(const char *strategy, const struct lb_sim_spec *spec, const struct lb_estimate *map,
                   uint32_t *lost)
{
    struct lb_simulation job = make_job(strategy, spec, map);
    struct lb_report_frame frame;
    struct lb_error error = {0};
    if (lb_simulate(&job, &frame, NULL, 0, &error) != LB_OK)
        fail_msg("%s: %s", strategy, error.message);
    uint64_t pixels = 0;
    double t = frame.all.t;
    for (uint32_t k = 0; k < spec->count; k++)
        pixels += frame.all.processors[k].pixels;
    assert_int_equal(pixels, (uint64_t)map->width * map->height);
    *lost = (uint32_t)frame.all.lost;
    lb_report_frame_free(&frame);
    return t;
}

/* A link whose times are long is felt by who gives ranges one by one, and hardly by who asks ahead. */
static void hosts_ask_ahead(void **unused)
{
    (void)unused;
    struct lb_estimate map = {256, 192, mandelbrot(256, 192)};
    struct lb_sim_spec spec = hosts_made(8, 4);
    uint32_t lost;
    spec.total_seconds = 320; /* ten seconds for eight hosts of four */
    double without = t_of("auto", &spec, &map, &lost);
    assert_true(without > 10 && without < 10.5);
    for (uint32_t k = 0; k < 8; k++)
        spec.processors[k].link = (struct lb_sim_link){.latency = 0.025, .bandwidth = 12.5e6};
    double with = t_of("auto", &spec, &map, &lost);
    assert_true(with > without && with < without * 1.05);
    assert_int_equal(lost, 0);
    /* Losses make a link slow. */
    for (uint32_t k = 0; k < 8; k++)
        spec.processors[k].link.loss = 0.3;
    assert_true(t_of("auto", &spec, &map, &lost) > with);
    lb_sim_spec_free(&spec);
    free(map.cost);
}

/* A range ends with its dearest pixel on one of the host's processors, in any order of pixels, whole or split. */
static void processors_of_a_host(void **unused)
{
    (void)unused;
    enum { SIDE = 20 };
    float *costs = mandelbrot(SIDE, SIDE);
    struct lb_estimate map = {SIDE, SIDE, costs};
    for (uint32_t turn = 0; turn < 2000; turn++) {
        struct lb_sim_work work = {.capacity = 0};
        struct lb_sim_processor host = {.speed = 2, .cores = 1 + turn % 7};
        lb_order order = turn % 3 ? lb_order_reversed(SIDE, SIDE, 1 + turn % 5, LB_CURVE_ROWS)
                                  : lb_order_shuffled(SIDE, SIDE, 8, turn);
        assert_int_equal(lb_sim_work_lay(&work, &order, 1, NULL, &map, 1, NULL), LB_OK);
        assert_true(lb_sim_work_index(&work));
        uint64_t begin = (uint64_t)(draw() * (double)order.count);
        uint64_t end = begin + 1 + (uint64_t)(draw() * (double)(order.count - begin));
        double sum = 0, most = 0;
        end = end > order.count ? order.count : end;
        for (uint64_t i = begin; i < end; i++) {
            uint64_t pixel = lb_order_pixel(&order, i);
            double cost = pixel == LB_NO_PIXEL ? 0 : (double)costs[pixel];
            sum += cost;
            most = fmax(most, cost);
        }
        double wanted = (sum / host.cores + (1 - 1.0 / host.cores) * most) / 2;
        struct lb_range range = {begin, end};
        double got = lb_sim_host_seconds(&host, &work, range) + lb_sim_host_tail(&host, &work, range);
        assert_true(fabs(got - wanted) < 1e-6 * sum + 1e-9);
        lb_sim_work_free(&work);
    }
    free(costs);
}

/* The block comes by a chain: one copy on the primary's link for as many as sixteen hosts, and two for any more. */
static void blocks_come_by_chains(void **unused)
{
    (void)unused;
    float flat[64];
    for (int i = 0; i < 64; i++)
        flat[i] = 1;
    struct lb_estimate map = {8, 8, flat};
    uint32_t lost;
    double t[5];
    static const uint32_t counts[5] = {1, 16, 17, 33, 5000};
    for (int i = 0; i < 5; i++) {
        struct lb_sim_spec spec = hosts_made(counts[i], 1);
        spec.total_seconds = 1e-3;
        spec.range_overhead = spec.latency = 0;
        spec.block = 300e6;
        spec.primary_bandwidth = 12.5e6;
        for (uint32_t k = 0; k < counts[i]; k++)
            spec.processors[k].link.bandwidth = 12.5e6;
        t[i] = t_of("pool", &spec, &map, &lost);
        lb_sim_spec_free(&spec);
    }
    assert_true(t[0] > 24 && t[0] < 24.1);
    assert_true(t[1] > t[0] && t[1] < 24.3);
    for (int i = 2; i < 5; i++)
        assert_true(t[i] > 48 && t[i] < 48.5);
}

/* A host that is lost costs what it had in hand and the time until that is noticed; a late one takes part. Nothing is
 * left out under any strategy. */
static void hosts_are_lost_and_late(void **unused)
{
    (void)unused;
    struct lb_estimate map = {96, 64, mandelbrot(96, 64)};
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (int turn = 0; turn < 6; turn++) {
            struct lb_sim_spec spec = hosts_made(5, 3);
            uint32_t lost;
            spec.total_seconds = 150;
            spec.block = 1e6;
            for (uint32_t k = 0; k < 5; k++) {
                struct lb_sim_processor *one = &spec.processors[k];
                one->link = (struct lb_sim_link){0.01 * draw(), turn % 2 ? 1e6 : 0, turn % 3 ? 0.05 : 0};
                one->joins = k == 4 ? 5 : 0;
                one->fails = k == 1 || k == 2 ? 8 * draw() : INFINITY;
                one->cores = k == 3 ? 0 : one->cores;
            }
            double t = t_of(lb_strategies[s]->name, &spec, &map, &lost);
            assert_int_equal(lost, 2);
            assert_true(t > 10 && t < 150);
            lb_sim_spec_free(&spec);
        }
    free(map.cost);
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
            spec.processors[k].kind = LB_PROCESSOR_CUDA;
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

static void ignore_done(void *own, uint32_t processor, struct lb_range range, double seconds)
{
    (void)own;
    (void)processor;
    (void)range;
    (void)seconds;
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

/* Seconds that the dearest of all positions takes the slowest processor, pixels being split into so many blocks. */
static double dearest_seconds(const struct lb_simulation *job, uint32_t blocks)
{
    double sum = 0, most = 0, slowest = INFINITY;
    for (size_t i = 0; i < (size_t)job->width * job->height; i++) {
        sum += (double)job->costs->cost[i];
        most = fmax(most, (double)job->costs->cost[i]);
    }
    for (uint32_t k = 0; k < job->spec->count; k++)
        slowest = fmin(slowest, job->spec->processors[k].speed);
    return most / sum * job->spec->total_seconds / blocks / slowest;
}

/* Graham's bound, for processors of any speeds: where none is idle until the last range begins, which takes `last`
 * seconds, T is at most that and Tmin, with what ranges and messages take beside their work. */
static double graham_seconds(const struct lb_simulation *job, const struct lb_report_balance *all,
                             double last)
{
    const struct lb_sim_spec *spec = job->spec;
    double speeds = 0, ranges = 0, weighted = 0;
    for (uint32_t k = 0; k < spec->count; k++) {
        double count = (double)all->processors[k].ranges;
        speeds += spec->processors[k].speed;
        ranges += count;
        weighted += count * spec->processors[k].speed;
    }
    double each = spec->range_overhead + spec->latency * (double)all->counts.messages / ranges;
    return all->t_min + each * weighted / speeds + last;
}

/* Half of all cost in a spot, of which a pixel is much of the frame: its samples are split, so that nobody is idle for
 * longer than one position may take; under push two, as the idle wait until somebody has ended one and draws them. */
static void dear_pixels_are_split(void **unused)
{
    static const char *const names[] = {"auto", "hierarchical", "peers", "steal", "push"};
    static const double positions[] = {1, 1, 1, 1, 2};
    struct lb_estimate map = {256, 256, hot_spot(256, 256, 100)};
    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lb_sim_spec spec;
        struct lb_report_frame frame;
        assert_int_equal(lb_sim_spec_parse("200x1,100x7,100x20", &spec, NULL), LB_OK);
        struct lb_simulation job = make_job(names[i], &spec, &map);
        struct lb_plan plan = {
            .width = map.width, .height = map.height, .processor_count = spec.count, .samples = spec.samples};
        double dearest = dearest_seconds(&job, lb_layout_blocks(&plan));
        assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
        assert_true(frame.all.t <= graham_seconds(&job, &frame.all, positions[i] * dearest));
        double split = frame.all.efficiency;
        lb_report_frame_free(&frame);
        spec.samples = 1;
        assert_true(efficiency_of(&job, 0) < split);
        lb_sim_spec_free(&spec);
    }
    free((void *)(uintptr_t)map.cost);
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

static enum lb_status plan_rows(void *own, const struct lb_plan *plan, struct lb_order *order,
                                struct lb_error *error)
{
    (void)own;
    (void)error;
    *order = lb_order_curve(plan->width, plan->height, LB_CURVE_ROWS);
    return LB_OK;
}

static size_t small_state(uint32_t processors)
{
    (void)processors;
    return 8;
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

/* ---- how well ---- */

static double efficiency(const char *strategy, const struct lb_estimate *map, uint32_t p, double fastest,
                         bool known, uint64_t region, enum lb_curve curve)
{
    struct lb_sim_spec spec;
    double *weights = calloc(p, sizeof *weights);
    assert_int_equal(lb_sim_spec_make(p, &spec, NULL), LB_OK);
    for (uint32_t k = 0; k < p; k++)
        weights[k] = spec.processors[k].speed = 1 + (fastest - 1) * draw();
    struct lb_simulation job = make_job(strategy, &spec, map);
    if (region > 0)
        lb_option_give(&job.settings.options, &lb_option_region_size,
                       (union lb_option_value){.whole = region});
    lb_option_give(&job.settings.options, &lb_option_curve, (union lb_option_value){.word = curve});
    job.weights = known ? weights : NULL;
    double result = efficiency_of(&job, 0);
    lb_sim_spec_free(&spec);
    free(weights);
    return result;
}

static void assert_auto_is_good(const struct lb_estimate *map)
{
    static const uint32_t counts[] = {1, 2, 3, 7, 16, 31, 64};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        assert_true(efficiency("auto", map, counts[i], 1, false, 0, LB_CURVE_ROWS) >= 0.99);
        assert_true(efficiency("auto", map, counts[i], 20, false, 0, LB_CURVE_ROWS) >= 0.98);
    }
}

static void auto_is_near_the_ideal(void **unused)
{
    struct lb_estimate maps[2] = {{1024, 1024, mandelbrot(1024, 1024)},
                                  {1920, 1080, hot_spot(1920, 1080, 30)}};
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        assert_auto_is_good(&maps[i]);
        assert_true(efficiency("auto", &maps[i], 1024, 1, false, 0, LB_CURVE_ROWS) >= 0.95);
        assert_true(efficiency("auto", &maps[i], 1024, 20, false, 0, LB_CURVE_ROWS) >= 0.95);
        assert_true(efficiency("bitrev", &maps[i], 16, 20, true, 4, LB_CURVE_HILBERT) >= 0.97);
        assert_true(efficiency("bitrev", &maps[i], 64, 1, true, 4, LB_CURVE_HILBERT) >= 0.95);
        free((void *)(uintptr_t)maps[i].cost);
    }
}

/* What a range is planned to take at least (lbrender-strategies(7)): a part of the time so far, or so many seconds. One
 * may turn out twice as dear. */
static const double LEAST_PART = 0.002, LEAST_SECONDS = 2.5e-4;

/* No group is left with a range that the others could have helped with: hierarchical keeps to Graham's bound. Of peers,
 * whose primaries know of each other only by asking, a part of T is asked for. */
static void check_groups(const char *strategy, const struct lb_estimate *map, uint32_t p, uint32_t group,
                         double fastest)
{
    struct lb_sim_spec spec;
    struct lb_report_frame frame;
    assert_int_equal(lb_sim_spec_make(p, &spec, NULL), LB_OK);
    for (uint32_t k = 0; k < p; k++) {
        spec.processors[k].speed = 1 + (fastest - 1) * draw();
        spec.processors[k].group = k / group;
    }
    struct lb_simulation job = make_job(strategy, &spec, map);
    struct lb_plan plan = {map->width, map->height, p, .samples = spec.samples};
    assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
    if (strcmp(strategy, "hierarchical") == 0) {
        double last = 2 * fmax(LEAST_PART * frame.all.t_min, LEAST_SECONDS);
        last += dearest_seconds(&job, lb_layout_blocks(&plan));
        assert_true(frame.all.t <= graham_seconds(&job, &frame.all, last));
    } else {
        assert_true(frame.all.efficiency >= (p > 200 && fastest > 1 ? 0.94 : 0.95));
    }
    lb_report_frame_free(&frame);
    lb_sim_spec_free(&spec);
}

static void groups_end_together(void **unused)
{
    static const char *const names[] = {"hierarchical", "peers"};
    static const uint32_t sizes[] = {2, 8, 32};
    struct lb_estimate maps[2] = {{1024, 1024, mandelbrot(1024, 1024)},
                                  {1920, 1080, hot_spot(1920, 1080, 30)}};
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t p = 8; p <= 1024; p *= 5)
            for (uint32_t s = 0; s < 3; s++)
                for (uint32_t n = 0; n < 2; n++) {
                    check_groups(names[n], &maps[i], p, sizes[s], 1);
                    check_groups(names[n], &maps[i], p, sizes[s], 20);
                }
        free((void *)(uintptr_t)maps[i].cost);
    }
}

/* One processor that is 20 times as slow as the others, or as fast, of equal ranges to begin with: under steal and push
 * the others are as good as done with it; nearly so where it is a thread beside a GPU of 200. */
static void the_odd_one_is_not_waited_for(void **unused)
{
    static const char *const names[] = {"steal", "push"};
    static const char *const specs[] = {"1x1,7x20", "12x20,1x1", "30x20,1x1,21x20",
                                        "1x20,7x1", "12x1,1x20", "1x1,1x200"};
    struct lb_estimate maps[2] = {{700, 500, mandelbrot(700, 500)}, {640, 360, hot_spot(640, 360, 30)}};
    (void)unused;
    for (size_t i = 0; i < 2 * 2 * sizeof specs / sizeof *specs; i++) {
        struct lb_sim_spec spec;
        assert_int_equal(lb_sim_spec_parse(specs[i / 4], &spec, NULL), LB_OK);
        struct lb_sim_processor *last = &spec.processors[spec.count - 1];
        last->kind = last->speed > 20 ? LB_PROCESSOR_CUDA : LB_PROCESSOR_CPU;
        struct lb_simulation job = make_job(names[i / 2 % 2], &spec, &maps[i % 2]);
        assert_true(efficiency_of(&job, 0) >= (last->speed > 20 ? 0.9 : 0.95));
        lb_sim_spec_free(&spec);
    }
    free((void *)(uintptr_t)maps[0].cost);
    free((void *)(uintptr_t)maps[1].cost);
}

/* Speeds 1 : 3 : 9 that nobody knows: sampled measures them in the first frame's sample. */
static void sampled_learns(void **unused)
{
    struct lb_estimate maps[12];
    struct lb_sim_spec spec;
    (void)unused;
    for (uint32_t i = 0; i < 12; i++)
        maps[i] = (struct lb_estimate){640, 360, i == 0 ? mandelbrot(640, 360) : maps[0].cost};
    assert_int_equal(lb_sim_spec_parse("1x1,1x3,1x9", &spec, NULL), LB_OK);
    struct lb_simulation job = make_job("sampled", &spec, maps);
    job.frame_count = 12;
    assert_true(efficiency_of(&job, 0) > 0.95);
    assert_true(efficiency_of(&job, 11) > 0.97);
    lb_sim_spec_free(&spec);
    assert_int_equal(lb_sim_spec_parse("8", &spec, NULL), LB_OK);
    job.spec = &spec;
    assert_true(efficiency_of(&job, 3) >= 0.97);
    job.known_costs = true;
    assert_true(efficiency_of(&job, 0) >= 0.99);
    lb_sim_spec_free(&spec);
    free((void *)(uintptr_t)maps[0].cost);
}

/* Feedback from frame to frame makes robles and diffusion better. */
static void feedback_helps(void **unused)
{
    static const char *const names[] = {"robles", "diffusion"};
    struct lb_estimate maps[16];
    struct lb_sim_spec spec;
    (void)unused;
    for (uint32_t i = 0; i < 16; i++)
        maps[i] = (struct lb_estimate){320, 180, i == 0 ? mandelbrot(320, 180) : maps[0].cost};
    assert_int_equal(lb_sim_spec_parse("8", &spec, NULL), LB_OK);
    for (uint32_t i = 0; i < 2; i++) {
        struct lb_simulation job = make_job(names[i], &spec, maps);
        job.frame_count = 16;
        assert_true(efficiency_of(&job, 15) > 1.2 * efficiency_of(&job, 0));
    }
    lb_sim_spec_free(&spec);
    free((void *)(uintptr_t)maps[0].cost);
}

/* ---- processors that ask ahead ---- */

/* Who asks while it works does so at the end of a position, as soon as it has looked there and what is left should take
 * no longer than the answer; and what the positions behind that one cost makes no difference. */
static void nobody_knows_what_lies_ahead(void **unused)
{
    enum { SIDE = 24, COUNT = SIDE * SIDE };
    uint32_t asked = 0;
    (void)unused;
    for (int turn = 0; turn < 4000; turn++) {
        float costs[COUNT];
        for (int i = 0; i < COUNT; i++)
            costs[i] = (float)(draw() < 0.05 ? 30 * draw() : draw());
        struct lb_estimate map = {SIDE, SIDE, costs};
        struct lb_sim_work work = {.capacity = 0};
        lb_order order = lb_order_curve(SIDE, SIDE, LB_CURVE_ROWS);
        uint64_t begin = (uint64_t)(draw() * COUNT),
                 end = begin + 1 + (uint64_t)(draw() * (double)(COUNT - begin));
        struct lb_range range = {begin, end < COUNT ? end : COUNT};
        struct lb_sim_rate rate = {draw() < 0.5 ? 0 : draw(), 0.1 + draw()};
        struct lb_sim_progress before = {0, 0};
        if (draw() < 0.5)
            before = (struct lb_sim_progress){100, 100 * draw()};
        double lead = 40 * draw() * draw();
        struct lb_sim_progress progress, again;
        assert_int_equal(lb_sim_work_lay(&work, &order, 1, NULL, &map, 1, NULL), LB_OK);
        if (lb_sim_ahead(&work, range, rate, &before, lead, &progress)) {
            uint64_t at = range.begin + progress.positions, left = range.end - at;
            assert_true(progress.positions >= 1 && left >= 1);
            double seconds = rate.beginning;
            for (uint64_t i = range.begin; i < at; i++)
                seconds += (double)costs[i] * rate.each;
            assert_true(fabs(progress.seconds - seconds) < 1e-6 * seconds + 1e-9);
            double each = (before.seconds + seconds) / (double)(before.positions + progress.positions);
            assert_true((double)left * each <= lead * (1 + 1e-6));
            for (uint64_t i = at; i < COUNT; i++)
                costs[i] = (float)(100 * draw());
            assert_int_equal(lb_sim_work_lay(&work, &order, 1, NULL, &map, 1, NULL), LB_OK);
            assert_true(lb_sim_ahead(&work, range, rate, &before, lead, &again));
            assert_int_equal(again.positions, progress.positions);
            assert_true(again.seconds == progress.seconds);
            asked++;
        }
        lb_sim_work_free(&work);
    }
    assert_true(asked > 1000);
}

/* Deals ranges of a size to whoever asks, and sends a message for each question and each answer. */
static struct lb_strategy_counts dealt_counts;
static uint64_t dealt_size, dealt_next, dealt_count;

static enum lb_status plan_dealt(void *own, const struct lb_plan *plan, struct lb_order *order,
                                 struct lb_error *error)
{
    dealt_counts = (struct lb_strategy_counts){0};
    dealt_next = 0;
    enum lb_status status = plan_rows(own, plan, order, error);
    dealt_count = order->count;
    return status;
}

static enum lb_next next_dealt(void *own, uint32_t processor, struct lb_range *range)
{
    (void)own;
    (void)processor;
    if (dealt_next == dealt_count)
        return LB_NEXT_END;
    *range = (struct lb_range){dealt_next, dealt_next + dealt_size};
    dealt_next += dealt_size;
    dealt_counts.messages++;
    return LB_NEXT_RANGE;
}

static void note_progress(void *own, uint32_t processor, struct lb_range range, uint64_t positions,
                          double seconds)
{
    (void)own;
    (void)processor;
    assert_true(range.end == dealt_next && range.begin == dealt_next - dealt_size);
    assert_true(positions >= 1 && positions < dealt_size);
    assert_true(fabs(seconds - 0.25 - (double)positions) < 1e-6);
    dealt_counts.messages++;
}

static void count_dealt(const void *own, struct lb_strategy_counts *counts)
{
    (void)own;
    *counts = dealt_counts;
}

/* Positions of a second each, in ranges that begin in a quarter of one, answers that are there after ten. When is all
 * done, if one asks at the first position behind which there is no more than ten seconds' work by what it measured? */
static double dealt_seconds(uint64_t size)
{
    double now = 5, work = 0, busy = 0; /* the first range comes by one message */
    for (uint64_t dealt = size;; dealt += size) {
        uint64_t at = (size + 15) / 16;
        double end = now + 0.25 + (double)size;
        while (at < size && (double)(size - at) * (busy + 0.25 + (double)at) > 10 * (work + (double)at))
            at++;
        if (dealt == 1024)
            return end;
        now = at == size ? end + 5 : fmax(end, now + 0.25 + (double)at + 10);
        work += (double)size;
        busy += (double)size + 0.25;
    }
}

/* Who asks ahead waits for what is left of the answer's time then, and no more; who does not, for all answers. */
static void asking_ahead_takes_what_is_left_of_it(void **unused)
{
    float flat[1024];
    struct lb_estimate map = {32, 32, flat};
    struct lb_sim_spec spec;
    struct lb_strategy dealt = {.name = "dealt",
                                .state_size = small_state,
                                .plan = plan_dealt,
                                .next = next_dealt,
                                .done = ignore_done,
                                .progress = note_progress,
                                .counts = count_dealt};
    (void)unused;
    for (int i = 0; i < 1024; i++)
        flat[i] = 1;
    assert_int_equal(lb_sim_spec_make(1, &spec, NULL), LB_OK);
    spec.total_seconds = 1024;
    spec.range_overhead = 0.25;
    spec.latency = 5;
    struct lb_simulation job = make_job("pool", &spec, &map);
    job.settings.strategy = &dealt;
    struct lb_report_frame frame;
    for (dealt_size = 1; dealt_size <= 1024; dealt_size *= 2) {
        assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
        assert_true(fabs(frame.all.t - dealt_seconds(dealt_size)) < 1e-6);
        lb_report_frame_free(&frame);
    }
    dealt.progress = NULL;
    dealt_size = 64;
    assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
    assert_true(fabs(frame.all.t - (1024 + 16 * (0.25 + 5))) < 1e-6);
    lb_report_frame_free(&frame);
    lb_sim_spec_free(&spec);
}

/* Who is lost after it asked ahead gives back both what it had in hand and what was on its way. */
static void losses_after_asking_ahead(void **unused)
{
    struct lb_estimate map = {256, 128, mandelbrot(256, 128)};
    uint64_t both = 0;
    (void)unused;
    for (uint32_t turn = 0; turn < 200; turn++) {
        struct lb_sim_spec spec;
        struct lb_report_frame frame;
        struct lb_error error = {0};
        assert_int_equal(lb_sim_spec_make(2 + turn, &spec, NULL), LB_OK);
        spec.total_seconds = 0.01 * spec.count;
        spec.latency = 1e-4 * (1 + 9 * draw());
        for (uint32_t k = 0; k < spec.count; k++) {
            spec.processors[k].speed = 1 + 19 * draw();
            spec.processors[k].fails = k > 0 && draw() < 0.3 ? 0.002 * draw() : INFINITY;
        }
        struct lb_simulation job = make_job("auto", &spec, &map);
        if (lb_simulate(&job, &frame, NULL, 0, &error) != LB_OK)
            fail_msg("%u processors: %s", spec.count, error.message);
        uint64_t pixels = 0;
        for (uint32_t k = 0; k < spec.count; k++) {
            pixels += frame.all.processors[k].pixels;
            both += frame.all.processors[k].failed == 2;
        }
        assert_int_equal(pixels, 256 * 128);
        lb_report_frame_free(&frame);
        lb_sim_spec_free(&spec);
    }
    assert_true(both > 20);
    free((void *)(uintptr_t)map.cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs_are_read),
        cmocka_unit_test(bad_specs_are_refused),
        cmocka_unit_test(json_specs_are_read),
        cmocka_unit_test(bad_json_specs_are_refused),
        cmocka_unit_test(events_come_in_order),
        cmocka_unit_test(one_processor_takes_all_the_work),
        cmocka_unit_test(overhead_messages_and_transfer_take_time),
        cmocka_unit_test(failures_and_births_leave_nothing_out),
        cmocka_unit_test(threads_contend),
        cmocka_unit_test(blocks_take_their_samples_time),
        cmocka_unit_test(dear_pixels_are_split),
        cmocka_unit_test(wrong_strategies_are_found_out),
        cmocka_unit_test(auto_is_near_the_ideal),
        cmocka_unit_test(groups_end_together),
        cmocka_unit_test(the_odd_one_is_not_waited_for),
        cmocka_unit_test(sampled_learns),
        cmocka_unit_test(feedback_helps),
        cmocka_unit_test(hosts_ask_ahead),
        cmocka_unit_test(processors_of_a_host),
        cmocka_unit_test(blocks_come_by_chains),
        cmocka_unit_test(hosts_are_lost_and_late),
        cmocka_unit_test(nobody_knows_what_lies_ahead),
        cmocka_unit_test(asking_ahead_takes_what_is_left_of_it),
        cmocka_unit_test(losses_after_asking_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
