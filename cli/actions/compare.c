#include "cli/actions/compare.h"

#include "cli/actions/remedies.h"
#include "cli/actions/rounds.h"
#include "cli/console/signals.h"
#include "cli/console/status.h"
#include "cli/options/rules.h"
#include "cli/outputs/output_check.h"
#include "cli/outputs/outputs.h"
#include "cli/session/about.h"
#include "cli/session/cache.h"
#include "cli/session/session.h"
#include "core/base/crc32c.h"
#include "core/machine/clock.h"

#include <stdlib.h>

static char *comparison_text(const void *comparison, enum lb_report_format format)
{
    return lb_comparison_write(comparison, format);
}

enum lb_status cli_compare_print(const struct cli_options *options, struct cli_console *console,
                                 struct lb_comparison *table, struct lb_error *error)
{
    lb_comparison_finish(table);
    bool told = cli_options_report_to(options, "-") || (options->report_count > 0 && options->quiet);
    enum lb_status status = cli_outputs_write_reports(console, options, true, comparison_text, table, error);
    if (status == LB_OK && !told)
        status = cli_outputs_write(console, "-", lb_comparison_write(table, LB_REPORT_TEXT), error);
    return status;
}

/* ---- a real race ---- */

/* Forgets what the last strategy measured and lost, so that all strategies start from the same weights. */
static void reset_weights(struct cli_session *s)
{
    for (uint32_t i = 0; i < s->team.devices.count; i++) {
        s->team.members[i].weight = s->team.devices.items[i].weight;
        s->team.members[i].weight_source = s->options->weights ? LB_SOURCE_GIVEN : LB_SOURCE_EQUAL;
        s->team.members[i].lost = false;
        s->team.members[i].last = (struct lb_measured){0};
    }
    if (s->options->weights_measured)
        cli_cache_read(s);
}

static enum lb_status incomplete(struct cli_session *s)
{
    int signal = lb_interrupt_signalled(s->interrupt);
    if (signal)
        return lb_error_set(&s->error, LB_ERROR, "stopped by %s", cli_signals_name(signal));
    return lb_error_set(&s->error, LB_ERROR, "every processor was lost (%.600s)",
                        s->team.members[0].error.message);
}

/* What the strategies of a race share. */
struct race {
    struct cli_session *s;
    struct lb_comparison *table;
    struct cli_outputs *outputs;
    struct lb_report_frame *frames; /* of the strategy that runs */
    uint32_t *checksums;            /* a frame each; they must agree from the second strategy on */
    bool *lost;                     /* a processor each: whether any strategy lost it */
    struct cli_rounds rounds;
    uint32_t started;  /* frames that were begun, of all runs */
    bool anew;         /* open the processors anew for the next strategy */
    uint32_t runs;     /* that are in the table */
    double report_due; /* when the report may be written next */
};

/* Warns of processors that this strategy was the first to lose. Where any was lost or may fail by intent, all are
 * opened anew for the next strategy. */
static void name_lost(struct race *race, const char *strategy)
{
    struct cli_session *s = race->s;
    for (uint32_t i = 0; i < s->team.devices.count; i++) {
        const struct lb_member *member = &s->team.members[i];
        race->anew = race->anew || s->team.devices.items[i].may_fail || member->lost;
        if (race->lost[i] || !cli_team_misses(&s->team, i))
            continue;
        race->lost[i] = true;
        lb_log_write(&s->log, LB_WARNING, "%s was lost under %s (%s); the others did its work",
                     member->processor ? member->processor->name : "a processor", strategy,
                     member->error.message);
    }
}

static enum lb_status check_picture(struct race *race, const struct lb_strategy *strategy, uint32_t i,
                                    const struct lb_frame *frame)
{
    if (!frame->complete)
        return incomplete(race->s);
    size_t bytes = (size_t)frame->width * frame->height * sizeof *frame->pixels;
    uint32_t checksum = lb_crc32c(0, frame->pixels, bytes);
    if (race->table->row_count > 0 && checksum != race->checksums[i])
        return lb_error_set(&race->s->error, LB_ERROR, "the picture under %s is another one", strategy->name);
    race->checksums[i] = checksum;
    return LB_OK;
}

/* Where a strategy's run stands among all runs of the race, which are taken to last equally long. */
static struct cli_progress_part place_in(const struct race *race, const struct lb_strategy *strategy)
{
    uint32_t runs = (uint32_t)race->s->options->racer_count * cli_rounds_count(&race->rounds);
    return (struct cli_progress_part){.index = race->started,
                                      .count = runs * race->table->frames,
                                      .begin = race->rounds.begin,
                                      .strategy = strategy->name};
}

/* In the first round maps are written, and what a page shows is made. */
static enum lb_status draw_frame(struct race *race, const struct lb_strategy *strategy,
                                 struct lb_frame *frame)
{
    struct cli_session *s = race->s;
    if (s->undrawn || (!s->options->partition_map && !cli_options_want_page(s->options)))
        return LB_OK;
    race->outputs->strategy = strategy->name;
    enum lb_status status = cli_outputs_frame(race->outputs, s->options, frame, NULL, 0, &s->error);
    frame->report.view = cli_outputs_view(race->outputs);
    return status;
}

/* The frames of one strategy. */
static enum lb_status run_strategy(struct race *race, const struct lb_strategy *strategy)
{
    struct cli_session *s = race->s;
    const struct cli_frames *asked = &s->options->frames;
    uint32_t step = asked->given ? asked->step : 1, i = 0;
    enum lb_status status = LB_OK;
    bool started = false;
    for (uint64_t number = asked->first; number <= asked->last && status == LB_OK; number += step, i++) {
        struct lb_frame frame;
        status = cli_session_load(s, (uint32_t)number);
        if (status == LB_OK && !started)
            status = cli_session_start(s, strategy, false, false);
        if (!started)
            s->part = place_in(race, strategy);
        started = true;
        if (status == LB_OK)
            status = cli_session_render(s, (uint32_t)number, NULL, &frame);
        if (status != LB_OK)
            return status;
        status = check_picture(race, strategy, i, &frame);
        race->started++;
        if (status == LB_OK)
            status = draw_frame(race, strategy, &frame);
        race->frames[i] = frame.report;
        frame.report = (struct lb_report_frame){0};
        lb_frame_free(&frame);
        if (status == LB_OK)
            name_lost(race, strategy->name);
        if (asked->given) /* the scene of a still stays loaded for the next strategy */
            cli_session_unload(s);
    }
    return status;
}

/* A line on the run that ended last, and the report with it, where that takes little of the time. */
static void report_so_far(struct race *race, const char *strategy, const struct lb_comparison_run *run)
{
    enum { REST = 20 }; /* times as long as it took */
    struct cli_session *s = race->s;
    double begin = lb_clock_now();
    struct lb_error error;
    cli_console_note(s->console, "%s took %.3g s a frame, efficiency %.3f", strategy, run->t,
                     run->t > 0 ? run->t_min / run->t : 0.0);
    if (s->options->report_count == 0 || begin < race->report_due)
        return;
    race->table->run.wall_seconds = begin - s->begin;
    lb_comparison_finish(race->table);
    if (cli_outputs_write_reports(s->console, s->options, false, comparison_text, race->table, &error) !=
        LB_OK)
        lb_log_write(&s->log, LB_WARNING, "%s", error.message);
    race->report_due = lb_clock_now() + REST * (lb_clock_now() - begin);
}

/* Of its first run a strategy keeps what a page shows. */
static void show(struct race *race, const struct lb_strategy *strategy)
{
    struct lb_report_frame *last = &race->frames[race->table->frames - 1];
    if (race->s->undrawn)
        return;
    lb_comparison_remedy(race->table, strategy->name, cli_remedy_for(strategy));
    if (last->view) {
        lb_comparison_show(race->table, strategy->name, last);
        *last = (struct lb_report_frame){0};
    }
}

static enum lb_status run_once(struct race *race, const struct lb_strategy *strategy)
{
    struct cli_session *s = race->s;
    struct lb_comparison *table = race->table;
    enum lb_status status = LB_OK;
    s->undrawn = race->rounds.done > 1;
    reset_weights(s);
    lb_log_write(&s->log, LB_NOTE, "racing %s", strategy->name);
    if (race->anew)
        status = cli_session_reopen(s);
    race->anew = false;
    if (status == LB_OK)
        status = run_strategy(race, strategy);
    if (status == LB_OK) {
        struct lb_comparison_run run = lb_comparison_run_make(race->frames, table->frames);
        if (!lb_comparison_add(table, strategy->name, &run))
            status = lb_error_memory(&s->error, NULL);
        else
            show(race, strategy);
        if (status == LB_OK &&
            ++race->runs < (uint32_t)s->options->racer_count * cli_rounds_count(&race->rounds))
            report_so_far(race, strategy->name, &run);
    }
    for (uint32_t i = 0; i < table->frames; i++) {
        lb_report_frame_free(&race->frames[i]);
        race->frames[i] = (struct lb_report_frame){0};
    }
    return status;
}

static enum lb_status run_all(struct race *race)
{
    const struct cli_options *o = race->s->options;
    enum lb_status status = LB_OK;
    race->rounds = cli_rounds_begin(o, race->table->run.seed);
    while (status == LB_OK && cli_rounds_next(&race->rounds, race->table))
        for (size_t i = 0; i < o->racer_count && status == LB_OK; i++)
            status = run_once(race, race->rounds.order[i]);
    return status;
}

/* Says where others had so much of the CPUs that T tells of them as well, and what would tell of the strategies. */
static void warn_of_others(const struct cli_session *s, const struct lb_comparison *table)
{
    static const double QUIET = 0.9;
    double part = lb_comparison_cpu_part(table);
    bool many = table->run.threads > s->team.cpus.count;
    if (part >= QUIET)
        return;
    lb_log_write(&s->log, LB_WARNING,
                 "threads had a CPU in %.0f %% of their busy time, as %s; lbrender --compare --simulate=%u "
                 "ranks the strategies by this scene's cost map, whatever else runs",
                 100 * part, many ? "there are more of them" : "others use the CPUs too", table->processors);
}

/* `*result` becomes CLI_LOST where a processor was lost. */
static enum lb_status run_race(struct cli_session *s, struct lb_comparison *table,
                               struct cli_outputs *outputs, uint32_t *runs, int *result)
{
    struct race race = {.s = s,
                        .table = table,
                        .outputs = outputs,
                        .frames = calloc(table->frames, sizeof *race.frames),
                        .checksums = calloc(table->frames, sizeof *race.checksums),
                        .lost = calloc(s->team.most, sizeof *race.lost)};
    enum lb_status status =
        race.frames && race.checksums && race.lost ? run_all(&race) : lb_error_memory(&s->error, NULL);
    for (uint32_t i = 0; race.lost && i < s->team.devices.count; i++)
        if (race.lost[i])
            *result = CLI_LOST;
    *runs = race.runs;
    free(race.frames);
    free(race.checksums);
    free(race.lost);
    return status;
}

/* The table of a race that was ended early, and what ended it. */
static void tell_what_was_done(struct cli_session *s, struct lb_comparison *table, uint32_t runs)
{
    struct lb_error why = s->error, error;
    uint32_t all = (uint32_t)s->options->racer_count * s->options->repeats;
    bool open_end = s->options->repeat_seconds > 0;
    if (cli_compare_print(s->options, s->console, table, &error) != LB_OK)
        lb_error_set(&s->error, why.status, "%.500s; %.500s", why.message, error.message);
    else if (open_end)
        lb_error_set(&s->error, why.status, "%.500s; the table has %u runs", why.message, runs);
    else
        lb_error_set(&s->error, why.status, "%.500s; the table has %u of %u runs", why.message, runs, all);
}

int cli_compare_race(const struct cli_options *options, struct cli_console *console,
                     struct lb_comparison_row *rows, struct lb_comparison *table)
{
    struct cli_session s;
    int result = CLI_DONE;
    uint32_t runs = 0;
    uint32_t step = options->frames.given ? options->frames.step : 1;
    *table = (struct lb_comparison){.frames = (options->frames.last - options->frames.first) / step + 1,
                                    .rows = rows};
    struct cli_outputs outputs = {.console = console};
    enum lb_status status = cli_session_open(&s, options, console);
    if (status == LB_OK)
        status = cli_outputs_open(&outputs, options, NULL, NULL, &s.error);
    if (status == LB_OK)
        status = cli_session_load(&s, options->frames.first);
    if (status == LB_OK)
        status = cli_output_check(options, NULL, &s.scene, &s.error);
    if (status == LB_OK) {
        const lb_film film = s.scene.scene->film;
        const lb_integrator integrator = s.scene.scene->integrator;
        table->processors = s.team.devices.count;
        table->run = cli_about_run(&s);
        table->run.width = film.width;
        table->run.height = film.height;
        table->run.spp = integrator.samples;
        table->run.seed = integrator.seed;
        status = run_race(&s, table, &outputs, &runs, &result);
        table->run.wall_seconds = lb_clock_now() - s.begin;
        warn_of_others(&s, table);
    }
    if (status == LB_OK)
        lb_comparison_finish(table);
    else if (table->row_count > 0)
        tell_what_was_done(&s, table, runs);
    if (status != LB_OK)
        result = cli_session_fail(&s);
    if (status != LB_OK && lb_interrupt_signalled(s.interrupt))
        result = CLI_SIGNALLED + lb_interrupt_signalled(s.interrupt);
    cli_session_close(&s);
    cli_outputs_free(&outputs);
    return result;
}

int cli_compare(const struct cli_options *options, struct cli_console *console)
{
    struct lb_error error;
    struct lb_comparison table;
    struct lb_comparison_row *rows = calloc(options->racer_count, sizeof *rows);
    if (!rows) {
        lb_error_memory(&error, NULL);
        return cli_console_error(console, &error);
    }
    int result = cli_compare_race(options, console, rows, &table);
    if ((result == CLI_DONE || result == CLI_LOST) &&
        cli_compare_print(options, console, &table, &error) != LB_OK)
        result = cli_console_error(console, &error);
    lb_comparison_free(&table);
    free(rows);
    return result;
}
