#include "cli/render.h"

#include "cli/names.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/status.h"
#include "cli/team.h"
#include "core/run/clock.h"
#include "core/run/film_picture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that lives while the program renders. */
struct session {
    const struct cli_options *options;
    struct cli_console *console;
    struct lb_log log;
    struct cli_team team;
    struct lb_run *run;
    struct lb_loaded scene; /* scene.scene NULL: none is loaded */
    const atomic_int *stop;
    char *output;
    struct cli_outputs outputs;
    struct cli_progress_show *show;
    double begin, load_seconds;
    struct lb_error error;
};

static int fail(struct session *s)
{
    return cli_console_error(s->console, &s->error);
}

/* ---- before the first frame ---- */

static enum lb_status load(struct session *s, uint32_t frame)
{
    const struct cli_options *o = s->options;
    struct lb_scene_options load = o->load;
    load.threads = s->team.cpus.count;
    load.frame = o->frames.given ? frame : 0;
    load.frame_count = o->frames.given ? o->frames.count : 0;
    char *path = cli_name_frame(o->scene, frame, false);
    if (!path)
        return lb_error_set(&s->error, LB_ERROR_MEMORY, "out of memory");
    double begin = lb_clock_now();
    enum lb_status status = lb_scene_load(path, &load, &s->log, &s->scene, &s->error);
    s->load_seconds += lb_clock_now() - begin;
    free(path);
    if (status != LB_OK)
        s->scene.scene = NULL;
    return status;
}

static void unload(struct session *s)
{
    cli_team_close(&s->team);
    if (s->scene.scene)
        lb_scene_free(&s->scene);
    s->scene.scene = NULL;
}

static enum lb_status name_output(struct session *s)
{
    const struct cli_options *o = s->options;
    if (o->output) {
        s->output = strdup(o->output);
        return s->output ? LB_OK : lb_error_set(&s->error, LB_ERROR_MEMORY, "out of memory");
    }
    bool replaced;
    enum lb_status status = cli_name_output(o->scene, s->scene.film_file, &replaced, &s->output, &s->error);
    if (status == LB_OK && replaced) {
        char note[1200];
        snprintf(note, sizeof note,
                 "lbrender: note: the film's %.500s cannot be written: it will be %.500s\n",
                 s->scene.film_file, s->output);
        cli_console_text(s->console, note);
    }
    return status;
}

static void warn(struct session *s)
{
    const struct cli_options *o = s->options;
    if (o->weights && o->strategy->weights == LB_WEIGHTS_IGNORED)
        lb_log_write(&s->log, LB_WARNING, "the strategy %s has no use for weights", o->strategy->name);
    if (o->passes > s->scene.scene->integrator.samples)
        lb_log_write(&s->log, LB_WARNING, "%u passes of %u samples: as many passes as samples", o->passes,
                     s->scene.scene->integrator.samples);
}

static enum lb_status open_run(struct session *s)
{
    const struct cli_options *o = s->options;
    struct lb_run_options run = {.strategy = o->strategy,
                                 .passes = o->passes,
                                 .region_size = o->region_size,
                                 .task_size = o->task_size,
                                 .curve = o->curve,
                                 .layout = o->layout,
                                 .seed = s->scene.scene->integrator.seed,
                                 .bind = o->bind,
                                 .measure_weights = o->weights == NULL,
                                 .want_estimate = o->cost_map != NULL,
                                 .want_cost = o->cost_map != NULL,
                                 .cost_in_seconds = o->cost_in_seconds,
                                 .want_owners = o->partition_map != NULL,
                                 .want_spans = o->trace != NULL,
                                 .stop = s->stop};
    return lb_run_open(&run, s->team.members, s->team.devices.count, &s->run, &s->error);
}

static enum lb_status prepare(struct session *s)
{
    const struct cli_options *o = s->options;
    enum lb_status status = cli_team_choose(&s->team, o, &s->log, &s->error);
    if (status == LB_OK)
        status = load(s, o->frames.first);
    if (status == LB_OK)
        status = name_output(s);
    if (status == LB_OK)
        status = cli_outputs_open(&s->outputs, o, s->output, &s->error);
    if (status != LB_OK)
        return status;
    warn(s);
    s->stop = cli_signals_catch();
    return open_run(s);
}

/* ---- a frame ---- */

/* What there is, beside where the whole would be; never over it. */
static void write_partial(struct session *s, const struct lb_frame *frame, const char *file, const char *why)
{
    char *partial = cli_name_partial(file);
    uint64_t all = (uint64_t)frame->width * frame->height * s->scene.scene->integrator.samples;
    struct lb_error said = {LB_ERROR, ""};
    uint32_t checksum;
    if (!partial)
        lb_error_set(&said, LB_ERROR_MEMORY, "%s; out of memory for the partial picture", why);
    else if (!frame->pixels || !frame->samples)
        lb_error_set(&said, LB_ERROR, "%s; there are no samples, nothing was written", why);
    else if (lb_film_write(partial, frame->width, frame->height, frame->pixels, s->team.cpus.count, &checksum,
                           &s->error) != LB_OK)
        lb_error_set(&said, LB_ERROR, "%s; %.900s", why, s->error.message);
    else
        lb_error_set(&said, LB_ERROR, "%s; wrote %s with %llu of %llu samples", why, partial,
                     (unsigned long long)frame->samples, (unsigned long long)all);
    cli_console_error(s->console, &said);
    free(partial);
}

static void name_lost(struct session *s, uint32_t processor)
{
    const struct lb_member *member = &s->team.members[processor];
    lb_log_write(&s->log, LB_WARNING, "%s was lost (%s); the others did its work",
                 member->processor ? member->processor->name : "a processor", member->error.message);
}

/* Exit status of an incomplete frame. */
static int incomplete(struct session *s, const struct lb_frame *frame, const char *file)
{
    int signal = atomic_load(s->stop);
    char why[1200];
    if (signal) {
        write_partial(s, frame, file, signal == SIGINT ? "stopped by SIGINT" : "stopped by SIGTERM");
        return CLI_SIGNALLED + signal;
    }
    snprintf(why, sizeof why, "every processor was lost (%s)", s->team.members[0].error.message);
    write_partial(s, frame, file, why);
    return CLI_FAILED;
}

static int deliver(struct session *s, struct lb_frame *frame, char *file, double start)
{
    if (!frame->complete)
        return incomplete(s, frame, file);
    frame->report.wall_seconds = lb_clock_now() - s->begin - start;
    frame->report.file = file;
    if (lb_film_write(file, frame->width, frame->height, frame->pixels, s->team.cpus.count,
                      &frame->report.checksum, &s->error) != LB_OK ||
        cli_outputs_frame(&s->outputs, s->options, frame, start, &s->error) != LB_OK)
        return fail(s);
    return CLI_DONE;
}

static int render_frame(struct session *s, uint32_t number, char *file)
{
    struct lb_frame frame;
    if (!s->scene.scene && load(s, number) != LB_OK)
        return fail(s);
    if (cli_team_open(&s->team, s->scene.scene, &s->log, &s->error) != LB_OK)
        return fail(s);
    bool *lost = calloc(s->team.devices.count, sizeof *lost);
    for (uint32_t i = 0; lost && i < s->team.devices.count; i++)
        lost[i] = s->team.members[i].lost;
    double start = lb_clock_now() - s->begin;
    const lb_film *film = &s->scene.scene->film;
    uint64_t samples = (uint64_t)film->width * film->height * s->scene.scene->integrator.samples;
    s->show = cli_progress_start(s->console, s->options->progress, s->run, samples);
    enum lb_status status = lb_run_frame(s->run, s->scene.scene, number, NULL, &frame, &s->error);
    cli_progress_stop(s->show);
    int result = status == LB_OK ? deliver(s, &frame, file, start) : fail(s);
    for (uint32_t i = 0; lost && result == CLI_DONE && i < s->team.devices.count; i++)
        if (s->team.members[i].lost && !lost[i])
            name_lost(s, i);
    free(lost);
    if (status == LB_OK && result == CLI_DONE) {
        /* Its numbers go into the report, its pixels have been written. */
        if (cli_outputs_keep(&s->outputs, &frame.report, s->scene.scene, &s->error) != LB_OK)
            result = fail(s);
        frame.report = (struct lb_report_frame){0};
    }
    if (status == LB_OK)
        lb_frame_free(&frame);
    unload(s);
    return result;
}

static bool exists(const char *file)
{
    FILE *there = fopen(file, "r");
    if (there)
        fclose(there);
    return there != NULL;
}

static int render_frames(struct session *s)
{
    const struct cli_frames *frames = &s->options->frames;
    uint32_t step = frames->given ? frames->step : 1;
    for (uint64_t number = frames->first; number <= frames->last; number += step) {
        char *file = cli_name_frame(s->output, (uint32_t)number, frames->given);
        if (!file) {
            lb_error_set(&s->error, LB_ERROR_MEMORY, "out of memory");
            return fail(s);
        }
        if (s->options->skip_existing && exists(file)) {
            lb_log_write(&s->log, LB_NOTE, "%s is there: frame %u was left out", file, (uint32_t)number);
            free(file);
            unload(s);
            continue;
        }
        int result = render_frame(s, (uint32_t)number, file);
        if (result != CLI_DONE) {
            free(file);
            return result;
        }
    }
    return CLI_DONE;
}

/* ---- after the last frame ---- */

static int finish(struct session *s)
{
    struct lb_report report = {.scene = s->options->scene,
                               .strategy = s->options->strategy->name,
                               .wall_seconds = lb_clock_now() - s->begin,
                               .load_seconds = s->load_seconds};
    if (cli_outputs_finish(&s->outputs, s->options, s->console, &report, &s->error) != LB_OK)
        return fail(s);
    for (uint32_t i = 0; i < s->team.devices.count; i++)
        if (s->team.members[i].lost)
            return CLI_LOST;
    return CLI_DONE;
}

int cli_render(const struct cli_options *options, struct cli_console *console)
{
    struct session s = {.options = options, .console = console, .begin = lb_clock_now()};
    s.log = cli_console_log(console);
    int result = prepare(&s) == LB_OK ? render_frames(&s) : fail(&s);
    if (result == CLI_DONE)
        result = finish(&s);
    lb_run_close(s.run);
    unload(&s);
    cli_team_free(&s.team);
    cli_outputs_free(&s.outputs);
    free(s.output);
    return result;
}
