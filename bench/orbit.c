/* The frames of an animation under pbt and under equal contiguous blocks, simulated: the PBT paper's experiment.
 * usage: orbit [-p PROCESSORS] [-w] [-t] MAP.pfm ...
 * The maps are the frames' costs, as lbrender --frames ... --cost-map MAP.pfm writes them; pbt samples each frame
 * itself. PROCESSORS is as for lbrender --simulate (8); speeds are unknown to the strategies unless -w tells them. -t:
 * as under --times-only. Prints a line a frame, as gnuplot reads it, then what the whole comes to: speed-up
 * T_contiguous / T_pbt - 1, ideal T_contiguous / Tmin - 1, time saved 1 - T_pbt / T_contiguous, each averaged over the
 * frames; the variances of the T; pbt's least efficiency from frame 3 on, with the costs unknown and known; and the
 * shares of the last frame beside the speeds. */
#include "bench/map.h"
#include "core/simulate/simulate.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_FRAMES = 256 };

struct orbit {
    struct lb_sim_spec spec;
    struct lb_estimate maps[MOST_FRAMES];
    uint32_t count;
    bool tell_weights, times_only;
};

/* Of each frame. */
struct course {
    double t[MOST_FRAMES], t_min[MOST_FRAMES];
};

static struct lb_error error;

static int fail(const char *message)
{
    fprintf(stderr, "orbit: %s\n", message);
    return 1;
}

/* `last`, which may be NULL, gets the report of the last frame, to be freed. */
static bool run(const struct orbit *orbit, const char *strategy, bool known, struct course *course,
                struct lb_report_frame *last)
{
    struct lb_report_frame frames[MOST_FRAMES];
    double *speeds = calloc(orbit->spec.count, sizeof *speeds);
    for (uint32_t k = 0; k < orbit->spec.count; k++)
        speeds[k] = orbit->spec.processors[k].speed;
    struct lb_simulation job = {.spec = &orbit->spec,
                                .strategy = lb_strategy_find(strategy),
                                .plan = {.width = orbit->maps[0].width,
                                         .height = orbit->maps[0].height,
                                         .times_only = orbit->times_only},
                                .weights = orbit->tell_weights ? speeds : NULL,
                                .costs = orbit->maps,
                                .known_costs = known,
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

static double least_efficiency(const struct course *course, uint32_t count)
{
    double least = 1;
    for (uint32_t i = count > 3 ? 3 : 0; i < count; i++)
        least = fmin(least, course->t_min[i] / course->t[i]);
    return least;
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

static int print(const struct orbit *orbit)
{
    struct course blocks, pbt, known;
    struct lb_report_frame last;
    double speed_up[MOST_FRAMES], ideal[MOST_FRAMES], saved[MOST_FRAMES], gained = 1e9;
    uint32_t count = orbit->count;
    if (!run(orbit, "contiguous", false, &blocks, NULL) || !run(orbit, "pbt", true, &known, NULL) ||
        !run(orbit, "pbt", false, &pbt, &last))
        return fail(error.message);
    printf("# %u x %u, %u frames, %u processors\n", orbit->maps[0].width, orbit->maps[0].height, count,
           orbit->spec.count);
    printf("# frame Tmin contiguous pbt speed-up ideal efficiency efficiency-known\n");
    for (uint32_t i = 0; i < count; i++) {
        speed_up[i] = blocks.t[i] / pbt.t[i] - 1;
        ideal[i] = blocks.t[i] / blocks.t_min[i] - 1;
        saved[i] = 1 - pbt.t[i] / blocks.t[i];
        gained = i < 3 ? gained : fmin(gained, speed_up[i] / ideal[i]);
        printf("%u %.3f %.3f %.3f %.3f %.3f %.4f %.4f\n", i, blocks.t_min[i], blocks.t[i], pbt.t[i],
               speed_up[i], ideal[i], pbt.t_min[i] / pbt.t[i], known.t_min[i] / known.t[i]);
    }
    double up = mean(speed_up, count), best = mean(ideal, count);
    printf("# speed-up %.3f ideal %.3f part of it %.3f (least of a frame %.3f) time saved %.3f\n", up, best,
           up / best, gained, mean(saved, count));
    printf("# variance of T: contiguous %.2f pbt %.2f Tmin %.2f s^2\n", variance(blocks.t, count),
           variance(pbt.t, count), variance(pbt.t_min, count));
    printf("# least efficiency from frame 3 on: %.4f, costs known %.4f\n", least_efficiency(&pbt, count),
           least_efficiency(&known, count));
    print_shares(orbit, &last);
    lb_report_frame_free(&last);
    return 0;
}

int main(int argc, char **argv)
{
    static struct orbit orbit;
    const char *processors = "8";
    int option;
    while ((option = getopt(argc, argv, "p:wt")) != -1)
        if (option == 'p')
            processors = optarg;
        else if (option == 'w')
            orbit.tell_weights = true;
        else if (option == 't')
            orbit.times_only = true;
        else
            return fail("usage: orbit [-p PROCESSORS] [-w] [-t] MAP.pfm ...");
    if (argc - optind < 1 || argc - optind > MOST_FRAMES)
        return fail("1 to 256 maps are wanted");
    if (lb_sim_spec_parse(processors, &orbit.spec, &error) != LB_OK)
        return fail(error.message);
    for (int i = optind; i < argc; i++)
        if (!map_read(argv[i], &orbit.maps[orbit.count++], &error))
            return fail(error.message);
    return print(&orbit);
}
