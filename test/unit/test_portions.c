/* Ranges that a team's processors render together: each as if one processor had rendered it, several at once, whoever
 * is lost meanwhile; and nobody waits for the end of one where there is another. */
#include "schedule_help.h"
#include "core/run/pass/portion.h"

#include <math.h>
#include <pthread.h>

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

static struct lb_portion_team *open_team(struct bench *bench)
{
    struct lb_portion_team *team;
    const struct lb_settings *settings = &bench->options.settings;
    assert_int_equal(lb_portion_team_open(settings, bench->members, bench->count, &team, &bench->error),
                     LB_OK);
    return team;
}

/* A range of an order, to be rendered by a team. */
struct errand {
    struct lb_portion_team *team;
    const lb_scene *scene;
    const lb_order *order;
    struct lb_range range;
    uint32_t samples; /* of a pixel; 0: three */
    const int *stop;
    struct lb_result result;
    struct lb_remote_did did[6];
    struct heard heard;
    enum lb_status status;
    struct lb_error error;
};

static uint32_t samples_of(const struct errand *e)
{
    return e->samples ? e->samples : 3;
}

static void *go(void *argument)
{
    struct errand *e = argument;
    uint64_t count = e->range.end - e->range.begin;
    struct lb_work work = {.scene = e->scene,
                           .order = e->order,
                           .range = e->range,
                           .whole = e->range,
                           .sample_begin = 1,
                           .sample_end = 1 + samples_of(e),
                           .stop = e->stop};
    struct lb_listener listener = {hear, &e->heard};
    pthread_mutex_init(&e->heard.lock, NULL);
    e->heard.positions = calloc(count, 1);
    e->result = (struct lb_result){.pixels = malloc(count * sizeof *e->result.pixels),
                                   .cost = malloc(count * sizeof *e->result.cost)};
    e->status = lb_portion_render(e->team, &work, &listener, &e->result, e->did, &e->error);
    return NULL;
}

/* What came of it is what one processor alone would have made of the same range. */
static void expect_done(struct errand *e, uint32_t members)
{
    uint64_t samples = 0, told = 0, each = samples_of(e);
    if (e->status != LB_OK)
        fail_msg("%s", e->error.message);
    for (uint64_t i = 0; i < e->range.end - e->range.begin; i++) {
        uint64_t pixel = lb_order_pixel(e->order, e->range.begin + i);
        bool holds = pixel != LB_NO_PIXEL;
        assert_int_equal(e->result.pixels[i].weight, holds ? each : 0);
        assert_int_equal(e->result.pixels[i].sum[0], holds ? pixel * each : 0);
        assert_int_equal(e->result.pixels[i].sum[1], holds ? sum_squares(1, 1 + (uint32_t)each) : 0);
        assert_true(e->result.cost[i] == (holds ? (float)each : 0.0f));
        assert_true(e->heard.positions[i]);
        samples += holds ? each : 0;
    }
    for (uint32_t i = 0; i < members; i++)
        told += e->did[i].samples;
    assert_int_equal(told, samples);
    assert_int_equal(e->result.samples, samples);
    assert_int_equal(e->result.counters.nodes, samples);
    assert_true(e->result.render_seconds >= 0);
    assert_false(e->result.stopped);
}

static void drop(struct errand *e)
{
    free(e->heard.positions);
    free(e->result.pixels);
    free(e->result.cost);
}

static struct lb_range any_range(const lb_order *order, unsigned *random)
{
    uint64_t begin = (uint64_t)rand_r(random) % order->count;
    return (struct lb_range){begin, begin + 1 + (uint64_t)rand_r(random) % (order->count - begin)};
}

/* Random ranges of a random order, one to four at once, and some of the members fail or are lost. */
static void portions(void **unused)
{
    (void)unused;
    unsigned random = 1;
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (uint32_t turn = 0; turn < 30; turn++) {
            struct bench bench;
            struct errand errands[4];
            pthread_t threads[4];
            uint32_t width = 1 + (uint32_t)rand_r(&random) % 90, height = 1 + (uint32_t)rand_r(&random) % 90;
            set_up(&bench, lb_strategies[s], 1 + turn % 6, width, height, 5);
            for (uint32_t i = 1; i < bench.count; i++) {
                marker_of(&bench, i)->fails = turn % 3 ? 0 : 200;
                marker_of(&bench, i)->loses = turn % 2;
            }
            lb_order order = turn % 2 ? lb_order_reversed(width, height, 8, LB_CURVE_ROWS)
                                      : lb_order_shuffled(width, height, 8, turn);
            struct lb_portion_team *team = open_team(&bench);
            for (uint32_t i = 0; i <= turn % 4; i++) {
                errands[i] = (struct errand){.team = team,
                                             .scene = &bench.scene,
                                             .order = &order,
                                             .range = any_range(&order, &random)};
                assert_int_equal(pthread_create(&threads[i], NULL, go, &errands[i]), 0);
            }
            for (uint32_t i = 0; i <= turn % 4; i++) {
                pthread_join(threads[i], NULL);
                expect_done(&errands[i], bench.count);
                drop(&errands[i]);
            }
            lb_portion_team_close(team);
            tear_down(&bench);
        }
}

static void all_are_lost(void **unused)
{
    (void)unused;
    struct bench bench;
    set_up(&bench, lb_strategy_find("pool"), 2, 64, 64, 2);
    for (uint32_t i = 0; i < 2; i++) {
        marker_of(&bench, i)->fails = 1000;
        marker_of(&bench, i)->loses = true;
    }
    lb_order order = lb_order_curve(64, 64, LB_CURVE_ROWS);
    struct errand e = {.team = open_team(&bench), .scene = &bench.scene, .order = &order, .range = {0, 4096}};
    for (int turn = 0; turn < 2; turn++) {
        go(&e);
        assert_int_equal(e.status, LB_ERROR);
        assert_string_equal(e.error.message, "every processor was lost");
        drop(&e);
    }
    assert_true(bench.members[0].lost && bench.members[1].lost);
    lb_portion_team_close(e.team);
    tear_down(&bench);
}

/* ---- nobody waits ---- */

/* A processor that does something before it renders a piece, with what all of the team's share. */
struct actor {
    struct marker marker; /* first: how it renders */
    void (*before)(struct actor *actor, const struct lb_work *work);
    void *shared;
    bool here; /* it was asked before */
};

static enum lb_status act_and_mark(struct lb_processor *processor, const struct lb_work *work,
                                   struct lb_result *result, bool *lost, struct lb_error *error)
{
    struct actor *actor = (struct actor *)processor;
    actor->before(actor, work);
    return mark(processor, work, result, lost, error);
}

static const struct lb_processor_table actor_table = {.render = act_and_mark, .close = unmark};

static void make_actors(struct bench *bench, void (*before)(struct actor *actor, const struct lb_work *work),
                        void *shared)
{
    for (uint32_t i = 0; i < bench->count; i++) {
        struct actor *actor = calloc(1, sizeof *actor);
        actor->before = before;
        actor->shared = shared;
        actor->marker = *marker_of(bench, i);
        actor->marker.base.table = &actor_table;
        unmark(bench->members[i].processor);
        bench->members[i].processor = &actor->marker.base;
    }
}

/* Comes no further with the order's first position until it is let. */
static void wait_for_word(struct actor *actor, const struct lb_work *work)
{
    while (work->range.begin == 0 && !atomic_load((atomic_bool *)actor->shared))
        lb_clock_sleep_until(lb_clock_now() + 1e-4);
}

/* While one member is still at the first range, which has a single sample, the others do all of the second. */
static void nobody_waits(void **unused)
{
    (void)unused;
    for (uint32_t members = 2; members < 5; members++) {
        struct bench bench;
        atomic_bool may_go = false;
        pthread_t thread;
        set_up(&bench, lb_strategy_find("auto"), members, 64, 64, 2);
        make_actors(&bench, wait_for_word, &may_go);
        lb_order order = lb_order_curve(64, 64, LB_CURVE_ROWS);
        struct errand first = {
            .team = open_team(&bench), .scene = &bench.scene, .order = &order, .range = {0, 1}};
        struct errand second = first;
        first.samples = 1;
        second.range = (struct lb_range){1, 4096};
        assert_int_equal(pthread_create(&thread, NULL, go, &first), 0);
        go(&second);
        expect_done(&second, members);
        atomic_store(&may_go, true);
        pthread_join(thread, NULL);
        expect_done(&first, members);
        drop(&first);
        drop(&second);
        lb_portion_team_close(first.team);
        tear_down(&bench);
    }
}

/* ---- a pixel's samples are shared ---- */

struct meeting {
    uint32_t members;
    atomic_uint here;
};

static void meet(struct actor *actor, const struct lb_work *work)
{
    struct meeting *meeting = actor->shared;
    (void)work;
    if (!actor->here)
        atomic_fetch_add(&meeting->here, 1);
    actor->here = true;
    while (atomic_load(&meeting->here) < meeting->members)
        lb_clock_sleep_until(lb_clock_now() + 1e-4);
}

/* One pixel, of which nobody renders more before all are at it. */
static void a_pixel_is_shared(void **unused)
{
    (void)unused;
    for (uint32_t members = 2; members < 6; members++) {
        struct bench bench;
        struct meeting meeting = {.members = members};
        set_up(&bench, lb_strategy_find("pool"), members, 64, 64, 2);
        make_actors(&bench, meet, &meeting);
        lb_order order = lb_order_curve(64, 64, LB_CURVE_ROWS);
        struct errand e = {.team = open_team(&bench),
                           .scene = &bench.scene,
                           .order = &order,
                           .range = {7, 8},
                           .samples = 64};
        go(&e);
        expect_done(&e, members);
        for (uint32_t i = 0; i < members; i++)
            assert_true(e.did[i].samples > 0);
        drop(&e);
        lb_portion_team_close(e.team);
        tear_down(&bench);
    }
}

struct stopping {
    atomic_int stop;
    atomic_uint pieces; /* until it is set */
};

static void stop_soon(struct actor *actor, const struct lb_work *work)
{
    struct stopping *stopping = actor->shared;
    (void)work;
    if (atomic_fetch_sub(&stopping->pieces, 1) == 1)
        atomic_store(&stopping->stop, 1);
}

/* Of a range that is stopped, each pixel has all of its samples or none, and no more are told than that. */
static void stopped_pixels_are_whole(void **unused)
{
    (void)unused;
    unsigned random = 3;
    uint32_t some = 0;
    for (uint32_t turn = 0; turn < 300; turn++) {
        struct bench bench;
        struct stopping stopping;
        uint32_t members = 2 + turn % 4;
        set_up(&bench, lb_strategy_find(turn % 2 ? "auto" : "pool"), members, 64, 64, 2);
        atomic_init(&stopping.stop, 0);
        atomic_init(&stopping.pieces, 1 + (unsigned)rand_r(&random) % 60);
        make_actors(&bench, stop_soon, &stopping);
        lb_order order = lb_order_reversed(64, 60, 8, LB_CURVE_ROWS);
        struct errand e = {.team = open_team(&bench),
                           .scene = &bench.scene,
                           .order = &order,
                           .range = {5, 9 + turn % 20},
                           .samples = 2 + turn % 14,
                           .stop = (const int *)&stopping.stop};
        uint64_t samples = 0, told = 0;
        go(&e);
        assert_int_equal(e.status, LB_OK);
        for (uint64_t i = 0; i < e.range.end - e.range.begin; i++) {
            const lb_film_pixel *pixel = &e.result.pixels[i];
            assert_true(pixel->weight == 0 || pixel->weight == e.samples);
            assert_int_equal(pixel->sum[1], pixel->weight ? sum_squares(1, 1 + e.samples) : 0);
            samples += (uint64_t)pixel->weight;
        }
        for (uint32_t i = 0; i < members; i++)
            told += e.did[i].samples;
        assert_int_equal(e.result.samples, samples);
        assert_true(told <= samples);
        some += e.result.stopped && samples > 0;
        drop(&e);
        lb_portion_team_close(e.team);
        tear_down(&bench);
    }
    assert_true(some > 0);
}

/* Where the strategy's own order has padding, up to half of it, that falls to nobody alone: equal shares are equal, but
 * for a row of the picture that the strategy plans. */
static void padding_is_shared(void **unused)
{
    (void)unused;
    static const char *const names[] = {"contiguous", "bitrev"};
    for (size_t n = 0; n < 2; n++)
        for (uint64_t count = 64; count < 400; count += 7) {
            struct bench bench;
            set_up(&bench, lb_strategy_find(names[n]), 4, 64, 64, 2);
            lb_order order = lb_order_curve(64, 64, LB_CURVE_ROWS);
            struct errand e = {
                .team = open_team(&bench), .scene = &bench.scene, .order = &order, .range = {0, count}};
            go(&e);
            expect_done(&e, 4);
            for (uint32_t i = 0; i < 4; i++)
                assert_true(fabs((double)e.did[i].samples / 3 - (double)count / 4) < sqrt((double)count));
            drop(&e);
            lb_portion_team_close(e.team);
            tear_down(&bench);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(portions),
        cmocka_unit_test(all_are_lost),
        cmocka_unit_test(nobody_waits),
        cmocka_unit_test(a_pixel_is_shared),
        cmocka_unit_test(stopped_pixels_are_whole),
        cmocka_unit_test(padding_is_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
