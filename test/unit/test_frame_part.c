/* Frames of which a part is there already, and frames that are looked at while they are rendered. */
#include "schedule_help.h"

#include <pthread.h>

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
        assert_int_equal(
            lb_run_open(&bench.options, bench.members, bench.count, MOST, &bench.run, &bench.error), LB_OK);
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
        assert_int_equal(
            lb_run_open(&bench.options, bench.members, bench.count, MOST, &bench.run, &bench.error), LB_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renders_what_is_missing),
        cmocka_unit_test(is_looked_at_while_it_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
