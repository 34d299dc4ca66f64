/* Simulated processors that ask for their next range before they are done: what they may know, and whom they let
 * wait. */
#include "simulate_help.h"
#include "core/simulate/simulate_ahead.h"

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

/* Deals ranges of a size to whoever asks, and sends a message for what is told and so many for each answer. */
static struct lb_strategy_counts dealt_counts;
static uint64_t dealt_size, dealt_next, dealt_count, dealt_messages;

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
    dealt_counts.messages += dealt_messages;
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

/* Positions of a second each, in ranges that begin in a quarter of one, and messages of five. When is all done, if one
 * asks at the first position behind which there is, by what it measured, no more work than the longest answer took so
 * far, which is taken to be ten seconds at first? */
static double dealt_seconds(void)
{
    double answer = 5 * (double)dealt_messages, ahead = answer + 5, longest = fmax(10, answer);
    double now = answer, work = 0, busy = 0;
    uint64_t size = dealt_size;
    for (uint64_t dealt = size;; dealt += size) {
        uint64_t at = (size + 15) / 16;
        double end = now + 0.25 + (double)size;
        while (at < size && (double)(size - at) * (busy + 0.25 + (double)at) > longest * (work + (double)at))
            at++;
        if (dealt == 1024)
            return end;
        now = at == size ? end + answer : fmax(end, now + 0.25 + (double)at + ahead);
        longest = at == size ? longest : ahead;
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
    for (dealt_messages = 1; dealt_messages <= 4; dealt_messages++)
        for (dealt_size = 1; dealt_size <= 1024; dealt_size *= 2) {
            assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
            assert_true(fabs(frame.all.t - dealt_seconds()) < 1e-6);
            lb_report_frame_free(&frame);
        }
    dealt.progress = NULL;
    dealt_size = 64;
    dealt_messages = 1;
    assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
    assert_true(fabs(frame.all.t - (1024 + 16 * (0.25 + 5))) < 1e-6);
    lb_report_frame_free(&frame);
    lb_sim_spec_free(&spec);
}

/* Who is lost after it asked ahead gives back both what it had in hand and what was on its way. */
static void losses_after_asking_ahead(void **unused)
{
    static const char *const names[] = {"auto", "hierarchical", "peers"};
    struct lb_estimate map = {256, 128, mandelbrot(256, 128)};
    uint64_t both[3] = {0};
    (void)unused;
    for (uint32_t turn = 0; turn < 300; turn++) {
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
        struct lb_simulation job = make_job(names[turn % 3], &spec, &map);
        if (lb_simulate(&job, &frame, NULL, 0, &error) != LB_OK)
            fail_msg("%s, %u processors: %s", names[turn % 3], spec.count, error.message);
        uint64_t pixels = 0;
        for (uint32_t k = 0; k < spec.count; k++) {
            pixels += frame.all.processors[k].pixels;
            both[turn % 3] += frame.all.processors[k].failed == 2;
        }
        assert_int_equal(pixels, 256 * 128);
        lb_report_frame_free(&frame);
        lb_sim_spec_free(&spec);
    }
    for (int i = 0; i < 3; i++)
        assert_true(both[i] > 5);
    free((void *)(uintptr_t)map.cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_knows_what_lies_ahead),
        cmocka_unit_test(asking_ahead_takes_what_is_left_of_it),
        cmocka_unit_test(losses_after_asking_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
