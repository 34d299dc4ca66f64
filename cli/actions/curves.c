#include "cli/actions/curves.h"

#include "cli/actions/remedies.h"
#include "cli/options/rules.h"
#include "cli/outputs/outputs.h"
#include "core/machine/clock.h"
#include "core/report/races/curves.h"

#include <stdlib.h>

/* What the curves are made of, an array each. */
struct curves {
    struct lb_curves told;
    const char **strategies, **remedies;
    uint32_t *processors;
    double *speeds;
};

static char *curves_text(const void *curves, enum lb_report_format format)
{
    return lb_curves_write(curves, format);
}

static uint32_t cores_of(const struct lb_sim_processor *p)
{
    return p->cores > 0 ? p->cores : 1;
}

static bool curves_make(struct curves *c, const struct lb_strategy *const *strategies, uint32_t count,
                        const struct lb_sim_sets *sets)
{
    c->strategies = calloc(count + 1, sizeof *c->strategies);
    c->remedies = calloc(count + 1, sizeof *c->remedies);
    c->processors = calloc(sets->count + 1, sizeof *c->processors);
    c->speeds = calloc(sets->count + 1, sizeof *c->speeds);
    c->told.points = calloc((size_t)count * sets->count + 1, sizeof *c->told.points);
    if (!c->strategies || !c->remedies || !c->processors || !c->speeds || !c->told.points)
        return false;
    for (uint32_t k = 0; k < count; k++) {
        c->strategies[k] = strategies[k]->name;
        c->remedies[k] = cli_remedy_for(strategies[k]);
    }
    for (uint32_t i = 0; i < sets->count; i++)
        for (uint32_t k = 0; k < sets->items[i].count; k++) {
            const struct lb_sim_processor *p = &sets->items[i].processors[k];
            c->processors[i] += cores_of(p);
            c->speeds[i] += p->speed * cores_of(p);
        }
    c->told.strategies = c->strategies;
    c->told.remedies = c->remedies;
    c->told.strategy_count = count;
    c->told.processors = c->processors;
    c->told.speeds = c->speeds;
    c->told.set_count = sets->count;
    return true;
}

static void curves_free(struct curves *c)
{
    free(c->strategies);
    free(c->remedies);
    free(c->processors);
    free(c->speeds);
    free(c->told.points);
}

/* Seconds of the frames' work at speed 1, as the mean: each map is scaled as the first one is. */
static double mean_work(const struct lb_simulation *simulation)
{
    double first = 0, all = 0;
    for (uint32_t f = 0; f < simulation->frame_count; f++)
        for (size_t i = 0; i < (size_t)simulation->width * simulation->height; i++) {
            all += simulation->costs[f].cost[i];
            first += f == 0 ? simulation->costs[f].cost[i] : 0;
        }
    return simulation->spec->total_seconds * all / first / simulation->frame_count;
}

static enum lb_status simulate_point(const struct lb_simulation *simulation, struct lb_report_frame *frames,
                                     struct lb_curve_point *point, struct lb_error *error)
{
    enum lb_status status = lb_simulate(simulation, frames, NULL, 0, error);
    for (uint32_t f = 0; f < simulation->frame_count; f++) {
        if (status == LB_OK) {
            point->t += frames[f].all.t / simulation->frame_count;
            point->t_min += frames[f].all.t_min / simulation->frame_count;
            point->without = lb_report_without(&frames[f].all);
        }
        lb_report_frame_free(&frames[f]);
    }
    if (status != LB_OK)
        return status;
    point->efficiency = point->t > 0 ? point->t_min / point->t : 0;
    point->imbalance = point->t_min > 0 ? (point->t - point->t_min) / point->t_min : 0;
    point->speed_up = point->t > 0 ? mean_work(simulation) / point->t : 0;
    return LB_OK;
}

static enum lb_status simulate_sets(struct cli_session *s, const struct lb_simulation *simulation,
                                    const struct lb_sim_sets *sets,
                                    const struct lb_strategy *const *strategies, struct curves *c)
{
    uint32_t count = c->told.strategy_count;
    struct lb_report_frame *frames = calloc(simulation->frame_count, sizeof *frames);
    enum lb_status status = frames ? LB_OK : lb_error_memory(&s->error, NULL);
    for (uint32_t i = 0; i < sets->count && status == LB_OK; i++) {
        struct lb_simulation job = *simulation;
        job.spec = &sets->items[i];
        lb_log_write(&s->log, LB_NOTE, "simulating %u processors", c->processors[i]);
        for (uint32_t k = 0; k < count && status == LB_OK; k++) {
            job.settings.strategy = strategies[k];
            status = simulate_point(&job, frames, &c->told.points[(size_t)i * count + k], &s->error);
        }
    }
    free(frames);
    return status;
}

enum lb_status cli_curves_print(const struct cli_options *options, struct cli_console *console,
                                const struct lb_curves *curves, struct lb_error *error)
{
    bool told = cli_options_report_to(options, "-") || (options->report_count > 0 && options->quiet);
    enum lb_status status = cli_outputs_write_reports(console, options, true, curves_text, curves, error);
    if (status == LB_OK && !told)
        status = cli_outputs_write(console, "-", lb_curves_write(curves, LB_REPORT_TEXT), error);
    return status;
}

enum lb_status cli_curves(struct cli_session *s, const struct lb_simulation *simulation,
                          const struct lb_sim_sets *sets, struct lb_report_run run)
{
    const struct cli_options *o = s->options;
    const struct lb_strategy *const *strategies = o->compare ? o->racers : &o->settings.strategy;
    struct curves c = {.told = {.run = run,
                                .assumed_seconds = sets->items[0].total_seconds,
                                .frames = simulation->frame_count}};
    enum lb_status status = LB_OK;
    if (!curves_make(&c, strategies, o->compare ? (uint32_t)o->racer_count : 1, sets))
        status = lb_error_memory(&s->error, NULL);
    if (status == LB_OK)
        status = simulate_sets(s, simulation, sets, strategies, &c);
    c.told.run.wall_seconds = lb_clock_now() - s->begin;
    if (status == LB_OK)
        status = cli_curves_print(o, s->console, &c.told, &s->error);
    curves_free(&c);
    return status;
}
