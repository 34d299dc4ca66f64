#include "cli/actions/simulate.h"

#include "cli/session/about.h"
#include "cli/actions/compare.h"
#include "cli/actions/costs.h"
#include "cli/actions/curves.h"
#include "cli/actions/remedies.h"
#include "cli/actions/rounds.h"
#include "cli/options/effect.h"
#include "cli/options/rules.h"
#include "cli/outputs/outputs.h"
#include "cli/console/signals.h"
#include "cli/console/status.h"
#include "core/base/grow.h"
#include "core/machine/clock.h"
#include "core/processors/given_weights.h"
#include "core/report/color.h"
#include "core/simulate/simulate_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct simulate_job {
    struct cli_session s;
    struct cli_costs costs;
    struct lb_sim_sets sets;
    struct lb_sim_spec spec; /* the first of them, or the only one; theirs */
    double *weights;         /* NULL: none were given */
    struct lb_simulation simulation;
    struct cli_outputs outputs;
    struct lb_frame *drawn; /* maps and spans of the frames; NULL: not wanted */
    bool *lost;             /* a processor each: whether any simulation lost it before its frames were done */
};

static enum lb_status get_weights(struct simulate_job *job)
{
    uint32_t count;
    const char *text = job->s.options->weights;
    if (!text)
        return LB_OK;
    enum lb_status status = lb_weights_parse("--weights", text, &job->weights, &count, &job->s.error);
    if (status == LB_OK && count != job->spec.count)
        status = lb_error_set(&job->s.error, LB_ERROR_USAGE, "%u weights for %u processors", count,
                              job->spec.count);
    return status;
}

/* Fills in what is to be simulated. Strategies that want an estimate see the true costs only under --known-costs, and
 * then finding them out takes no time. */
static void describe(struct simulate_job *job)
{
    const struct cli_options *o = job->s.options;
    struct lb_simulation *sim = &job->simulation;
    *sim = (struct lb_simulation){.spec = &job->spec,
                                  .settings = o->settings,
                                  .width = job->costs.width,
                                  .height = job->costs.height,
                                  .weights = job->weights,
                                  .costs = job->costs.maps,
                                  .known_costs = o->known_costs,
                                  .frame_count = job->costs.frame_count};
    memcpy(sim->estimates, job->costs.estimates, sizeof sim->estimates);
    sim->settings.seed = o->load.has_seed ? o->load.seed : 0;
}

/* What there cannot be for several sets of processors. */
static enum lb_status check_several(struct simulate_job *job)
{
    const struct cli_options *o = job->s.options;
    const char *name = o->weights                ? "weights"
                       : o->trace                ? "trace"
                       : o->partition_map        ? "partition-map"
                       : o->cost_map             ? "cost-map"
                       : o->repeats > 1          ? "repeat"
                       : o->repeat_seconds > 0.0 ? "repeat"
                                                 : NULL;
    if (!name)
        return LB_OK;
    return lb_error_set(&job->s.error, LB_ERROR_USAGE,
                        "--%s: --simulate=%.200s is several sets of processors, which have curves alone",
                        name, o->simulate);
}

/* Says of "1,2,4", which looks like three sets of processors, that it is one of seven. */
static void tell_sum(const struct simulate_job *job)
{
    const char *text = job->s.options->simulate;
    bool plain = strchr(text, ',') && text[strspn(text, "0123456789,")] == 0;
    if (plain)
        cli_console_note(job->s.console,
                         "--simulate=%s is one set of %u processors; 1..8*2 is four sets, of 1, 2, 4 and 8",
                         text, job->spec.count);
}

static enum lb_status prepare(struct simulate_job *job, const struct cli_options *options,
                              struct cli_console *console)
{
    struct cli_session *s = &job->s;
    /* --weights tells the speeds of the simulated processors, not of the threads that render the cost map. */
    struct cli_options *own = malloc(sizeof *own);
    if (!own)
        return lb_error_memory(&job->s.error, NULL);
    *own = *options;
    own->weights = NULL;
    enum lb_status status = cli_session_open(s, own, console);
    if (status == LB_OK)
        status = lb_sim_sets_parse(options->simulate, &job->sets, &s->error);
    s->options = options;
    free(own);
    if (status == LB_OK)
        job->spec = job->sets.items[0];
    if (status == LB_OK)
        status = job->sets.several ? check_several(job) : get_weights(job);
    if (status == LB_OK)
        tell_sum(job);
    if (status == LB_OK)
        status = cli_outputs_open(&job->outputs, options, NULL, NULL, &s->error);
    if (status == LB_OK)
        status = cli_costs_get(s, &job->costs);
    cli_signals_release(); /* half a simulation is worth nothing, so from here on a signal ends the program at once */
    int signal = lb_interrupt_signalled(s->interrupt);
    if (status == LB_OK && signal)
        status = lb_error_set(&s->error, LB_ERROR, "stopped by %s", cli_signals_name(signal));
    if (status == LB_OK)
        describe(job);
    job->lost = calloc(job->spec.count + 1, sizeof *job->lost);
    return status == LB_OK && !job->lost ? lb_error_memory(&job->s.error, NULL) : status;
}

/* ---- losses ---- */

static void note_lost(struct simulate_job *job, const struct lb_report_frame *last)
{
    for (uint32_t k = 0; k < job->spec.count; k++)
        job->lost[k] |= last->all.processors[k].lost;
}

/* Warns of the first few lost processors, a line each, and of how many more there were. Returns the exit status. */
static int name_lost(const struct simulate_job *job)
{
    enum { MOST_NAMED = 8 };
    uint32_t count = 0;
    for (uint32_t k = 0; k < job->spec.count; k++)
        if (job->lost[k] && count++ < MOST_NAMED)
            lb_log_write(&job->s.log, LB_WARNING, "sim%u was lost at %.6g s; the others did its work", k,
                         job->spec.processors[k].fails);
    if (count > MOST_NAMED)
        lb_log_write(&job->s.log, LB_WARNING, "%u more were lost", count - MOST_NAMED);
    return count > 0 ? CLI_LOST : CLI_DONE;
}

/* ---- one strategy ---- */

/* Draws a delivered range into the frame's maps and notes its times. */
static void draw(void *user, uint32_t frame, const lb_order *order, uint32_t processor, struct lb_range range,
                 double begin, double end)
{
    struct simulate_job *job = user;
    struct lb_frame *drawn = &job->drawn[frame];
    lb_order whole = lb_order_block(*order);
    uint8_t color[3];
    lb_owner_color(processor, color);
    for (uint64_t at = range.begin; drawn->owned && at < range.end; at++) {
        uint64_t pixel = lb_order_pixel(&whole, at % whole.count);
        if (pixel != LB_NO_PIXEL)
            lb_owned_add(&drawn->owned[pixel], color, 1);
    }
    if (!job->outputs.trace && !cli_options_want_page(job->s.options))
        return;
    struct lb_frame_span *spans =
        lb_grow(drawn->spans, &drawn->span_capacity, drawn->span_count + 1, sizeof *spans);
    if (!spans)
        return;
    drawn->spans = spans;
    drawn->spans[drawn->span_count++] = (struct lb_frame_span){processor, 0, {range, begin, end, true}};
}

static enum lb_status start_drawing(struct simulate_job *job)
{
    const struct cli_options *o = job->s.options;
    size_t pixels = (size_t)job->costs.width * job->costs.height;
    bool page = cli_options_want_page(o);
    if (!o->partition_map && !o->trace && !o->cost_map && !page)
        return LB_OK;
    job->drawn = calloc(job->costs.frame_count, sizeof *job->drawn);
    if (!job->drawn)
        return lb_error_memory(&job->s.error, NULL);
    for (uint32_t i = 0; (o->partition_map || page) && i < job->costs.frame_count; i++) {
        job->drawn[i].owned = calloc(pixels, sizeof *job->drawn[i].owned);
        if (!job->drawn[i].owned)
            return lb_error_memory(&job->s.error, NULL);
    }
    job->simulation.delivered = draw;
    job->simulation.user = job;
    return LB_OK;
}

static enum lb_status write_drawn(struct simulate_job *job, struct lb_report_frame *frames)
{
    double start = 0;
    enum lb_status status = LB_OK;
    for (uint32_t i = 0; job->drawn && i < job->costs.frame_count && status == LB_OK; i++) {
        struct lb_frame frame = job->drawn[i];
        frame.width = job->costs.width;
        frame.height = job->costs.height;
        frame.report = frames[i];
        frame.cost = job->costs.maps[i].cost;
        for (int probe = 0; probe < LB_PROBES; probe++)
            if (job->costs.estimates[probe])
                frame.estimates[probe] = job->costs.estimates[probe][i];
        status = cli_outputs_frame(&job->outputs, job->s.options, &frame, NULL, start, &job->s.error);
        frames[i].view = cli_outputs_view(&job->outputs);
        start += frames[i].all.t;
    }
    return status;
}

/* The simulator counts frames from 0: gives them the numbers that --frames asks for. */
static void number_frames(const struct simulate_job *job, struct lb_report_frame *frames)
{
    const struct cli_frames *asked = &job->s.options->frames;
    for (uint32_t i = 0; i < job->costs.frame_count; i++)
        frames[i].frame = asked->first + i * (asked->given ? asked->step : 1);
}

static struct lb_report_run describe_run(const struct simulate_job *job)
{
    struct lb_report_run run = cli_about_run(&job->s);
    run.width = job->costs.width;
    run.height = job->costs.height;
    run.spp = job->costs.samples;
    run.seed = job->simulation.settings.seed;
    return run;
}

static int simulate_one(struct simulate_job *job)
{
    struct cli_session *s = &job->s;
    cli_option_effect_warn_strategy(s->options, &s->log);
    char described[320] = "";
    uint32_t count = job->costs.frame_count;
    struct lb_report_frame *frames = calloc(count, sizeof *frames);
    enum lb_status status = frames ? start_drawing(job) : lb_error_memory(&job->s.error, NULL);
    if (status == LB_OK)
        status = lb_simulate(&job->simulation, frames, described, sizeof described, &s->error);
    if (status == LB_OK) {
        number_frames(job, frames);
        status = write_drawn(job, frames);
    }
    struct lb_report report = {.run = describe_run(job),
                               .strategy = s->options->settings.strategy->name,
                               .chosen = *described ? described : NULL,
                               .simulated = true,
                               .assumed_seconds = job->spec.total_seconds,
                               .frames = frames,
                               .frame_count = count};
    if (status == LB_OK)
        status = cli_outputs_report(&job->outputs, s->options, s->console, &report, &s->error);
    if (status == LB_OK)
        note_lost(job, &frames[count - 1]);
    int result = status == LB_OK ? name_lost(job) : cli_session_fail(s);
    for (uint32_t i = 0; frames && i < count; i++)
        lb_report_frame_free(&frames[i]);
    free(frames);
    return result;
}

/* ---- all of them ---- */

/* Forgets what was drawn of the strategy before. */
static void clear_drawn(struct simulate_job *job)
{
    size_t pixels = (size_t)job->costs.width * job->costs.height;
    for (uint32_t i = 0; i < job->costs.frame_count; i++) {
        job->drawn[i].span_count = 0;
        if (job->drawn[i].owned)
            memset(job->drawn[i].owned, 0, pixels * sizeof *job->drawn[i].owned);
    }
}

/* Each turn of a race has another seed: jitter, births and the strategies' own draws differ from turn to turn. */
static enum lb_status simulate_racer(struct simulate_job *job, const struct lb_strategy *strategy,
                                     uint32_t turn, struct lb_report_frame *frames,
                                     struct lb_comparison *table)
{
    struct lb_simulation simulation = job->simulation;
    struct lb_report_frame *last = &frames[table->frames - 1];
    bool drawn = job->drawn && turn == 0;
    simulation.settings.strategy = strategy;
    simulation.settings.seed += turn;
    if (drawn)
        clear_drawn(job);
    else
        simulation.delivered = NULL;
    enum lb_status status = lb_simulate(&simulation, frames, NULL, 0, &job->s.error);
    job->outputs.strategy = strategy->name;
    if (status == LB_OK && drawn)
        status = write_drawn(job, frames);
    if (status == LB_OK) {
        struct lb_comparison_run run = lb_comparison_run_make(frames, table->frames);
        note_lost(job, last);
        if (!lb_comparison_add(table, strategy->name, &run))
            status = lb_error_memory(&job->s.error, NULL);
        else
            lb_comparison_remedy(table, strategy->name, cli_remedy_for(strategy));
        if (status == LB_OK && last->view) {
            lb_comparison_show(table, strategy->name, last);
            *last = (struct lb_report_frame){0};
        }
    }
    for (uint32_t i = 0; i < table->frames; i++)
        lb_report_frame_free(&frames[i]);
    return status;
}

static int simulate_all(struct simulate_job *job)
{
    struct cli_session *s = &job->s;
    uint32_t count = job->costs.frame_count;
    struct lb_report_frame *frames = calloc(count, sizeof *frames);
    struct lb_comparison_row *rows = calloc(s->options->racer_count, sizeof *rows);
    struct lb_comparison table = {.simulated = true,
                                  .assumed_seconds = job->spec.total_seconds,
                                  .processors = job->spec.count,
                                  .frames = count,
                                  .rows = rows};
    enum lb_status status = frames && rows ? start_drawing(job) : lb_error_memory(&job->s.error, NULL);
    struct cli_rounds rounds = cli_rounds_begin(s->options, job->simulation.settings.seed);
    while (status == LB_OK && cli_rounds_next(&rounds, &table))
        for (size_t i = 0; i < s->options->racer_count && status == LB_OK; i++)
            status = simulate_racer(job, rounds.order[i], rounds.done - 1, frames, &table);
    table.run = describe_run(job);
    if (status == LB_OK)
        status = cli_compare_print(s->options, s->console, &table, &s->error);
    lb_comparison_free(&table);
    free(frames);
    free(rows);
    return status == LB_OK ? name_lost(job) : cli_session_fail(s);
}

/* ---- several sets of processors ---- */

static int simulate_sets(struct simulate_job *job)
{
    struct cli_session *s = &job->s;
    if (!s->options->compare)
        cli_option_effect_warn_strategy(s->options, &s->log);
    enum lb_status status = cli_curves(s, &job->simulation, &job->sets, describe_run(job));
    return status == LB_OK ? CLI_DONE : cli_session_fail(s);
}

int cli_simulate(const struct cli_options *options, struct cli_console *console)
{
    struct simulate_job job = {.outputs.console = console};
    int result = prepare(&job, options, console) != LB_OK ? cli_session_fail(&job.s)
                 : job.sets.several                       ? simulate_sets(&job)
                 : options->compare                       ? simulate_all(&job)
                                                          : simulate_one(&job);
    if (result == CLI_FAILED && lb_interrupt_signalled(job.s.interrupt))
        result = CLI_SIGNALLED + lb_interrupt_signalled(job.s.interrupt);
    for (uint32_t i = 0; job.drawn && i < job.costs.frame_count; i++) {
        free(job.drawn[i].owned);
        free(job.drawn[i].spans);
    }
    free(job.drawn);
    free(job.lost);
    cli_costs_free(&job.costs);
    lb_sim_sets_free(&job.sets);
    free(job.weights);
    cli_outputs_free(&job.outputs);
    cli_session_close(&job.s);
    return result;
}
