/* The frames of an animation under equal contiguous blocks, pbt and sampled, simulated: the PBT paper's experiment.
 * usage: orbit [-p PROCESSORS] [-w] [-r NAME] MAP.pfm ...
 * The maps are the frames' costs, as lbrender --frames ... --cost-map MAP.pfm writes them, with MAP.coverage.pfm beside
 * the first. PROCESSORS is as for lbrender --simulate (8); speeds are unknown to the strategies unless -w tells them.
 * Prints a line a frame, as gnuplot reads it, then what the whole comes to for each strategy S: speed-up T_contiguous /
 * T_S - 1 and time saved 1 - T_S / T_contiguous, each averaged over the frames, and of all frames' times together; the
 * variances of T, and of T from frame 3 on; efficiency Tmin / T in frame 0, on average and least from frame 3 on; and
 * the shares of the last frame beside the speeds.
 * -r: prints the whole as a line of CSV a strategy, without a head, for bench/tables.py; NAME is the first column. */
#include "bench/map.h"
#include "core/simulate/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FRAMES = 256, SETTLED = 3 };

struct orbit {
    struct lb_sim_spec spec;
    struct lb_estimate maps[MOST_FRAMES], covered[MOST_FRAMES];
    uint32_t count;
    bool tell_weights;
    const char *row; /* what the lines of CSV begin with, or NULL where none are wanted */
};

/* What a strategy made of the frames. */
struct course {
    const char *strategy;
    bool known; /* it was shown the true costs */
    double t[MOST_FRAMES], t_min[MOST_FRAMES];
};

static struct lb_error error;

static int fail(const char *message)
{
    fprintf(stderr, "orbit: %s\n", message);
    return 1;
}

/* `last`, which may be NULL, gets the report of the last frame, to be freed. */
static bool run(const struct orbit *orbit, struct course *course, struct lb_report_frame *last)
{
    struct lb_report_frame frames[MOST_FRAMES];
    double *speeds = calloc(orbit->spec.count, sizeof *speeds);
    for (uint32_t k = 0; k < orbit->spec.count; k++)
        speeds[k] = orbit->spec.processors[k].speed;
    struct lb_simulation job = {.spec = &orbit->spec,
                                .settings.strategy = lb_strategy_find(course->strategy),
                                .width = orbit->maps[0].width,
                                .height = orbit->maps[0].height,
                                .weights = orbit->tell_weights ? speeds : NULL,
                                .costs = orbit->maps,
                                .estimates = {[LB_PROBE_COVERAGE] = orbit->covered},
                                .known_costs = course->known,
                                .frame_count = orbit->count};
    bool good = lb_simulate(&job, frames, NULL, 0, &error) == LB_OK;
    for (uint32_t i = 0; i < orbit->count; i++) {
        course->t[i] = frames[i].all.t;
        course->t_min[i] = frames[i].all.t_min;
        if (last != NULL && i + 1 == orbit->count)
            *last = frames[i];
        else
            lb_report_frame_free(&frames[i]);
    }
    free(speeds);
    return good;
}

static double mean(const double *t, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += t[i] / count;
    return sum;
}

static double variance(const double *t, uint32_t count)
{
    double middle = mean(t, count), sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (t[i] - middle) * (t[i] - middle) / count;
    return sum;
}

static double efficiency(const struct course *course, uint32_t frame)
{
    return course->t_min[frame] / course->t[frame];
}

/* What a course comes to beside that of equal blocks. */
struct figures {
    double ideal, speed_up, saved, all; /* all: the speed-up of the frames' times together */
    double mean, least;                 /* efficiency; the least from frame 3 on */
};

static struct figures compare(const struct course *blocks, const struct course *course, uint32_t count)
{
    struct figures f = {.least = 1};
    for (uint32_t i = 0; i < count; i++) {
        f.ideal += (blocks->t[i] / blocks->t_min[i] - 1) / count;
        f.speed_up += (blocks->t[i] / course->t[i] - 1) / count;
        f.saved += (1 - course->t[i] / blocks->t[i]) / count;
        f.mean += efficiency(course, i) / count;
        if (i >= SETTLED || count <= SETTLED)
            f.least = fmin(f.least, efficiency(course, i));
    }
    f.all = mean(blocks->t, count) / mean(course->t, count) - 1;
    return f;
}

static void print_shares(const struct orbit *orbit, const struct lb_report_frame *last)
{
    double work = 0, speed = 0;
    for (uint32_t k = 0; k < orbit->spec.count; k++) {
        speed += orbit->spec.processors[k].speed;
        work += last->all.processors[k].busy_seconds * orbit->spec.processors[k].speed;
    }
    printf("# part of the last frame's cost / part of the speed:");
    for (uint32_t k = 0; k < orbit->spec.count; k++)
        printf(" %.3f/%.3f", last->all.processors[k].busy_seconds * orbit->spec.processors[k].speed / work,
               orbit->spec.processors[k].speed / speed);
    printf("\n");
}

/* The variances of T of equal blocks, of the course, and of what could not be avoided, from frame `first` on. */
static void print_variances(const struct course *blocks, const struct course *course, uint32_t first,
                            uint32_t count, const char *between)
{
    first = first < count ? first : 0;
    printf("%.2f%s%.2f%s%.2f", variance(blocks->t + first, count - first), between,
           variance(course->t + first, count - first), between,
           variance(course->t_min + first, count - first));
}

static void print_row(const struct orbit *orbit, const struct course *blocks, const struct course *course)
{
    struct figures f = compare(blocks, course, orbit->count);
    printf("%s,%s,%.3f,%.3f,%.3f,", orbit->row, course->known ? "\"sampled, costs known\"" : course->strategy,
           f.ideal, f.speed_up, f.saved);
    print_variances(blocks, course, 0, orbit->count, ",");
    printf(",");
    print_variances(blocks, course, SETTLED, orbit->count, ",");
    printf(",%.3f,%.4f,%.3f\n", f.mean, f.least, efficiency(course, 0));
}

static void print_course(const struct orbit *orbit, const struct course *blocks, const struct course *course)
{
    struct figures f = compare(blocks, course, orbit->count);
    printf(
        "# %s%s: speed-up %.3f (of the times together %.3f, ideal %.3f, part of it %.3f), time saved %.3f\n",
        course->strategy, course->known ? ", costs known" : "", f.speed_up, f.all, f.ideal,
        f.speed_up / f.ideal, f.saved);
    printf("#   variance of T, contiguous, %s, Tmin: ", course->strategy);
    print_variances(blocks, course, 0, orbit->count, " | ");
    printf(" s^2, from frame %d on ", SETTLED);
    print_variances(blocks, course, SETTLED, orbit->count, " | ");
    printf("\n#   efficiency: frame 0 %.4f, mean %.4f, least from frame %d on %.4f\n", efficiency(course, 0),
           f.mean, SETTLED, f.least);
}

static int print(const struct orbit *orbit)
{
    enum { COURSES = 4 };
    static struct course courses[COURSES] = {{.strategy = "contiguous"},
                                             {.strategy = "pbt"},
                                             {.strategy = "sampled"},
                                             {.strategy = "sampled", .known = true}};
    struct lb_report_frame last[COURSES];
    for (int i = 0; i < COURSES; i++)
        if (!run(orbit, &courses[i], &last[i]))
            return fail(error.message);
    if (orbit->row == NULL) {
        printf("# %u x %u, %u frames, %u processors\n# frame Tmin contiguous pbt sampled sampled-known\n",
               orbit->maps[0].width, orbit->maps[0].height, orbit->count, orbit->spec.count);
        for (uint32_t f = 0; f < orbit->count; f++)
            printf("%u %.3f %.3f %.3f %.3f %.3f\n", f, courses[0].t_min[f], courses[0].t[f], courses[1].t[f],
                   courses[2].t[f], courses[3].t[f]);
    }
    for (int i = 1; i < COURSES; i++) {
        (orbit->row != NULL ? print_row : print_course)(orbit, &courses[0], &courses[i]);
        if (orbit->row == NULL && !courses[i].known)
            print_shares(orbit, &last[i]);
    }
    for (int i = 0; i < COURSES; i++)
        lb_report_frame_free(&last[i]);
    return 0;
}

/* What stands beside a map; false: nothing does. */
static bool read_coverage(const char *map, struct lb_estimate *covered)
{
    char name[4096];
    size_t stem = strlen(map) > 4 ? strlen(map) - 4 : 0;
    snprintf(name, sizeof name, "%.*s.coverage.pfm", (int)stem, map);
    return map_read(name, covered, &error);
}

int main(int argc, char **argv)
{
    static struct orbit orbit;
    const char *processors = "8";
    int option;
    while ((option = getopt(argc, argv, "p:wr:")) != -1)
        if (option == 'p')
            processors = optarg;
        else if (option == 'w')
            orbit.tell_weights = true;
        else if (option == 'r')
            orbit.row = optarg;
        else
            return fail("usage: orbit [-p PROCESSORS] [-w] [-r NAME] MAP.pfm ...");
    if (argc - optind < 1 || argc - optind > MOST_FRAMES)
        return fail("1 to 256 maps are wanted");
    if (lb_sim_spec_parse(processors, &orbit.spec, &error) != LB_OK)
        return fail(error.message);
    for (int i = optind; i < argc; i++)
        if (!map_read(argv[i], &orbit.maps[orbit.count++], &error))
            return fail(error.message);
    if (!read_coverage(argv[optind], &orbit.covered[0]))
        return fail(error.message);
    return print(&orbit);
}
