/* CPU threads and GPUs that nobody knows the speeds of, simulated: how well hybrid and auto balance them, and whether
 * what hybrid says of itself is true. usage: mixes [-n 63] [-s 1] MAP.pfm ... -n: mixes a map. -s: the seed they are
 * drawn from. A mix has 1 to 16 threads of speeds 1 to 4, one or two GPUs that are 4 to 200 times as fast as a thread
 * of speed 1, and contention of 0.8 to 3 among the threads; the frame takes five seconds, a range 0.3 ms more than its
 * work. Prints a line of CSV for each map, for bench/tables.py: the least efficiency of each strategy and, of hybrid,
 * by how much alpha is off where there are two threads or more and by how much the predicted time is, each as median
 * and as the most. */
#include "bench/map.h"
#include "core/simulate/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MIXES = 100000 };

struct result {
    double efficiency, alpha, predicted; /* alpha and predicted: by how much they are off, or NAN */
};

static double draw(uint64_t *state, double low, double high)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * ((double)((x ^ (x >> 31)) >> 11) * 0x1p-53);
}

static int fail(const char *message)
{
    fprintf(stderr, "mixes: %s\n", message);
    return 1;
}

static bool make_mix(uint64_t *state, struct lb_sim_spec *spec)
{
    struct lb_error error;
    uint32_t threads = 1 + (uint32_t)draw(state, 0, 16), gpus = 1 + (uint32_t)draw(state, 0, 2);
    if (lb_sim_spec_make(threads + gpus, spec, &error) != LB_OK)
        return fail(error.message) == 0;
    spec->contention = draw(state, 0.8, 3);
    spec->range_overhead = 3e-4;
    spec->total_seconds = 0;
    for (uint32_t k = 0; k < spec->count; k++) {
        struct lb_sim_processor *one = &spec->processors[k];
        one->kind = k < threads ? LB_PROCESSOR_CPU : LB_PROCESSOR_GPU;
        one->speed = k < threads ? draw(state, 1, 4) : exp(draw(state, log(4), log(200)));
        bool contends = k < threads && threads > 1;
        spec->total_seconds += 5 * one->speed / (contends ? spec->contention : 1);
    }
    return true;
}

/* The number after `name` in a strategy's words, or NAN. */
static double number_after(const char *words, const char *name)
{
    const char *at = strstr(words, name);
    return at == NULL ? NAN : strtod(at + strlen(name), NULL);
}

static bool measure(const struct lb_estimate *map, const struct lb_sim_spec *spec, const char *strategy,
                    struct result *result)
{
    char words[512] = "";
    struct lb_error error;
    struct lb_report_frame frame;
    struct lb_simulation job = {.spec = spec,
                                .settings.strategy = lb_strategy_find(strategy),
                                .width = map->width,
                                .height = map->height,
                                .costs = map,
                                .frame_count = 1};
    if (lb_simulate(&job, &frame, words, sizeof words, &error) != LB_OK)
        return fail(error.message) == 0;
    bool one = spec->count < 2 || spec->processors[1].kind != LB_PROCESSOR_CPU;
    result->efficiency = frame.all.efficiency;
    result->alpha = one ? NAN : fabs(number_after(words, "alpha ") / spec->contention - 1);
    result->predicted = fabs(number_after(words, "predicted ") / frame.all.t - 1);
    if (getenv("MIXES_ALL") != NULL)
        printf("%u processors, contention %.3f, efficiency %.4f, T %.3f: %s\n", spec->count, spec->contention,
               frame.all.efficiency, frame.all.t, words);
    lb_report_frame_free(&frame);
    return true;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ",median,most" of those that are numbers, in per cent; empty where none is. */
static void print_errors(double *values, int count)
{
    int known = 0;
    for (int i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[known++] = values[i];
    qsort(values, (size_t)known, sizeof *values, by_value);
    if (known > 0)
        printf(",%.2f %%,%.2f %%", 100 * values[known / 2], 100 * values[known - 1]);
    else
        printf(",,");
}

static bool sweep(const char *path, int mixes, uint64_t seed)
{
    static double alpha[MOST_MIXES], predicted[MOST_MIXES];
    struct lb_error error;
    struct lb_estimate map;
    double least[2] = {2, 2};
    uint64_t state = seed << 32;
    if (!map_read(path, &map, &error))
        return fail(error.message) == 0;
    for (int i = 0; i < mixes; i++) {
        struct lb_sim_spec spec;
        struct result results[2];
        if (!make_mix(&state, &spec) || !measure(&map, &spec, "auto", &results[0]) ||
            !measure(&map, &spec, "hybrid", &results[1]))
            return false;
        for (int s = 0; s < 2; s++)
            least[s] = fmin(least[s], results[s].efficiency);
        alpha[i] = results[1].alpha;
        predicted[i] = results[1].predicted;
        lb_sim_spec_free(&spec);
    }
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    printf("%.*s,%.4f,%.4f", (int)strcspn(name, "."), name, least[0], least[1]);
    print_errors(alpha, mixes);
    print_errors(predicted, mixes);
    printf("\n");
    fflush(stdout);
    free((float *)map.cost);
    return true;
}

int main(int argc, char **argv)
{
    int letter, mixes = 63;
    uint64_t seed = 1;
    while ((letter = getopt(argc, argv, "n:s:")) != -1) {
        if (letter == 'n')
            mixes = (int)strtol(optarg, NULL, 10);
        else if (letter == 's')
            seed = strtoull(optarg, NULL, 10);
        else
            return fail("usage: mixes [-n MIXES] [-s SEED] MAP.pfm ...");
    }
    if (optind >= argc || mixes < 1 || mixes > MOST_MIXES)
        return fail("usage: mixes [-n MIXES] [-s SEED] MAP.pfm ...");
    printf("map,auto,hybrid,alpha off: median,alpha off: most,"
           "predicted time off: median,predicted time off: most\n");
    for (int i = optind; i < argc; i++)
        if (!sweep(argv[i], mixes, seed))
            return 1;
    return 0;
}
