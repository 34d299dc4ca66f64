/* Simulates CPU threads of unequal speeds and GPUs: hybrid and auto must balance them, whatever the mix. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/simulate/simulate.h"
#include "strategies/two_level.h"

enum { WIDTH = 960, HEIGHT = 540, MIXES = 24 };

static uint64_t state = 0xa4093822299f31d0u;

static double draw(double low, double high)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(state >> 11) * 0x1p-53);
}

/* A hill of costs with noise on it. */
static float *make_map(void)
{
    float *cost = malloc((size_t)WIDTH * HEIGHT * sizeof *cost);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        double x = i % WIDTH / (double)WIDTH - 0.3, y = i / WIDTH / (double)HEIGHT - 0.6;
        cost[i] = (float)((1 + 9 * exp(-20 * (x * x + y * y))) * draw(0.5, 1.5));
    }
    return cost;
}

/* 1 .. 16 threads of speeds 1 .. 4, up to two GPUs that are 4 .. 200 times as fast; a frame of five seconds. */
static void make_mix(struct lb_sim_spec *spec, uint32_t gpus)
{
    uint32_t threads = 1 + (uint32_t)draw(0, 16);
    assert_int_equal(lb_sim_spec_make(threads + gpus, spec, NULL), LB_OK);
    spec->range_overhead = 3e-4;
    double sum = 0;
    for (uint32_t i = 0; i < spec->count; i++) {
        spec->processors[i].kind = i < threads ? LB_PROCESSOR_CPU : LB_PROCESSOR_GPU;
        spec->processors[i].type = i < threads ? "cpu" : "cuda";
        spec->processors[i].speed = i < threads ? draw(1, 4) : exp(draw(log(4), log(200)));
        sum += spec->processors[i].speed;
    }
    spec->total_seconds = 5 * sum;
}

static void simulate(const char *strategy, const struct lb_sim_spec *spec, const struct lb_estimate *map,
                     struct lb_report_frame *frame)
{
    struct lb_error error = {0};
    struct lb_simulation job = {.spec = spec,
                                .settings.strategy = lb_strategy_find(strategy),
                                .width = WIDTH,
                                .height = HEIGHT,
                                .costs = map,
                                .frame_count = 1};
    if (lb_simulate(&job, frame, NULL, 0, &error) != LB_OK)
        fail_msg("%s", error.message);
}

/* The time from when the first of the two kinds of processors is done until the other is, as a part of T. */
static double apart(const struct lb_report_balance *all)
{
    double ends[2] = {0, 0};
    for (uint32_t i = 0; i < all->processor_count; i++) {
        double *end = &ends[strcmp(all->processors[i].kind, "cuda") == 0];
        *end = fmax(*end, all->processors[i].finish_seconds);
    }
    return fabs(ends[0] - ends[1]) / all->t;
}

static void balance(const char *name, uint32_t gpus, double least, double most_apart)
{
    struct lb_estimate map = {WIDTH, HEIGHT, make_map()};
    for (int i = 0; i < MIXES; i++) {
        struct lb_sim_spec spec;
        struct lb_report_frame frame;
        make_mix(&spec, gpus);
        simulate(name, &spec, &map, &frame);
        if (frame.all.efficiency < least || (gpus > 0 && apart(&frame.all) > most_apart))
            fail_msg("%s, mix %d of %u processors: efficiency %.4f, %.2f %% of T apart", name, i, spec.count,
                     frame.all.efficiency, 100 * apart(&frame.all));
        lb_report_frame_free(&frame);
        lb_sim_spec_free(&spec);
    }
    free((float *)map.cost);
}

static void hybrid_balances(void **unused)
{
    (void)unused;
    balance("hybrid", 0, 0.99, 0);
    balance("hybrid", 1, 0.97, 0.02);
    balance("hybrid", 2, 0.97, 0.02);
}

/* When all GPUs are lost, what they had in hand and what was still theirs is dealt in chunks that shrink, not region by
 * region. */
static void the_rest_of_lost_gpus_is_dealt_in_chunks(void **unused)
{
    (void)unused;
    struct lb_estimate map = {WIDTH, HEIGHT, make_map()};
    for (uint32_t gpus = 1; gpus <= 2; gpus++) {
        struct lb_sim_spec spec;
        struct lb_report_frame frame;
        make_mix(&spec, gpus);
        for (uint32_t i = spec.count - gpus; i < spec.count; i++)
            spec.processors[i].fails = 1.5 + i % 2;
        simulate("hybrid", &spec, &map, &frame);
        uint32_t threads = spec.count - gpus;
        double last = 0, first = frame.all.t;
        for (uint32_t i = 0; i < threads; i++) {
            last = fmax(last, frame.all.processors[i].finish_seconds);
            first = fmin(first, frame.all.processors[i].finish_seconds);
            assert_true(frame.all.processors[i].ranges < 1000);
        }
        assert_int_equal(frame.all.lost, gpus);
        assert_true(last - first < 0.01 * frame.all.t);
        lb_report_frame_free(&frame);
        lb_sim_spec_free(&spec);
    }
    free((float *)map.cost);
}

static void auto_balances(void **unused)
{
    (void)unused;
    balance("auto", 1, 0.98, 0.02);
    balance("auto", 2, 0.98, 0.02);
}

/* ---- alpha, the forecast, the patent's example ---- */

static double number_after(const char *words, const char *name)
{
    const char *at = strstr(words, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

static void preset_alpha(struct lb_settings *settings, double alpha)
{
    const struct lb_option *const *option = settings->strategy->options;
    while (strcmp((*option)->name, "alpha") != 0)
        option++;
    lb_option_give(&settings->options, *option, (union lb_option_value){.real = alpha});
}

static void describe(const struct lb_sim_spec *spec, const struct lb_estimate *map, double preset,
                     char *words, double *t)
{
    struct lb_report_frame frame;
    struct lb_simulation job = {.spec = spec,
                                .settings.strategy = lb_strategy_find("hybrid"),
                                .width = WIDTH,
                                .height = HEIGHT,
                                .costs = map,
                                .frame_count = 1};
    if (preset > 0)
        preset_alpha(&job.settings, preset);
    assert_int_equal(lb_simulate(&job, &frame, words, 512, NULL), LB_OK);
    assert_string_equal(words, frame.passes[0].described);
    *t = frame.all.t;
    lb_report_frame_free(&frame);
}

/* Contention of 0.8 to 3 is found within 5 %, the frame's time is foretold within 5 %, and what it says it took is
 * true. */
static void alpha_is_true(void **unused)
{
    (void)unused;
    struct lb_estimate map = {WIDTH, HEIGHT, make_map()};
    for (int i = 0; i < MIXES; i++) {
        char words[512];
        double t;
        struct lb_sim_spec spec;
        do {
            make_mix(&spec, 1);
            if (spec.count == 2)
                lb_sim_spec_free(&spec);
        } while (spec.count < 3);
        spec.contention = draw(0.8, 3);
        describe(&spec, &map, 0, words, &t);
        if (fabs(number_after(words, "alpha ") / spec.contention - 1) > 0.05 ||
            fabs(number_after(words, "predicted ") / t - 1) > 0.05 ||
            fabs(number_after(words, "took ") / t - 1) > 0.01)
            fail_msg("contention %.3f, T %.3f: %s", spec.contention, t, words);
        describe(&spec, &map, 1.5, words, &t);
        assert_non_null(strstr(words, "alpha 1.500 preset"));
        lb_sim_spec_free(&spec);
    }
    free((float *)map.cost);
}

/* Where times scatter, alpha is told with an error of less than a fifth of it and the speed-ups that follow from it,
 * or as not known and without them. */
static void alpha_may_be_unknown(void **unused)
{
    (void)unused;
    struct lb_estimate map = {WIDTH, HEIGHT, make_map()};
    int unknown = 0, known = 0;
    for (int i = 0; i < 100; i++) {
        char words[512];
        double t;
        struct lb_sim_spec spec;
        make_mix(&spec, 1);
        spec.contention = draw(0.8, 3);
        spec.jitter = draw(0, 2);
        describe(&spec, &map, 0, words, &t);
        bool told = strstr(words, "speed-up ") != NULL, open = strstr(words, "alpha not known (") != NULL;
        assert_true(told != open || strstr(words, "no split") != NULL);
        unknown += open;
        if (told && strstr(words, " +- ")) {
            known++;
            assert_true(number_after(words, " +- ") <= 0.2 * number_after(words, "alpha ") + 0.001);
        }
        lb_sim_spec_free(&spec);
    }
    assert_true(unknown > 5 && known > 5);
    free((float *)map.cost);
}

/* Of an odd number of samples there are no halves: then the pixels beside are compared, and alpha is near the truth. */
static void odd_samples_are_not_split(void **unused)
{
    (void)unused;
    struct lb_estimate map = {WIDTH, HEIGHT, make_map()};
    struct lb_sim_spec spec;
    char words[512];
    double t;
    assert_int_equal(lb_sim_spec_make(5, &spec, NULL), LB_OK);
    spec.processors[4].kind = LB_PROCESSOR_GPU;
    spec.contention = 2;
    for (spec.samples = 1; spec.samples <= 5; spec.samples++) {
        describe(&spec, &map, 0, words, &t);
        double alpha = number_after(words, "alpha ");
        if (fabs(alpha / 2 - 1) > (spec.samples % 2 == 0 ? 0.05 : 0.1) || strstr(words, " +- ") == NULL)
            fail_msg("%u samples: %s", spec.samples, words);
    }
    lb_sim_spec_free(&spec);
    free((float *)map.cost);
}

/* The readings that lbrender-strategies(7) has of the patent's example are the program's. */
static void the_patents_example(void **unused)
{
    (void)unused;
    static const char *const names[] = {"alpha = 1.15 throughout", "alpha = 1",
                                        "split by 1, running with 1.15"};
    char line[128], text[256];
    for (int i = 0; i < 3; i++) {
        struct lb_two_level split = lb_two_level_split(1000, 3, 0.079, 0.005, i == 0 ? 1.15 : 1);
        double t = split.seconds;
        if (i == 2)
            t = fmax(1.15 * (double)split.s1 * 0.079 / 3, (double)split.s2 * 0.005);
        snprintf(line, sizeof line, "%-35ss1 %llu  s2 %llu  T %.3f s  %.1f times", names[i],
                 (unsigned long long)split.s1, (unsigned long long)split.s2, t, 1000 * 0.079 / t);
        FILE *page = fopen("man/lbrender-strategies.7", "r");
        bool found = false;
        assert_non_null(page);
        while (!found && fgets(text, sizeof text, page) != NULL)
            found = strncmp(text, line, strlen(line)) == 0;
        fclose(page);
        if (!found)
            fail_msg("not in the page: %s", line);
    }
    assert_true(lb_two_level_split(1000, 3, 0, 0.005, 1).s1 == 0);
    assert_int_equal(lb_two_level_split(2, 16, 1, 1, 1).k, 1);
}

/* A region is one thread's, so that k <= s1; and there are as many threads as that allows. */
static void few_regions_have_few_threads(void **unused)
{
    (void)unused;
    struct lb_two_level split = lb_two_level_split(39, 32, 20, 1, 1);
    assert_int_equal(split.k, 19);
    assert_int_equal(split.s1, 19);
    assert_true(fabs(split.seconds - 20) < 1e-9 && fabs(split.threads_speed_up - 19) < 1e-9);
    for (int i = 0; i < 100000; i++) {
        uint64_t s = (uint64_t)draw(1, 300);
        uint32_t threads = (uint32_t)draw(1, 64);
        double t_cpu = exp(draw(-3, 6)), t_gpu = exp(draw(-3, 2)), alpha = draw(0.5, 3);
        split = lb_two_level_split(s, threads, t_cpu, t_gpu, alpha);
        double due = (double)s * split.k * t_gpu / (alpha * t_cpu + split.k * t_gpu);
        double more = (double)s * (split.k + 1) * t_gpu / (alpha * t_cpu + (split.k + 1) * t_gpu);
        if (split.s1 + split.s2 != s || split.k > split.s1 || split.k > threads ||
            fabs(due - (double)split.s1) > 1 || (double)split.s1 > due + 1e-6 ||
            (split.k < threads && more > split.k + 1 + 1e-6))
            fail_msg("s %d, %u threads, t_cpu %g, t_gpu %g, alpha %g: s1 %d, k %u", (int)s, threads, t_cpu,
                     t_gpu, alpha, (int)split.s1, split.k);
    }
}

/* A few regions may all be cheap: it is single pixels that tell the speed of a thread beside a far faster GPU. The
 * GPU's speed-up over it is within a half of the truth where only a spot of the picture is dear. */
static void unlike_regions_tell_the_speed(void **unused)
{
    (void)unused;
    struct lb_estimate map = {WIDTH, HEIGHT, make_map()};
    struct lb_sim_spec spec;
    assert_int_equal(lb_sim_spec_make(2, &spec, NULL), LB_OK);
    spec.processors[1].kind = LB_PROCESSOR_GPU;
    spec.processors[1].speed = 50;
    for (int spot = 0; spot < 30; spot++) {
        char words[512];
        double t, at_x = draw(0, WIDTH), at_y = draw(0, HEIGHT);
        for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
            map.cost[i] = hypot(i % WIDTH - at_x, i / (double)WIDTH - at_y) < 100 ? 10 : 1;
        describe(&spec, &map, 0, words, &t);
        double ratio = number_after(words, "GPUs ");
        if (!(ratio > 50 / 1.5 && ratio < 50 * 1.5))
            fail_msg("a spot at %g, %g: %s", at_x, at_y, words);
    }
    lb_sim_spec_free(&spec);
    free((float *)map.cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(hybrid_balances),
        cmocka_unit_test(the_rest_of_lost_gpus_is_dealt_in_chunks),
        cmocka_unit_test(auto_balances),
        cmocka_unit_test(alpha_is_true),
        cmocka_unit_test(alpha_may_be_unknown),
        cmocka_unit_test(odd_samples_are_not_split),
        cmocka_unit_test(the_patents_example),
        cmocka_unit_test(few_regions_have_few_threads),
        cmocka_unit_test(unlike_regions_tell_the_speed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
