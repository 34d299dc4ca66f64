/* What sampled learns: speeds nobody told, how far times and samples are to be trusted, and where to cut. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/simulate/simulate.h"
#include "strategies/pace.h"
#include "strategies/sample.h"
#include "strategies/trust.h"

enum { WIDTH = 320, HEIGHT = 180, FRAMES = 12, MOST = 8 };

static uint64_t state = 0x2545f4914f6cdd1du;

static double draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* ---- an animation ---- */

struct animation {
    struct lb_estimate maps[FRAMES];
};

static float *alloc_map(uint32_t width, uint32_t height)
{
    float *cost = malloc((size_t)width * height * sizeof *cost);
    assert_non_null(cost);
    return cost;
}

/* A dear, broad spot that goes round the picture's middle by `step` radians a frame; pixels are as likely half as dear
 * as half again. */
static void make_animation(struct animation *animation, double step)
{
    for (int f = 0; f < FRAMES; f++) {
        float *cost = alloc_map(WIDTH, HEIGHT);
        double x0 = WIDTH * (0.5 + 0.25 * cos(step * f)), y0 = HEIGHT * (0.5 + 0.25 * sin(step * f));
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++) {
                double d = hypot(x - x0, y - y0) / 40;
                cost[y * WIDTH + x] = (float)((1 + 12 * exp(-d * d)) * (0.5 + draw()));
            }
        animation->maps[f] = (struct lb_estimate){WIDTH, HEIGHT, cost};
    }
}

static void free_animation(struct animation *animation)
{
    for (int f = 0; f < FRAMES; f++)
        free((float *)animation->maps[f].cost);
}

static void simulate(const struct animation *animation, const char *processors, bool known,
                     struct lb_report_frame *frames)
{
    struct lb_sim_spec spec;
    struct lb_error error = {0};
    assert_int_equal(lb_sim_spec_parse(processors, &spec, &error), LB_OK);
    struct lb_simulation job = {.spec = &spec,
                                .settings.strategy = lb_strategy_find("sampled"),
                                .width = WIDTH,
                                .height = HEIGHT,
                                .costs = animation->maps,
                                .known_costs = known,
                                .frame_count = FRAMES};
    if (lb_simulate(&job, frames, NULL, 0, &error) != LB_OK)
        fail_msg("%s", error.message);
    lb_sim_spec_free(&spec);
}

static double least_efficiency(const struct animation *animation, const char *processors, bool known)
{
    struct lb_report_frame frames[FRAMES];
    double least = 1;
    simulate(animation, processors, known, frames);
    for (int f = 0; f < FRAMES; f++) {
        least = fmin(least, frames[f].all.efficiency);
        lb_report_frame_free(&frames[f]);
    }
    return least;
}

/* Balance is good from the first frame on, however fast things move. */
static void follows_what_moves(void **unused)
{
    (void)unused;
    static const double steps[] = {0, 0.02, 0.1, 0.3, 1};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct animation animation;
        make_animation(&animation, steps[i]);
        assert_true(least_efficiency(&animation, "8", false) >= 0.94);
        assert_true(least_efficiency(&animation, "8", true) >= 0.99);
        assert_true(least_efficiency(&animation, "3x1,2x3,1x9", false) >= 0.87);
        assert_true(least_efficiency(&animation, "3x1,2x3,1x9", true) >= 0.97);
        free_animation(&animation);
    }
}

/* Each processor works for as long as the others, though their speeds are 1 : 3 : 9 and sampled is not told them. */
static void shares_converge_to_the_speeds(void **unused)
{
    (void)unused;
    static const double speeds[] = {1, 3, 9};
    struct lb_report_frame frames[FRAMES];
    struct animation animation;
    make_animation(&animation, 0);
    for (int known = 0; known < 2; known++) {
        simulate(&animation, "1x1,1x3,1x9", known, frames);
        for (int f = 0; f < FRAMES; f++) {
            for (int k = 0; k < 3; k++) {
                double part = frames[f].all.processors[k].busy_seconds / frames[f].all.t_min;
                assert_true(fabs(part - 1) < (known ? 0.01 : f == 0 ? 0.2 : 0.05));
                assert_true(frames[f].all.processors[k].speed == speeds[k]);
            }
            lb_report_frame_free(&frames[f]);
        }
    }
    free_animation(&animation);
}

/* ---- its parts ---- */

/* Leaves of a picture of one cost a pixel or of many. */
static void make_leaves(struct lb_leaves *leaves, const struct lb_plan *plan)
{
    struct lb_error error;
    float *cost = alloc_map(plan->width, plan->height);
    struct lb_estimate map = {plan->width, plan->height, cost};
    bool even = draw() < 0.3;
    for (size_t i = 0; i < (size_t)plan->width * plan->height; i++)
        cost[i] = even ? 1 : (float)(draw() < 0.05 ? 50 * draw() : draw());
    assert_int_equal(lb_leaves_start(leaves, plan, &error), LB_OK);
    assert_int_equal(lb_leaves_guess(leaves, plan, &error), LB_OK);
    lb_density_add_map(&leaves->density, &map, false);
    lb_density_finish(&leaves->density);
    lb_leaves_cut(leaves, LB_CUT_NEAREST);
    free(cost);
}

/* Blocks are the picture, each a band and its rest; a band is at most half of it. */
static void assert_blocks_cover(struct lb_trial *trial, const lb_order *order)
{
    uint64_t pixels = (uint64_t)order->width * order->height, bands = 0, rests = 0;
    bool *seen = calloc(pixels, sizeof *seen);
    assert_non_null(seen);
    assert_int_equal(order->count, pixels);
    for (uint64_t i = 0; i < order->count; i++) {
        uint64_t pixel = lb_order_pixel(order, i);
        assert_true(pixel < pixels && !seen[pixel]);
        seen[pixel] = true;
        const struct lb_trial_block *block = lb_trial_find(trial, i);
        const lb_rectangle *area = &block->area;
        uint32_t x = (uint32_t)(pixel % order->width), y = (uint32_t)(pixel / order->width);
        assert_true(x >= area->x && x < area->x + area->width && y >= area->y && y < area->y + area->height);
        bool in_band = y >= area->y + block->from && y < area->y + block->from + block->rows;
        assert_true(in_band == (i < trial->bands));
    }
    for (uint32_t i = 0; i < trial->count; i++) {
        assert_true(2 * trial->blocks[i].rows <= trial->blocks[i].area.height);
        bands += (uint64_t)trial->blocks[i].area.width * trial->blocks[i].rows;
        rests += lb_trial_rest(&trial->blocks[i]);
    }
    assert_true(bands == trial->bands && bands + rests == pixels);
    free(seen);
}

/* Each processor's part of the rests costs what its weight is worth, to about a pixel at each end. */
static void assert_cut_is_exact(struct lb_trial *trial, const struct lb_density *density,
                                const lb_order *order, const double *weights, double dearest)
{
    double all = 0, sum = 0;
    uint64_t at = trial->bands;
    for (uint32_t i = 0; i < trial->count; i++)
        all += trial->blocks[i].due = lb_trial_cost(density, &trial->blocks[i]);
    for (uint32_t k = 0; k < trial->processors; k++)
        sum += weights[k];
    trial->untried = 0;
    trial->outstanding = order->count - trial->bands;
    lb_trial_cut(trial, density, weights);
    for (uint32_t k = 0; k < trial->processors; k++) {
        const struct lb_trial_share *share = &trial->shares[k];
        double cost = 0;
        assert_true(share->next == share->end || share->next == at);
        for (uint64_t i = share->next; i < share->end; i++) {
            uint64_t pixel = lb_order_pixel(order, i);
            uint32_t x = (uint32_t)(pixel % order->width), y = (uint32_t)(pixel / order->width);
            cost += lb_density_of(density, x, y, x + 1, y + 1);
        }
        at = share->next == share->end ? at : share->end;
        assert_true(fabs(cost - weights[k] / sum * all) <= 2 * dearest + 1e-6 * all);
    }
    assert_int_equal(at, order->count);
}

static void samples_and_cuts(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 300; turn++) {
        struct lb_processor_info infos[MOST] = {0};
        struct lb_plan plan = {.width = 1 + (uint32_t)(draw() * 120),
                               .height = 1 + (uint32_t)(draw() * 120),
                               .processors = infos};
        struct lb_trial trial = {0};
        struct lb_leaves leaves = {0};
        struct lb_error error;
        double weights[MOST];
        lb_order order;
        plan.processor_count = 1 + (uint32_t)(draw() * MOST);
        plan.frame = (uint32_t)(draw() * 100);
        for (uint32_t k = 0; k < plan.processor_count; k++)
            infos[k].weight = weights[k] = 0.05 + draw();
        make_leaves(&leaves, &plan);
        assert_int_equal(lb_trial_start(&trial, &plan, &leaves, &order, &error), LB_OK);
        assert_blocks_cover(&trial, &order);
        assert_cut_is_exact(&trial, &leaves.density, &order, weights, 51);
        lb_trial_free(&trial);
        lb_leaves_free(&leaves);
    }
}

/* A GPU gets far larger ranges than a thread, of the sample and of the rest. */
static void a_gpu_gets_much_at_once(void **unused)
{
    (void)unused;
    const struct lb_strategy *sampled = lb_strategy_find("sampled");
    struct lb_processor_info infos[2] = {{.kind = LB_PROCESSOR_CPU, .weight = 0.1},
                                         {.kind = LB_PROCESSOR_GPU, .weight = 0.9}};
    for (int known = 0; known < 2; known++) {
        struct lb_plan plan = {.width = 640,
                               .height = 360,
                               .processor_count = 2,
                               .processors = infos,
                               .weights_known = known != 0};
        void *own = calloc(1, sampled->state_size(2));
        struct lb_error error;
        struct lb_range range;
        lb_order order;
        uint64_t ranges[2] = {0}, positions[2] = {0};
        assert_int_equal(sampled->plan(own, &plan, &order, &error), LB_OK);
        /* In turn, nine of ten to the GPU. */
        for (int turn = 0, ended = 0; ended < 20; turn++) {
            uint32_t k = turn % 10 > 0;
            if (sampled->next(own, k, &range) != LB_NEXT_RANGE) {
                ended++;
                continue;
            }
            ended = 0;
            ranges[k]++;
            positions[k] += range.end - range.begin;
            sampled->done(own, k, range, (double)(range.end - range.begin) / (k == 0 ? 1 : 9));
        }
        assert_int_equal(positions[0] + positions[1], 640 * 360);
        assert_true(positions[1] / ranges[1] > 1000 &&
                    positions[1] / ranges[1] > 4 * (positions[0] / ranges[0]));
        sampled->end(own);
        free(own);
    }
}

/* Times tell speeds and costs apart where every processor had bands of all parts of the picture. */
static void a_sample_tells_speeds(void **unused)
{
    (void)unused;
    static const double speeds[4] = {1, 3, 9, 0.5};
    struct lb_processor_info infos[4] = {
        {.weight = 0.25}, {.weight = 0.25}, {.weight = 0.25}, {.weight = 0.25}};
    struct lb_plan plan = {.width = 320, .height = 180, .processor_count = 4, .processors = infos};
    struct lb_trial trial = {0};
    struct lb_leaves leaves = {0};
    struct lb_pace pace = {0};
    struct lb_sample sample = {0};
    struct lb_error error;
    lb_order order;
    make_leaves(&leaves, &plan);
    assert_int_equal(lb_trial_start(&trial, &plan, &leaves, &order, &error), LB_OK);
    assert_int_equal(lb_sample_start(&sample, &trial, &error), LB_OK);
    assert_int_equal(lb_pace_start(&pace, &plan, &error), LB_OK);
    lb_pace_forget(&pace);
    for (uint32_t i = 0; i < trial.count; i++) {
        struct lb_trial_block *block = &trial.blocks[i];
        double part = draw() * 13.5;
        block->doer = part < 1 ? 0 : part < 4 ? 1 : part < 13 ? 2 : 3;
        /* A slope in the cost, tenfold over the picture, and noise. */
        double cost = (1 + 9.0 * block->area.x / 320) * (0.5 + draw()) * block->area.width * block->rows;
        block->seconds = cost / speeds[block->doer];
    }
    lb_sample_measure(&sample, &trial, NULL, &pace);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(pace.speeds[k] * 13.5 / speeds[k] - 1) < 0.2);
    assert_true(sample.noise > 0 && sample.noise < 0.05);
    assert_int_equal(lb_sample_start(&sample, &trial, &error), LB_OK);
    assert_true(sample.noise == 0); /* of a frame that is not measured nothing is told */
    lb_sample_free(&sample);
    lb_pace_free(&pace);
    lb_trial_free(&trial);
    lb_leaves_free(&leaves);
}

static void trust_goes_to_the_better(void **unused)
{
    (void)unused;
    struct lb_trust trust = {0};
    assert_true(lb_trust_share(&trust) == 0);
    for (int frame = 0; frame < 30; frame++) {
        struct lb_trust_outcome outcomes[MOST];
        for (int k = 0; k < MOST; k++)
            outcomes[k] = (struct lb_trust_outcome){7 + 0.56 * (draw() - 0.5), 1 + 0.8 * (draw() - 0.5), 3};
        lb_trust_learn(&trust, outcomes, MOST);
        if (frame > 5)
            assert_true(lb_trust_share(&trust) > 0.9);
    }
    /* Later the other is better. */
    for (int frame = 0; frame < 20; frame++) {
        struct lb_trust_outcome outcomes[MOST];
        for (int k = 0; k < MOST; k++)
            outcomes[k] = (struct lb_trust_outcome){1 + 0.8 * (draw() - 0.5), 7, 3};
        lb_trust_learn(&trust, outcomes, MOST);
    }
    assert_true(lb_trust_share(&trust) < 0.05);
    /* Both right: no number that is none. */
    struct lb_trust_outcome same[MOST] = {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};
    trust = (struct lb_trust){0};
    lb_trust_learn(&trust, same, MOST);
    assert_true(lb_trust_share(&trust) == 0);
}

static void measure(struct lb_pace *pace, const double *speeds, double noise, int frames)
{
    for (int f = 0; f < frames; f++) {
        for (uint32_t k = 0; k < pace->count; k++)
            lb_pace_add(pace, k, speeds[k] * (1 + noise * (draw() - 0.5)), 1.0 + f);
        lb_pace_learn(pace, noise / 8);
    }
}

static void speeds_are_measured(void **unused)
{
    (void)unused;
    static const double same[] = {1, 1, 1, 1}, mixed[] = {1, 3, 9, 0.5};
    struct lb_processor_info infos[4] = {
        {.weight = 0.25}, {.weight = 0.25}, {.weight = 0.25}, {.weight = 0.25}};
    struct lb_plan plan = {.processor_count = 4, .processors = infos};
    struct lb_pace pace = {0};
    struct lb_error error;
    assert_int_equal(lb_pace_start(&pace, &plan, &error), LB_OK);
    lb_pace_forget(&pace);
    /* What chance may do moves nothing. */
    measure(&pace, same, 0.1, 20);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(pace.speeds[k] - 0.25) < 0.01);
    lb_pace_forget(&pace);
    measure(&pace, mixed, 0.02, 1);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(pace.speeds[k] * 13.5 / mixed[k] - 1) < 0.03);
    /* One that did nothing keeps what it had, the others their ratios. */
    double before = pace.speeds[1] / pace.speeds[2];
    lb_pace_add(&pace, 1, 3, 1);
    lb_pace_add(&pace, 2, 9, 1);
    lb_pace_learn(&pace, 0.001);
    assert_true(fabs(pace.speeds[1] / pace.speeds[2] / before - 1) < 0.02 && pace.speeds[0] > 0);
    /* Known weights are not doubted. */
    plan.weights_known = true;
    assert_int_equal(lb_pace_start(&pace, &plan, &error), LB_OK);
    measure(&pace, mixed, 0, 3);
    for (int k = 0; k < 4; k++)
        assert_true(pace.speeds[k] == 0.25);
    lb_pace_free(&pace);
}

static void noise_is_by_neighbours(void **unused)
{
    (void)unused;
    enum { COUNT = 4096 };
    float cost[COUNT];
    for (int i = 0; i < COUNT; i++)
        cost[i] = 5;
    assert_true(lb_pace_noise(cost, COUNT) == 0);
    for (int i = 0; i < COUNT; i++)
        cost[i] = (float)(0.5 + draw());
    /* The deviation of an even draw from 0.5 .. 1.5 is sqrt(1 / 12). */
    assert_true(fabs(lb_pace_noise(cost, COUNT) * sqrt(COUNT * 12.0) - 1) < 0.1);
    for (int i = 0; i < COUNT; i++)
        cost[i] = 0;
    assert_true(lb_pace_noise(cost, COUNT) == 0 && lb_pace_noise(cost, 1) == 0 &&
                lb_pace_noise(cost, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_what_moves),      cmocka_unit_test(shares_converge_to_the_speeds),
        cmocka_unit_test(a_gpu_gets_much_at_once), cmocka_unit_test(samples_and_cuts),
        cmocka_unit_test(a_sample_tells_speeds),   cmocka_unit_test(trust_goes_to_the_better),
        cmocka_unit_test(speeds_are_measured),     cmocka_unit_test(noise_is_by_neighbours),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
