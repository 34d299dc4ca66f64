/* core/run/pass/births.h: adaptive frames over processors that fail and are lost, under every strategy. */
#include "schedule_help.h"
#include "core/run/adaptive.h"

enum { PROCESSORS = 5, MEAN = 16, WIDTH = 37, HEIGHT = 29, PIXELS = WIDTH * HEIGHT };

/* Each pixel has exactly the samples from the first on, none of them twice; and as many as `counts` tells, which the
 * first frame sets. */
static void expect_counts(const struct bench *bench, int64_t counts[PIXELS])
{
    const struct lb_frame *frame = &bench->frame;
    uint64_t sum = 0, reported = 0;
    assert_true(frame->complete);
    for (uint32_t i = 0; i < PIXELS; i++) {
        int64_t count = frame->pixels[i].weight;
        assert_in_range(count, MEAN / 4, MEAN * LB_ADAPTIVE_MOST);
        assert_int_equal(frame->pixels[i].sum[0], i * count);
        assert_int_equal(frame->pixels[i].sum[1], sum_squares(0, (uint32_t)count));
        if (frame->cost)
            assert_true(frame->cost[i] == (float)count);
        counts[i] = counts[i] ? counts[i] : count;
        assert_int_equal(count, counts[i]);
        sum += (uint64_t)count;
    }
    for (uint32_t i = 0; i < bench->count; i++)
        reported += frame->report.all.processors[i].samples;
    assert_int_equal(frame->samples, sum);
    assert_int_equal(reported, sum);
    assert_in_range(sum, PIXELS * MEAN - 4 * MEAN, PIXELS * MEAN);
}

static void set_up_adaptive(struct bench *bench, const struct lb_strategy *strategy)
{
    set_up(bench, strategy, PROCESSORS, WIDTH, HEIGHT, MEAN * LB_ADAPTIVE_MOST);
    bench->options.growth = (struct lb_growth){.adaptive = true};
}

/* Pixels' markers differ, so that some get many samples more: levels follow each other. */
static void births_survive_failures(void **unused)
{
    (void)unused;
    int64_t counts[PIXELS] = {0}, most = 0;
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (uint32_t turn = 0; turn < 12; turn++) {
            struct bench bench;
            set_up_adaptive(&bench, lb_strategies[s]);
            bench.options.want_cost = turn % 3 == 0;
            bench.options.want_owned = turn % 4 == 1;
            for (uint32_t i = 1; i < PROCESSORS; i++) {
                marker_of(&bench, i)->random = turn * 8 + i;
                marker_of(&bench, i)->fails = turn == 0 ? 0 : turn % 2 ? 300 : 100;
                marker_of(&bench, i)->loses = turn % 4 == 2;
            }
            if (run(&bench) != LB_OK)
                fail_msg("%s: %s", lb_strategies[s]->name, bench.error.message);
            expect_counts(&bench, counts);
            if (lb_strategies[s]->dynamic)
                assert_int_equal(bench.frame.report.pass_count, 2);
            else
                assert_true(bench.frame.report.pass_count > LB_ADAPTIVE_ROUNDS);
            tear_down(&bench);
        }
    for (uint32_t i = 0; i < PIXELS; i++)
        most = counts[i] > most ? counts[i] : most;
    assert_true(most >= 4 * MEAN);
}

/* Where all are lost, or a signal comes, what there is of a pixel is its first samples. */
static void stopped_frames_have_first_samples(void **unused)
{
    (void)unused;
    uint32_t begun = 0;
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (uint32_t turn = 0; turn < 8; turn++) {
            struct bench bench;
            set_up_adaptive(&bench, lb_strategies[s]);
            for (uint32_t i = 0; i < PROCESSORS; i++) {
                marker_of(&bench, i)->random = turn * 8 + i;
                marker_of(&bench, i)->fails = 60;
                marker_of(&bench, i)->loses = true;
            }
            if (run(&bench) != LB_OK)
                fail_msg("%s: %s", lb_strategies[s]->name, bench.error.message);
            for (uint32_t i = 0; i < PIXELS && bench.frame.pixels; i++) {
                int64_t count = bench.frame.pixels[i].weight;
                assert_int_equal(bench.frame.pixels[i].sum[0], i * count);
                assert_int_equal(bench.frame.pixels[i].sum[1], sum_squares(0, (uint32_t)count));
            }
            begun += !bench.frame.complete && bench.frame.samples > PIXELS * MEAN / 4;
            tear_down(&bench);
        }
    assert_true(begun > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(births_survive_failures),
        cmocka_unit_test(stopped_frames_have_first_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
