/* Simulated efficiency of the strategies on a cost map, against the number of processors.
 * usage: balance MAP.pfm [same|mixed] [strategy[:region[:curve]] ...]
 * same: identical processors of speed 1; mixed: speeds drawn evenly from 1 .. 20. Weights are given to bitrev alone, which is
 * told the true speeds. Prints a line a number of processors and a column a strategy, as gnuplot reads it, then the least of
 * each column; with --orbit MAP.pfm ... instead the frames of an animation under contiguous and pbt, 8 processors. */
#include "core/image/image.h"
#include "core/run/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROCESSORS = 64, MOST_COLUMNS = 32, MOST_FRAMES = 64 };

struct column {
    const struct lb_strategy *strategy;
    char name[64];
    uint64_t region;
    enum lb_curve curve;
    double least;
};

static uint64_t state = 7;

static double draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static int fail(const char *message)
{
    fprintf(stderr, "balance: %s\n", message);
    return 1;
}

/* The first channel; rows from the top. */
static bool read_map(const char *path, struct lb_estimate *map)
{
    struct lb_picture picture = {0};
    struct lb_error error;
    if (lb_picture_read(path, &picture, &error) != LB_OK || picture.floats == NULL)
        return fail(picture.floats == NULL ? path : error.message) == 0;
    size_t count = (size_t)picture.width * picture.height;
    float *cost = malloc(count * sizeof *cost);
    for (size_t i = 0; cost != NULL && i < count; i++)
        cost[i] = picture.floats[i * picture.channels];
    *map = (struct lb_estimate){picture.width, picture.height, cost};
    lb_picture_free(&picture);
    return cost != NULL;
}

static bool read_column(const char *text, struct column *column)
{
    size_t length = strcspn(text, ":");
    *column = (struct column){.least = 1};
    if (length >= sizeof column->name || strlen(text) >= sizeof column->name)
        return false;
    memcpy(column->name, text, length);
    column->strategy = lb_strategy_find(column->name);
    if (text[length] == ':')
        column->region = strtoull(text + length + 1, NULL, 10);
    if (strstr(text, ":hilbert") != NULL)
        column->curve = LB_CURVE_HILBERT;
    snprintf(column->name, sizeof column->name, "%s", text);
    return column->strategy != NULL;
}

static double measure(const struct column *column, const struct lb_sim_spec *spec,
                      const struct lb_estimate *map)
{
    double *speeds = calloc(spec->count, sizeof *speeds), efficiency = 0;
    for (uint32_t k = 0; k < spec->count; k++)
        speeds[k] = spec->processors[k].speed;
    struct lb_simulation job = {.spec = spec,
                                .strategy = column->strategy,
                                .plan = {.width = map->width,
                                         .height = map->height,
                                         .region_size = column->region,
                                         .curve = column->curve},
                                .weights = strcmp(column->strategy->name, "bitrev") == 0 ? speeds : NULL,
                                .costs = map,
                                .frame_count = 1};
    struct lb_report_frame frame;
    struct lb_error error;
    if (lb_simulate(&job, &frame, NULL, 0, &error) == LB_OK)
        efficiency = frame.all.efficiency;
    else
        fail(error.message);
    lb_report_frame_free(&frame);
    free(speeds);
    return efficiency;
}

static int print_table(const struct lb_estimate *map, bool mixed, struct column *columns, int count)
{
    printf("# %u x %u, %s\n# processors", map->width, map->height, mixed ? "speeds 1..20" : "identical");
    for (int i = 0; i < count; i++)
        printf(" %s", columns[i].name);
    printf("\n");
    for (uint32_t p = 1; p <= MOST_PROCESSORS; p++) {
        struct lb_sim_spec spec;
        struct lb_error error;
        if (lb_sim_spec_make(p, &spec, &error) != LB_OK)
            return fail(error.message);
        for (uint32_t k = 0; k < p && mixed; k++)
            spec.processors[k].speed = 1 + 19 * draw();
        printf("%u", p);
        for (int i = 0; i < count; i++) {
            double efficiency = measure(&columns[i], &spec, map);
            columns[i].least = fmin(columns[i].least, efficiency);
            printf(" %.4f", efficiency);
        }
        printf("\n");
        fflush(stdout);
        lb_sim_spec_free(&spec);
    }
    printf("# least");
    for (int i = 0; i < count; i++)
        printf(" %.4f", columns[i].least);
    printf("\n");
    return 0;
}

/* The frames of an animation under one strategy: each one's T and, for the last, the sum. */
static bool run_orbit(const char *name, bool known, const struct lb_estimate *maps, uint32_t count, double *t,
                      double *t_min)
{
    struct lb_sim_spec spec;
    struct lb_report_frame frames[MOST_FRAMES];
    struct lb_error error;
    if (lb_sim_spec_make(8, &spec, &error) != LB_OK)
        return false;
    struct lb_simulation job = {.spec = &spec,
                                .strategy = lb_strategy_find(name),
                                .plan = {.width = maps[0].width, .height = maps[0].height},
                                .costs = maps,
                                .known_costs = known,
                                .frame_count = count};
    bool good = lb_simulate(&job, frames, NULL, 0, &error) == LB_OK || fail(error.message) == 0;
    for (uint32_t i = 0; i < count; i++) {
        t[i] = frames[i].all.t;
        t_min[i] = frames[i].all.t_min;
        lb_report_frame_free(&frames[i]);
    }
    lb_sim_spec_free(&spec);
    return good;
}

static double variance(const double *t, uint32_t count)
{
    double mean = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        mean += t[i] / count;
    for (uint32_t i = 0; i < count; i++)
        sum += (t[i] - mean) * (t[i] - mean) / count;
    return sum;
}

static int print_orbit(char **paths, uint32_t count)
{
    static struct lb_estimate maps[MOST_FRAMES];
    double blocks[MOST_FRAMES], pbt[MOST_FRAMES], known[MOST_FRAMES], t_min[MOST_FRAMES],
        speed_up = 0, ideal = 0, saved = 0;
    if (count < 1 || count > MOST_FRAMES)
        return fail("1 to 64 maps are wanted");
    for (uint32_t i = 0; i < count; i++)
        if (!read_map(paths[i], &maps[i]))
            return 1;
    if (!run_orbit("contiguous", false, maps, count, blocks, t_min) ||
        !run_orbit("pbt", false, maps, count, pbt, t_min) ||
        !run_orbit("pbt", true, maps, count, known, t_min))
        return 1;
    printf("# frame contiguous pbt efficiency efficiency-known\n");
    for (uint32_t i = 0; i < count; i++) {
        printf("%u %.3f %.3f %.4f %.4f\n", i, blocks[i], pbt[i], t_min[i] / pbt[i], t_min[i] / known[i]);
        speed_up += (blocks[i] / pbt[i] - 1) / count;
        ideal += (blocks[i] / t_min[i] - 1) / count;
        saved += (1 - pbt[i] / blocks[i]) / count;
    }
    printf("# speed-up %.3f ideal %.3f time saved %.3f variance %.4f contiguous %.4f pbt\n", speed_up, ideal,
           saved, variance(blocks, count), variance(pbt, count));
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"naive", "scanline", "strips", "bitrev", "bitrev:1:hilbert",
                                        "pool",  "steal",    "auto"};
    struct column columns[MOST_COLUMNS];
    struct lb_estimate map;
    int count = 0;
    if (argc < 2)
        return fail(
            "usage: balance MAP.pfm [same|mixed] [strategy[:region[:curve]] ...] | --orbit MAP.pfm ...");
    if (strcmp(argv[1], "--orbit") == 0)
        return print_orbit(argv + 2, (uint32_t)(argc - 2));
    if (!read_map(argv[1], &map))
        return 1;
    for (int i = 3; i < argc && count < MOST_COLUMNS; i++)
        if (!read_column(argv[i], &columns[count++]))
            return fail("no such strategy");
    for (size_t i = 0; argc <= 3 && i < sizeof usual / sizeof usual[0]; i++)
        read_column(usual[i], &columns[count++]);
    return print_table(&map, argc > 2 && strcmp(argv[2], "mixed") == 0, columns, count);
}
