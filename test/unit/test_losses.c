/* Processors that fail, are lost, come back and leave while frames are rendered: nothing is missing. */
#include "schedule_help.h"
#include "share_help.h"

#include "core/processors/null_processor.h"

#include <pthread.h>

/* ---- losses ---- */

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

/* ---- a processor that is given work ahead of time ---- */

struct eager {
    struct marker marker; /* first: how it renders */
    struct lb_work works[LB_PIECES_IN_HAND];
    struct lb_result results[LB_PIECES_IN_HAND];
    uint32_t count, most; /* that it has in hand, and ever had */
    double seconds;       /* that it says a piece took it */
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
    outcome->result.render_seconds = eager->seconds;
    eager->count = outcome->status == LB_OK ? eager->count - 1 : 0;
    memmove(eager->works, eager->works + 1, eager->count * sizeof *eager->works);
    memmove(eager->results, eager->results + 1, eager->count * sizeof *eager->results);
    return true;
}

static const struct lb_processor_table eager_table = {
    .render = mark, .close = unmark, .begin = eager_begin, .await = eager_await};

static void tell_nothing(struct lb_processor *processor, struct lb_remote *remote)
{
    (void)processor;
    memset(remote, 0, sizeof *remote);
}

/* The same as another host. */
static const struct lb_processor_table eager_host_table = {
    .render = mark, .close = unmark, .begin = eager_begin, .await = eager_await, .tell = tell_nothing};

static struct marker *new_eager(uint32_t number, bool is_host)
{
    struct eager *eager = calloc(1, sizeof *eager);
    eager->marker.base.table = is_host ? &eager_host_table : &eager_table;
    eager->marker.random = number + 1;
    eager->seconds = 1e-3;
    snprintf(eager->marker.base.name, sizeof eager->marker.base.name, "host%u", number);
    return &eager->marker;
}

/* Some processors are given ranges ahead of time, other hosts and some of this one. When one fails, others do all that
 * it had in hand. */
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
                bench.members[i].processor = &new_eager(i, (turn + i) % 3 != 0)->base;
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

/* A host that is lost in a pre-pass gives all ranges back that it had in hand, more than there are processors. */
static void lost_in_a_prepass(void **unused)
{
    (void)unused;
    uint32_t most = 0;
    for (uint32_t turn = 0; turn < 8; turn++) {
        struct bench bench;
        set_up(&bench, lb_strategy_find(turn % 2 ? "coverage" : "estimate"), 2, 400, 300, 2);
        for (uint32_t i = 0; i < 2; i++) {
            unmark(bench.members[i].processor);
            bench.members[i].processor = &new_eager(i, true)->base;
            marker_of(&bench, i)->random = turn + i;
        }
        marker_of(&bench, 0)->fails = 100;
        marker_of(&bench, 0)->loses = turn % 4 < 2;
        if (run(&bench) != LB_OK)
            fail_msg("%s", bench.error.message);
        expect_whole(&bench);
        const struct eager *lost = (const struct eager *)marker_of(&bench, 0);
        most = lost->most > most ? lost->most : most;
        tear_down(&bench);
    }
    assert_int_equal(most, LB_PIECES_IN_HAND);
}

static void come_back(void *user, bool wait)
{
    struct bench *bench = user;
    assert_true(wait);
    for (uint32_t i = 0; i < bench->count; i++) {
        bench->members[i].lost = false;
        marker_of(bench, i)->fails = 0;
    }
}

/* Where all processors are lost in a pre-pass, it is made anew by those that come, and by nobody else. */
static void all_lost_in_a_prepass(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 4; turn++) {
        struct bench bench;
        struct lb_interrupt interrupt = {0};
        set_up(&bench, lb_strategy_find(turn % 2 ? "coverage" : "estimate"), 2, 400, 300, 2);
        bench.options.interrupt = &interrupt;
        bench.options.renew = turn < 2 ? come_back : NULL;
        bench.options.user = &bench;
        for (uint32_t i = 0; i < 2; i++) {
            marker_of(&bench, i)->random = 5 + i;
            marker_of(&bench, i)->fails = 300;
            marker_of(&bench, i)->loses = true;
        }
        assert_int_equal(run(&bench), LB_OK);
        if (turn < 2) {
            const struct lb_estimate *map = &bench.frame.estimates[bench.options.settings.strategy->probe];
            expect_whole(&bench);
            for (uint32_t i = 0; i < map->width * map->height; i++)
                assert_true(map->cost[i] > 0);
        } else {
            assert_false(bench.frame.complete);
        }
        tear_down(&bench);
    }
}

/* Where all are lost while a map is made that a user wants beside the finished picture, those that come make it. */
static void all_lost_in_a_wanted_prepass(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 2; turn++) {
        struct bench bench;
        struct lb_interrupt interrupt = {0};
        set_up(&bench, lb_strategy_find("pool"), 2, 400, 300, 2);
        bench.options.interrupt = &interrupt;
        bench.options.renew = turn == 0 ? come_back : NULL;
        bench.options.user = &bench;
        bench.options.want_estimates = true;
        for (uint32_t i = 0; i < 2; i++) {
            marker_of(&bench, i)->fails = 1000;
            marker_of(&bench, i)->loses = marker_of(&bench, i)->at_probes = true;
        }
        assert_int_equal(run(&bench), LB_OK);
        expect_whole(&bench);
        assert_true((bench.frame.estimates[LB_PROBE_COVERAGE].cost != NULL) == (turn == 0));
        tear_down(&bench);
    }
}

static struct lb_range told_of; /* the range, .. */
static uint64_t told;           /* .. how much of it was told last, .. */
static uint32_t tellings;       /* .. and how often anything was */

static void check_progress(void *state, uint32_t processor, struct lb_range range, uint64_t positions,
                           double seconds)
{
    bool again = told_of.begin == range.begin && told_of.end == range.end;
    assert_true(positions >= (again ? told : 1) && positions < range.end - range.begin && seconds > 0);
    told_of = range;
    told = positions;
    tellings++;
    lb_strategy_find("auto")->progress(state, processor, range, positions, seconds);
}

/* Before one that is given ranges ahead asks for more, the strategy is told how far it has come. */
static void progress_is_told(void **unused)
{
    (void)unused;
    struct lb_strategy telling = *lb_strategy_find("auto");
    telling.progress = check_progress;
    struct bench bench;
    set_up(&bench, &telling, 1, 60, 50, 2);
    unmark(bench.members[0].processor);
    bench.members[0].processor = &new_eager(0, true)->base;
    ((struct eager *)bench.members[0].processor)->seconds = 4; /* the next piece is to be half as large */
    if (run(&bench) != LB_OK)
        fail_msg("%s", bench.error.message);
    expect_whole(&bench);
    tear_down(&bench);
    assert_true(tellings > 10);
}

static uint32_t cuts; /* how often a strategy gave a part of what one had in hand to another */

static uint64_t count_cuts(void *state, uint32_t processor, struct lb_range range, uint64_t positions,
                           double seconds)
{
    uint64_t end = lb_strategy_find("auto")->cut(state, processor, range, positions, seconds);
    assert_true(end >= range.begin + positions && end <= range.end && seconds > 0);
    cuts += end < range.end;
    return end;
}

/* Renders a frame with two processors, of which the first is given ranges ahead and takes `delay` seconds a piece. */
static void render_with_slow_one(const struct lb_strategy *strategy, bool is_host, double delay)
{
    struct bench bench;
    set_up(&bench, strategy, 2, 200, 100, 1);
    bench.members[0].weight = 0.9; /* which is wrong */
    bench.members[1].weight = 0.1;
    bench.members[0].weight_source = bench.members[1].weight_source = LB_SOURCE_GIVEN;
    unmark(bench.members[0].processor);
    bench.members[0].processor = &new_eager(0, is_host)->base;
    marker_of(&bench, 0)->delay = delay;
    ((struct eager *)bench.members[0].processor)->seconds = delay;
    if (run(&bench) != LB_OK)
        fail_msg("%s", bench.error.message);
    expect_whole(&bench);
    tear_down(&bench);
}

/* Who waits is given what a slow processor of this host has not begun of the range that it was given ahead. On a busy
 * machine the other one may be as slow, and then nobody waits: there are more frames, in each of which the slow one is
 * twice as slow, until somebody has. */
static void rest_is_cut(void **unused)
{
    (void)unused;
    struct lb_strategy cutting = *lb_strategy_find("auto");
    cutting.cut = count_cuts;
    cuts = 0;
    for (double delay = 0.004; delay < 3 && cuts == 0; delay *= 2)
        render_with_slow_one(&cutting, false, delay);
    assert_true(cuts > 0);
    cuts = 0;
    render_with_slow_one(&cutting, true, 0.004);
    assert_true(cuts == 0);
}

/* ---- newcomers ---- */

/* Somebody who ends passes for newcomers, a few times. */
struct interrupter {
    struct bench *bench;
    struct lb_interrupt interrupt;
    atomic_bool done;
    uint32_t times; /* it does so until the frame is done, or so many times */
    uint32_t renewed, waited;
};

static void *interrupt(void *argument)
{
    struct interrupter *interrupter = argument;
    for (uint32_t i = 0; i < interrupter->times && !atomic_load(&interrupter->done); i++) {
        lb_clock_sleep_until(lb_clock_now() + 0.005);
        lb_interrupt_renew(&interrupter->interrupt);
    }
    return NULL;
}

/* Lets `renew` be called for the bench's members during its frame, a piece of which takes `delay` seconds. */
static void set_up_interrupter(struct interrupter *interrupter, struct bench *bench,
                               void (*renew)(void *, bool), double delay)
{
    interrupter->bench = bench;
    bench->options.interrupt = &interrupter->interrupt;
    bench->options.renew = renew;
    bench->options.user = interrupter;
    for (uint32_t i = 0; i < bench->count; i++)
        marker_of(bench, i)->delay = delay;
}

static void run_interrupted(struct interrupter *interrupter)
{
    struct bench *bench = interrupter->bench;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, interrupt, interrupter), 0);
    enum lb_status status = run(bench);
    atomic_store(&interrupter->done, true);
    pthread_join(thread, NULL);
    if (status != LB_OK)
        fail_msg("%s: %s", bench->options.settings.strategy->name, bench->error.message);
    expect_whole(bench);
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
        for (uint32_t turn = s % test_share() % 4; turn < 4; turn += test_share()) {
            struct bench bench;
            set_up(&bench, s < lb_strategy_count ? lb_strategies[s] : &single, 5, 120, 100, 3);
            struct interrupter interrupter = {.times = 6};
            bench.options.want_cost = bench.options.want_owned = true;
            bench.options.growth.passes = 1 + turn / 2;
            set_up_interrupter(&interrupter, &bench, renew, 0.001);
            bench.members[4].lost = true;
            for (uint32_t i = 0; i < bench.count; i++) {
                marker_of(&bench, i)->fails = turn % 2 ? 1000 : 0;
                marker_of(&bench, i)->loses = turn % 2;
            }
            marker_of(&bench, 1)->fails = 0;
            run_interrupted(&interrupter);
            renewed += interrupter.renewed;
            waited += interrupter.waited;
            tear_down(&bench);
        }
    assert_true(renewed > 100 / test_share() && waited > 0);
}

static void stay(void *user, bool wait)
{
    assert_false(wait);
    ((struct interrupter *)user)->renewed++;
}

/* Opens one member more at each call, as far as there is room. */
static void add_one(void *user, bool wait)
{
    struct interrupter *interrupter = user;
    struct bench *bench = interrupter->bench;
    struct lb_error error;
    (void)wait;
    if (++interrupter->renewed > 6)
        return;
    uint32_t number = bench->count++;
    bench->members[number] = (struct lb_member){.processor = &new_marker(number)->base, .weight = 0.1};
    marker_of(bench, number)->delay = 0.001;
    assert_int_equal(lb_run_grow(bench->run, bench->count, &error), LB_OK);
}

/* Members that nobody knew of when the run was opened take part from the next pass on, and have rows in reports. */
static void newcomers_are_members(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < lb_strategy_count; s += test_share()) {
        struct bench bench;
        set_up(&bench, lb_strategies[s], 2, 120, 100, 3);
        struct interrupter interrupter = {.times = UINT32_MAX};
        set_up_interrupter(&interrupter, &bench, add_one, 0.001);
        bench.options.want_cost = bench.options.want_owned = bench.options.looked_at = true;
        bench.options.growth.passes = 2;
        run_interrupted(&interrupter);
        assert_int_equal(bench.frame.report.all.processor_count, bench.count);
        assert_true(bench.count > 2);
        tear_down(&bench);
    }
}

/* Processors that come while a probe is made, before the pass or after it, take nothing from its map, and end no
 * frame. */
static void probes_are_whole(void **unused)
{
    (void)unused;
    const char *names[] = {"estimate", "coverage", "auto"};
    for (uint32_t turn = 0, turns = share_of(12); turn < turns; turn++) {
        struct bench bench;
        set_up(&bench, lb_strategy_find(names[turn % 3]), 3, 200, 150, 2);
        struct interrupter interrupter = {.times = UINT32_MAX};
        set_up_interrupter(&interrupter, &bench, stay, 0.002);
        bench.options.want_cost = bench.options.want_owned = bench.options.want_estimates = true;
        run_interrupted(&interrupter);
        for (int probe = LB_PROBE_NONE + 1; probe < LB_PROBES; probe++) {
            const struct lb_estimate *map = &bench.frame.estimates[probe];
            assert_non_null(map->cost);
            for (uint32_t i = 0; i < map->width * map->height; i++)
                assert_true(map->cost[i] > 0);
        }
        tear_down(&bench);
    }
}

/* The noise of a frame is that between whole passes, also where renewals cut these. */
static void noise_of_whole_passes(void **unused)
{
    (void)unused;
    double noise[2];
    for (uint32_t turn = 0; turn < 2; turn++) {
        struct bench bench;
        set_up(&bench, lb_strategy_find("pool"), 3, 120, 100, 4);
        struct interrupter interrupter = {.times = turn == 0 ? 0 : UINT32_MAX};
        set_up_interrupter(&interrupter, &bench, stay, 0.001);
        bench.options.growth.passes = 2;
        bench.options.growth.noise = 1e-9;
        run_interrupted(&interrupter);
        noise[turn] = bench.frame.noise;
        assert_int_equal(interrupter.renewed > 0, turn);
        tear_down(&bench);
    }
    assert_true(noise[0] > 0 && noise[0] == noise[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses),
        cmocka_unit_test(all_lost),
        cmocka_unit_test(null_failures),
        cmocka_unit_test(given_ahead),
        cmocka_unit_test(progress_is_told),
        cmocka_unit_test(rest_is_cut),
        cmocka_unit_test(members_come),
        cmocka_unit_test(lost_in_a_prepass),
        cmocka_unit_test(all_lost_in_a_prepass),
        cmocka_unit_test(all_lost_in_a_wanted_prepass),
        cmocka_unit_test(newcomers_are_members),
        cmocka_unit_test(probes_are_whole),
        cmocka_unit_test(noise_of_whole_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
