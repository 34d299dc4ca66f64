/* Simulated efficiency of the strategies on cost maps, against the number of processors.
 * usage: balance [-p 1-64] [-m same,even,..] [-n 3] [-s 1] [-g 0] [-b 256] [-t | -w] MAP.pfm ...
 *                [STRATEGY[:REGION[:hilbert|:printed]] ...]
 * -p FIRST-LAST: numbers of processors; FIRST-LAST*: doubled each time. -g: so many neighbours are a group; 0: there
 * are none. -b: samples of a pixel, into which strategies may split it; 1: whole pixels. -n: mixes drawn for each
 * number. -s: the seed they are drawn from. -m: what speeds:
 *   same    all 1                            even    evenly from 1 .. 20       log     their logarithms evenly
 *   halves  half 1, half 20                  fast    one 20, the others 1      slow    one 1, the others 20
 *   jitter  even, and each range takes up to a tenth longer by chance; efficiency is against the mean of that
 * They are unknown to all but bitrev, which is given the true ones as weights. Prints, as gnuplot reads it, a line a
 * number of processors and a column a strategy: the least efficiency of the mixes; below them the least of each column,
 * where that was, and the median. -t: as CSV instead, for bench/tables.py, a line for each map, kind of speeds and
 * strategy with the least efficiency and the number of processors where it was. -w: the same, and where each
 * processor's time goes that is no work, in percent of T and weighted by speed, of the last simulation of each line. */
#include "bench/map.h"
#include "core/simulate/simulate.h"
#include "core/simulate/simulate_work.h"
#include "strategies/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_COLUMNS = 32, MOST_PROCESSORS = 1000000 };

enum speeds { SAME, EVEN, LOG, HALVES, FAST, SLOW, JITTER, SPEEDS };
static const char *const speeds_names[SPEEDS] = {"same", "even", "log", "halves", "fast", "slow", "jitter"};
static const double JITTER_PART = 0.1;

/* What processors do besides working, weighted by their speeds. */
struct loss {
    double ranges; /* that each gets */
    double beginning, asking,
        ending; /* parts of T: what ranges take beyond their work; messages and waiting; the time
                                         from a processor's end to the last one's */
};

struct column {
    const struct lb_strategy *strategy;
    char name[64];
    struct lb_option_values options;
    double least;
    uint32_t least_at;
    double *all;      /* of each number of processors */
    struct loss loss; /* of the last simulation */
};

struct sweep {
    const char *path;
    struct lb_estimate map;
    uint32_t *hilbert;
    uint32_t first, last, mixes, group;
    bool doubled;
    uint32_t samples;
    uint64_t seed;
    bool wanted[SPEEDS], table, why;
    struct column columns[MOST_COLUMNS];
    int count;
};

static double draw(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static int fail(const char *message)
{
    fprintf(stderr, "balance: %s\n", message);
    return 1;
}

static bool read_column(const char *text, struct column *column)
{
    size_t length = strcspn(text, ":");
    *column = (struct column){0};
    if (strlen(text) >= sizeof column->name)
        return false;
    memcpy(column->name, text, length);
    column->strategy = lb_strategy_find(column->name);
    uint64_t region = text[length] == ':' ? strtoull(text + length + 1, NULL, 10) : 0;
    if (region > 0)
        lb_option_give(&column->options, &lb_option_region_size, (union lb_option_value){.whole = region});
    if (strstr(text, ":hilbert") != NULL)
        lb_option_give(&column->options, &lb_option_curve, (union lb_option_value){.word = LB_CURVE_HILBERT});
    if (strstr(text, ":printed") != NULL) /* regions of the book's own size */
        lb_option_give(&column->options, &lb_option_region_drift,
                       (union lb_option_value){.word = LB_DRIFT_OFF});
    snprintf(column->name, sizeof column->name, "%s", text);
    return column->strategy != NULL;
}

static double draw_speed(enum speeds speeds, uint32_t k, uint32_t count, uint64_t *state)
{
    switch (speeds) {
    case EVEN:
    case JITTER:
        return 1 + 19 * draw(state);
    case LOG:
        return pow(20, draw(state));
    case HALVES:
        return k < count / 2 ? 1 : 20;
    case FAST:
        return k == 0 ? 20 : 1;
    case SLOW:
        return k == 0 ? 1 : 20;
    default:
        return 1;
    }
}

/* The same for every column, whatever was drawn before. Who is first should not matter: the order is shuffled. */
static bool make_mix(const struct sweep *sweep, enum speeds speeds, uint32_t count, uint32_t mix,
                     struct lb_sim_spec *spec)
{
    uint64_t state = (sweep->seed << 40) + ((uint64_t)mix << 24) + count;
    struct lb_error error;
    if (lb_sim_spec_make(count, spec, &error) != LB_OK)
        return fail(error.message) == 0;
    for (uint32_t k = 0; k < count; k++) {
        spec->processors[k].speed = draw_speed(speeds, k, count, &state);
        spec->processors[k].group = sweep->group == 0 ? 0 : k / sweep->group;
    }
    for (uint32_t k = count - 1; k > 0; k--) {
        uint32_t other = (uint32_t)(draw(&state) * (k + 1));
        double speed = spec->processors[k].speed;
        spec->processors[k].speed = spec->processors[other].speed;
        spec->processors[other].speed = speed;
    }
    spec->samples = sweep->samples;
    spec->jitter = speeds == JITTER ? JITTER_PART : 0;
    return true;
}

static struct loss find_loss(const struct lb_report_balance *all, double overhead)
{
    struct loss loss = {0};
    double speeds = 0;
    for (uint32_t k = 0; k < all->processor_count; k++) {
        const struct lb_report_processor *one = &all->processors[k];
        double part = one->speed / all->t, ranges = (double)one->ranges;
        speeds += one->speed;
        loss.ranges += one->speed * ranges;
        loss.beginning += part * ranges * overhead;
        loss.asking += part * (one->finish_seconds - one->busy_seconds);
        loss.ending += part * (all->t - one->finish_seconds);
    }
    return (struct loss){loss.ranges / speeds, loss.beginning / speeds, loss.asking / speeds,
                         loss.ending / speeds};
}

static double measure(const struct sweep *sweep, struct column *column, const struct lb_sim_spec *spec)
{
    double *speeds = calloc(spec->count, sizeof *speeds), efficiency = 0;
    for (uint32_t k = 0; k < spec->count; k++)
        speeds[k] = spec->processors[k].speed;
    struct lb_simulation job = {.spec = spec,
                                .settings = {.strategy = column->strategy, .options = column->options},
                                .width = sweep->map.width,
                                .height = sweep->map.height,
                                .weights = strcmp(column->strategy->name, "bitrev") == 0 ? speeds : NULL,
                                .costs = &sweep->map,
                                .frame_count = 1,
                                .hilbert = sweep->hilbert};
    struct lb_report_frame frame;
    struct lb_error error;
    if (lb_simulate(&job, &frame, NULL, 0, &error) == LB_OK) {
        efficiency = frame.all.efficiency * (1 + spec->jitter / 2);
        column->loss = find_loss(&frame.all, spec->range_overhead);
    } else {
        fail(error.message);
    }
    lb_report_frame_free(&frame);
    free(speeds);
    return efficiency;
}

/* All mixes of `count` processors: the least efficiency of each column. */
static bool measure_mixes(struct sweep *sweep, enum speeds speeds, uint32_t count)
{
    uint32_t mixes = speeds == SAME ? 1 : sweep->mixes;
    for (int i = 0; i < sweep->count; i++)
        sweep->columns[i].all[count - sweep->first] = 1;
    for (uint32_t mix = 0; mix < mixes; mix++) {
        struct lb_sim_spec spec;
        if (!make_mix(sweep, speeds, count, mix, &spec))
            return false;
        for (int i = 0; i < sweep->count; i++) {
            struct column *column = &sweep->columns[i];
            double efficiency = measure(sweep, column, &spec);
            if (column->all[count - sweep->first] > efficiency)
                column->all[count - sweep->first] = efficiency;
            if (column->least > efficiency) {
                column->least = efficiency;
                column->least_at = count;
            }
        }
        lb_sim_spec_free(&spec);
    }
    return true;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_ends(const struct sweep *sweep)
{
    uint32_t numbers = sweep->last - sweep->first + 1;
    printf("# least");
    for (int i = 0; i < sweep->count; i++)
        printf(" %.4f", sweep->columns[i].least);
    printf("\n# at");
    for (int i = 0; i < sweep->count; i++)
        printf(" %u", sweep->columns[i].least_at);
    printf("\n# median");
    for (int i = 0; i < sweep->count; i++) {
        double *all = sweep->columns[i].all;
        qsort(all, numbers, sizeof *all, by_value);
        printf(" %.4f", all[numbers / 2]);
    }
    printf("\n");
}

static void print_lines(const struct sweep *sweep, enum speeds speeds)
{
    const char *slash = strrchr(sweep->path, '/'), *name = slash == NULL ? sweep->path : slash + 1;
    for (int i = 0; i < sweep->count; i++) {
        const struct column *column = &sweep->columns[i];
        const struct loss *loss = &column->loss;
        printf("%.*s,%s,%s,%.4f,%u", (int)strcspn(name, "."), name, speeds_names[speeds], column->name,
               column->least, column->least_at);
        if (sweep->why)
            printf(",%.2f,%.2f %%,%.2f %%,%.2f %%", loss->ranges, 100 * loss->beginning, 100 * loss->asking,
                   100 * loss->ending);
        printf("\n");
    }
    fflush(stdout);
}

static bool sweep_speeds(struct sweep *sweep, enum speeds speeds)
{
    for (int i = 0; i < sweep->count; i++)
        sweep->columns[i].least = 2;
    if (!sweep->table) {
        printf("# %s %u x %u, speeds %s, least of %u mixes, seed %llu\n# processors", sweep->path,
               sweep->map.width, sweep->map.height, speeds_names[speeds], speeds == SAME ? 1 : sweep->mixes,
               (unsigned long long)sweep->seed);
        for (int i = 0; i < sweep->count; i++)
            printf(" %s", sweep->columns[i].name);
        printf("\n");
    }
    for (uint32_t count = sweep->first; count <= sweep->last;
         count = sweep->doubled ? 2 * count : count + 1) {
        if (!measure_mixes(sweep, speeds, count))
            return false;
        if (sweep->table)
            continue;
        printf("%u", count);
        for (int i = 0; i < sweep->count; i++)
            printf(" %.4f", sweep->columns[i].all[count - sweep->first]);
        printf("\n");
        fflush(stdout);
    }
    if (sweep->table)
        print_lines(sweep, speeds);
    else
        print_ends(sweep);
    return true;
}

/* "same,even" */
static bool read_speeds(char *text, bool *wanted)
{
    for (char *rest = text, *name; (name = strsep(&rest, ",")) != NULL;) {
        int kind = 0;
        while (kind < SPEEDS && strcmp(name, speeds_names[kind]) != 0)
            kind++;
        if (kind == SPEEDS)
            return false;
        wanted[kind] = true;
    }
    return true;
}

static bool read_options(int argc, char **argv, struct sweep *sweep)
{
    int letter;
    while ((letter = getopt(argc, argv, "p:m:n:s:g:b:tw")) != -1) {
        char *end = "";
        switch (letter) {
        case 'p':
            sweep->first = sweep->last = (uint32_t)strtoul(optarg, &end, 10);
            if (*end == '-')
                sweep->last = (uint32_t)strtoul(end + 1, &end, 10);
            sweep->doubled = *end == '*';
            end += sweep->doubled;
            break;
        case 'g':
            sweep->group = (uint32_t)strtoul(optarg, &end, 10);
            break;
        case 'm':
            if (!read_speeds(optarg, sweep->wanted))
                return false;
            break;
        case 'n':
            sweep->mixes = (uint32_t)strtoul(optarg, &end, 10);
            break;
        case 'b':
            sweep->samples = (uint32_t)strtoul(optarg, &end, 10);
            break;
        case 's':
            sweep->seed = strtoull(optarg, &end, 10);
            break;
        case 't':
            sweep->table = true;
            break;
        case 'w':
            sweep->table = sweep->why = true;
            break;
        default:
            return false;
        }
        if (*end != 0)
            return false;
    }
    return optind < argc && sweep->first >= 1 && sweep->first <= sweep->last &&
           sweep->last <= MOST_PROCESSORS && sweep->mixes >= 1 && sweep->samples >= 1;
}

static bool read_columns(struct sweep *sweep, char **names, int count)
{
    static char usual[][24] = {"naive", "scanline", "strips", "bitrev", "bitrev:1:hilbert",
                               "pool",  "steal",    "auto"};
    int usual_count = (int)(sizeof usual / sizeof usual[0]);
    sweep->count = count > 0 ? count : usual_count;
    if (count > MOST_COLUMNS)
        return false;
    for (int i = 0; i < sweep->count; i++) {
        if (!read_column(count > 0 ? names[i] : usual[i], &sweep->columns[i]))
            return false;
        sweep->columns[i].all = calloc(sweep->last - sweep->first + 1, sizeof(double));
    }
    return true;
}

static bool is_map(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".pfm") == 0;
}

/* All wanted kinds of speeds on one map. */
static bool sweep_map(struct sweep *sweep, const char *path)
{
    struct lb_error error;
    sweep->path = path;
    if (!map_read(path, &sweep->map, &error))
        return fail(error.message) == 0;
    sweep->hilbert = lb_sim_hilbert(sweep->map.width, sweep->map.height); /* for all strategies on this map */
    bool good = sweep->hilbert != NULL;
    for (int i = 0; i < SPEEDS; i++)
        good = good && (!sweep->wanted[i] || sweep_speeds(sweep, (enum speeds)i));
    free(sweep->hilbert);
    free((float *)sweep->map.cost);
    return good;
}

int main(int argc, char **argv)
{
    static struct sweep sweep = {.first = 1, .last = 64, .mixes = 3, .samples = 256, .seed = 1};
    if (!read_options(argc, argv, &sweep))
        return fail("usage: balance [-p FIRST-LAST] [-m SPEEDS] [-n MIXES] [-s SEED] [-g SIZE] [-b SAMPLES] "
                    "[-t | -w] MAP.pfm ... [STRATEGY[:REGION[:hilbert|:printed]] ...]");
    int maps = 0;
    while (optind + maps < argc && is_map(argv[optind + maps]))
        maps++;
    if (!read_columns(&sweep, argv + optind + maps, argc - optind - maps))
        return fail(maps == 0 ? "a map is wanted, MAP.pfm" : "no such strategy");
    bool some = false;
    for (int i = 0; i < SPEEDS; i++)
        some = some || sweep.wanted[i];
    sweep.wanted[SAME] = sweep.wanted[SAME] || !some;
    if (sweep.table)
        printf("map,speeds,strategy,least,at%s\n",
               sweep.why ? ",ranges each,beginning ranges,asking,ends apart" : "");
    for (int i = 0; i < maps; i++)
        if (!sweep_map(&sweep, argv[optind + i]))
            return 1;
    return maps > 0 ? 0 : fail("a map is wanted, MAP.pfm");
}
