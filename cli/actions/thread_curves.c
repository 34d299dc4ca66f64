#include "cli/actions/thread_curves.h"

#include "cli/actions/compare.h"
#include "cli/actions/curves.h"
#include "cli/actions/remedies.h"
#include "cli/console/status.h"
#include "core/report/races/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the curves are made of, an array each. */
struct curves_job {
    const struct cli_options *options;
    struct cli_console *console;
    struct lb_curves told;
    const char *strategies[CLI_RACERS_MOST], *remedies[CLI_RACERS_MOST];
    uint32_t *processors;
    double *speeds;
    struct lb_comparison_row *rows;
};

/* One number of threads, as a race of its own has it; its table is not told but as points of the curves. */
static struct cli_options options_for(const struct curves_job *job, uint32_t threads)
{
    struct cli_options own = *job->options;
    own.threads = threads;
    own.thread_steps = (struct lb_steps){0};
    own.report_count = 0;
    return own;
}

/* The point of a row: its median run, by adjusted time, to which the rest is scaled. */
static void put_point(struct curves_job *job, uint32_t set, const struct lb_comparison_row *row)
{
    const struct lb_comparison_run *m = &row->median;
    for (uint32_t k = 0; k < job->told.strategy_count; k++)
        if (!strcmp(job->strategies[k], row->strategy))
            job->told.points[(size_t)set * job->told.strategy_count + k] =
                (struct lb_curve_point){.t = m->adjusted,
                                        .t_min = m->adjusted * row->efficiency,
                                        .efficiency = row->efficiency,
                                        .imbalance = row->imbalance,
                                        .without = m->without};
}

/* A race on so many threads. Returns its exit status. */
static int race(struct curves_job *job, uint32_t set, uint32_t threads)
{
    struct lb_comparison table;
    struct cli_options *own = malloc(sizeof *own);
    struct lb_error error;
    if (!own) {
        lb_error_memory(&error, NULL);
        return cli_console_error(job->console, &error);
    }
    *own = options_for(job, threads);
    cli_console_note(job->console, "a race on %u threads", threads);
    int result = cli_compare_race(own, job->console, job->rows, &table);
    for (size_t i = 0; i < table.row_count; i++)
        put_point(job, set, &table.rows[i]);
    job->processors[set] = table.processors;
    job->speeds[set] = table.processors;
    job->told.frames = table.frames;
    double wall = job->told.run.wall_seconds + table.run.wall_seconds;
    job->told.run = table.run;
    job->told.run.wall_seconds = wall;
    lb_comparison_free(&table);
    free(own);
    return result;
}

/* Speed-ups are over the work as one processor does it: the least of the strategies' Tmin on the smallest set, times
 * its processors, so that a strategy that wastes work on one thread gains nothing by that on several. */
static void find_speed_ups(struct lb_curves *c)
{
    double work = INFINITY;
    for (uint32_t k = 0; k < c->strategy_count; k++)
        work = fmin(work, c->points[k].t_min * c->processors[0]);
    for (size_t i = 0; i < (size_t)c->set_count * c->strategy_count; i++)
        c->points[i].speed_up = c->points[i].t > 0 ? work / c->points[i].t : 0;
}

static bool open_job(struct curves_job *job)
{
    const struct cli_options *o = job->options;
    size_t sets = 0;
    for (int64_t at = lb_steps_next(&o->thread_steps, 0); at; at = lb_steps_next(&o->thread_steps, at))
        sets++;
    for (size_t k = 0; k < o->racer_count; k++) {
        job->strategies[k] = o->racers[k]->name;
        job->remedies[k] = cli_remedy_for(o->racers[k]);
    }
    job->processors = calloc(sets, sizeof *job->processors);
    job->speeds = calloc(sets, sizeof *job->speeds);
    job->rows = calloc(o->racer_count, sizeof *job->rows);
    job->told = (struct lb_curves){.measured = true,
                                   .strategies = job->strategies,
                                   .remedies = job->remedies,
                                   .strategy_count = (uint32_t)o->racer_count,
                                   .processors = job->processors,
                                   .speeds = job->speeds,
                                   .set_count = (uint32_t)sets,
                                   .points = calloc(sets * o->racer_count, sizeof *job->told.points)};
    return job->processors && job->speeds && job->rows && job->told.points;
}

static int race_all(struct curves_job *job)
{
    const struct lb_steps *steps = &job->options->thread_steps;
    int result = CLI_DONE;
    uint32_t set = 0;
    for (int64_t at = lb_steps_next(steps, 0); at; at = lb_steps_next(steps, at)) {
        int one = race(job, set++, (uint32_t)at);
        if (one != CLI_DONE && one != CLI_LOST)
            return one;
        result = one == CLI_LOST ? one : result;
    }
    return result;
}

int cli_thread_curves(const struct cli_options *options, struct cli_console *console)
{
    struct curves_job job = {.options = options, .console = console};
    struct lb_error error;
    enum lb_status status = open_job(&job) ? LB_OK : lb_error_memory(&error, NULL);
    int result = status == LB_OK ? race_all(&job) : CLI_FAILED;
    if (status == LB_OK && (result == CLI_DONE || result == CLI_LOST)) {
        find_speed_ups(&job.told);
        status = cli_curves_print(options, console, &job.told, &error);
    }
    if (status != LB_OK)
        result = cli_console_error(console, &error);
    free(job.processors);
    free(job.speeds);
    free(job.rows);
    free(job.told.points);
    return result;
}
