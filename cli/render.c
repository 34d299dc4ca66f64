#include "cli/render.h"

#include "cli/about.h"
#include "cli/cache.h"
#include "cli/live.h"
#include "cli/names.h"
#include "cli/option_effect.h"
#include "cli/option_rules.h"
#include "cli/outputs.h"
#include "cli/parts.h"
#include "cli/picture.h"
#include "cli/session.h"
#include "cli/signals.h"
#include "cli/status.h"
#include "core/machine/clock.h"
#include "core/report/film_denoise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A session that renders frames and writes them. */
struct job {
    struct cli_session s;
    struct cli_picture picture;
    struct cli_outputs outputs;
    double report_due;            /* when the report may be written next, while frames are rendered */
    struct lb_denoiser *denoiser; /* NULL: the noise stays */
    bool noisy;                   /* a picture was to be denoised, and is not */
    struct lb_display *display;   /* NULL: nobody looks */
    struct cli_parts parts;       /* of the frame that is rendered, */
    const char *file;             /* and its picture's name, or NULL */
};

/* ---- before the first frame ---- */

static void warn(struct cli_session *s)
{
    const struct cli_options *o = s->options;
    cli_option_effect_warn_strategy(o, &s->log);
    if (o->growth.passes > s->scene.scene->integrator.samples)
        lb_log_write(&s->log, LB_WARNING, "%u passes of %u samples: as many passes as samples",
                     o->growth.passes, s->scene.scene->integrator.samples);
}

/* A page shows what pixels cost where all processors measure that anyhow. */
static bool shows_costs(const struct cli_session *s)
{
    bool all = cli_options_want_page(s->options);
    for (uint32_t i = 0; i < s->team.devices.count; i++)
        all = all && s->team.devices.items[i].counts_steps;
    return all;
}

static enum lb_status prepare(struct job *job, const struct cli_options *options, struct cli_console *console)
{
    struct cli_session *s = &job->s;
    enum lb_status status = cli_session_open(s, options, console);
    if (status == LB_OK && cli_options_denoise(options))
        status = lb_denoiser_open(options->denoise_library, options->threads, &job->denoiser, &s->error);
    if (status == LB_OK)
        job->display = cli_live_open(s);
    if (status == LB_OK)
        status = cli_session_load(s, options->frames.first);
    if (status == LB_OK)
        status = cli_picture_choose(&job->picture, options, &s->scene, console, &s->error);
    if (status == LB_OK)
        status = cli_outputs_open(&job->outputs, options, &job->picture, &s->scene, &s->error);
    if (status != LB_OK)
        return status;
    warn(s);
    cli_cache_read(s);
    s->grows = !options->frames.given;
    return cli_session_start(s, options->settings.strategy, options->cost_map || shows_costs(s),
                             cli_options_want_estimates(options));
}

/* ---- a frame ---- */

/* What there is, as a PNG beside where the whole would be; never over it, nor to standard output. `said` is what
 * there is to say of it, after `why`. Returns the PNG's name, the caller's to free, and its checksum; NULL: there is
 * none. */
static char *write_partial(struct job *job, const struct lb_frame *frame, const char *file, const char *why,
                           uint32_t *checksum, struct lb_error *said)
{
    struct cli_session *s = &job->s;
    bool beside = file && strcmp(file, "-");
    char *partial = beside ? cli_name_partial(file) : NULL;
    struct lb_film_form form = job->picture.form;
    uint64_t all = (uint64_t)frame->width * frame->height * s->scene.scene->integrator.samples;
    struct cli_content content;
    struct lb_error error;
    bool written = false;
    cli_picture_content(&content, s->options, s->scene.scene, frame->report.frame, frame->pixels,
                        frame->sums);
    if (form.format != LB_FILM_PNG)
        form.bits = 8;
    form.format = LB_FILM_PNG;
    if (!beside)
        lb_error_set(said, LB_ERROR, "%s; no picture was written", why);
    else if (!partial)
        lb_error_set(said, LB_ERROR_MEMORY, "%s; out of memory for the partial picture", why);
    else if (!frame->pixels || !frame->samples)
        lb_error_set(said, LB_ERROR, "%s; there are 0 samples, no picture was written", why);
    else if (cli_picture_write(s->console, &partial, &form, &content, checksum, &error) != LB_OK)
        lb_error_set(said, LB_ERROR, "%.400s; %.600s", why, error.message);
    else
        written = true;
    if (!written) {
        free(partial);
        return NULL;
    }
    lb_error_set(said, LB_ERROR, "%s; wrote %s with %llu of %llu samples", why, partial,
                 (unsigned long long)frame->samples, (unsigned long long)all);
    return partial;
}

/* Who is lost for good, or a strategy without the memory to take ranges back: nothing else ends a frame early. */
static void say_why(const struct cli_session *s, char *why, size_t size)
{
    for (uint32_t i = 0; i < s->team.devices.count; i++)
        if (!s->team.members[i].lost) {
            snprintf(why, size, "out of memory");
            return;
        }
    snprintf(why, size, "every processor was lost (%s)", s->team.members[0].error.message);
}

/* The report tells of what was rendered of a frame that is not complete, too. */
static enum lb_status keep_incomplete(struct job *job, struct lb_frame *frame, double start)
{
    struct cli_session *s = &job->s;
    struct lb_report_frame report = frame->report;
    if (report.pass_count == 0) {
        free(report.file);
        return LB_OK;
    }
    report.incomplete = true;
    report.wall_seconds = lb_clock_now() - s->begin - start;
    frame->report = (struct lb_report_frame){0};
    return cli_outputs_keep(&job->outputs, &report, s->scene.scene, &s->error);
}

/* Writes what there is of an incomplete frame, and says so; returns the exit status. */
static int incomplete(struct job *job, struct lb_frame *frame, const char *file, double start)
{
    struct cli_session *s = &job->s;
    int signal = atomic_load(s->stop);
    char why[1200], kept[700];
    struct lb_error said;
    cli_live_end(job->display, s, &job->picture.form, NULL);
    if (signal)
        snprintf(why, sizeof why, "stopped by %s", cli_signals_name(signal));
    else
        say_why(s, why, sizeof why);
    if (cli_parts_write(s->console, &job->parts, frame, kept, sizeof kept, &s->error) != LB_OK)
        snprintf(kept, sizeof kept, "%.690s", s->error.message);
    size_t length = strlen(why);
    if (*kept)
        snprintf(why + length, sizeof why - length, "; %s", kept);
    frame->report.file = write_partial(job, frame, file, why, &frame->report.checksum, &said);
    cli_console_error(s->console, &said);
    if (keep_incomplete(job, frame, start) != LB_OK)
        return cli_session_fail(s);
    return signal ? CLI_SIGNALLED + signal : CLI_FAILED;
}

/* The picture's colours without noise, the caller's to free; NULL: they are to stay as they are. Where this fails, the
 * picture with its noise is better than none. */
static enum lb_status denoise(struct job *job, struct lb_frame *frame, struct cli_content *content,
                              float **colors)
{
    double begin = lb_clock_now();
    *colors = NULL;
    if (!job->denoiser)
        return LB_OK;
    enum lb_status status =
        lb_film_denoise(job->denoiser, &job->picture.form, &content->film, colors, &job->s.error);
    if (status != LB_OK)
        return status;
    content->film.colors = *colors;
    content->film.cleaned_by = lb_denoiser_about(job->denoiser);
    snprintf(frame->report.denoised_by, sizeof frame->report.denoised_by, "%s", content->film.cleaned_by);
    frame->report.denoise_seconds = lb_clock_now() - begin;
    return LB_OK;
}

/* Tells an error with what was written in spite of it, so that nobody renders the picture again. */
static int fail_beside_picture(struct cli_session *s, const char *written)
{
    struct lb_error said = {s->error.status, ""};
    snprintf(said.message, sizeof said.message, "%.700s; %.300s", s->error.message, written);
    return cli_console_error(s->console, &said);
}

/* Where --time-limit or --noise-target may end a frame early: tells its samples a pixel and its noise. */
static void say_samples(struct job *job, const struct lb_frame *frame)
{
    const struct lb_growth *growth = &job->s.options->growth;
    uint32_t samples = job->s.scene.scene->integrator.samples;
    char noise[64] = "";
    if (growth->time_limit <= 0 && growth->noise <= 0)
        return;
    if (frame->noise >= 0)
        snprintf(noise, sizeof noise, ", noise %.3g", frame->noise);
    cli_console_note(job->s.console, "%u of %u samples a pixel%s", frame->samples_each, samples, noise);
    job->outputs.samples = frame->samples_each;
}

/* Writes the picture and the files beside it. Where only the denoiser fails, the user is told, and all goes on. */
static int write_files(struct job *job, struct lb_frame *frame, char **file, double start)
{
    struct cli_session *s = &job->s;
    struct cli_content content;
    float *colors;
    char said[300];
    cli_picture_content(&content, s->options, s->scene.scene, frame->report.frame, frame->pixels,
                        frame->sums);
    bool noisy = denoise(job, frame, &content, &colors) != LB_OK;
    struct lb_error why = s->error;
    enum lb_status status =
        cli_picture_write(s->console, file, &job->picture.form, &content, &frame->report.checksum, &s->error);
    bool written = status == LB_OK;
    cli_live_end(job->display, s, &job->picture.form, &content);
    if (written)
        status = cli_outputs_frame(&job->outputs, s->options, frame, colors, start, &s->error);
    free(colors);
    if (!written)
        return cli_session_fail(s);
    snprintf(said, sizeof said, *file ? "the picture %.240s is written%s" : "no picture was asked for", *file,
             noisy ? " with its noise" : "");
    if (status != LB_OK)
        return fail_beside_picture(s, said);
    if (noisy) {
        s->error = why;
        fail_beside_picture(s, said);
        job->noisy = true;
    }
    return CLI_DONE;
}

/* Writes the frame's files; `frame`'s report takes over `file` and goes into the outputs. */
static int deliver(struct job *job, struct lb_frame *frame, char *file, double start)
{
    struct cli_session *s = &job->s;
    char kept[700];
    if (!frame->complete) {
        int status = incomplete(job, frame, file, start);
        free(file);
        return status;
    }
    if (cli_parts_write(s->console, &job->parts, frame, kept, sizeof kept, &s->error) != LB_OK) {
        free(file);
        return cli_session_fail(s);
    }
    if (*kept)
        cli_console_note(s->console, "%s", kept);
    int result = write_files(job, frame, &file, start);
    if (result != CLI_DONE) {
        free(file);
        return result;
    }
    frame->report.file = file;
    frame->report.wall_seconds = lb_clock_now() - s->begin - start;
    struct lb_report_frame report = frame->report;
    frame->report = (struct lb_report_frame){0};
    if (cli_outputs_keep(&job->outputs, &report, s->scene.scene, &s->error) != LB_OK)
        return cli_session_fail(s);
    say_samples(job, frame);
    return CLI_DONE;
}

/* Writes the picture as far as it is, as SIGUSR1 asks, to a file beside that of the whole picture. */
static void show_picture(void *user, const struct lb_part *part)
{
    struct job *job = user;
    const struct lb_frame shown = {.width = part->subject.width,
                                   .height = part->subject.height,
                                   .pixels = part->pixels,
                                   .sums = part->sums,
                                   .samples = lb_held_samples(&part->held),
                                   .report = {.frame = part->subject.frame}};
    struct lb_error said;
    uint32_t checksum;
    free(write_partial(job, &shown, job->file, "asked by SIGUSR1", &checksum, &said));
    cli_console_note(job->s.console, "%s", said.message);
}

/* `file`: the picture's name, or NULL. */
static enum lb_status open_parts(struct job *job, uint32_t number, const char *file)
{
    struct cli_session *s = &job->s;
    enum lb_status status = cli_parts_open(&job->parts, s->options, &s->scene, number, &s->log, &s->error);
    job->file = file;
    job->parts.show = show_picture;
    job->parts.user = job;
    return status;
}

/* Renders a frame and writes its files. Releases `file`, the picture's name, or hands it on. */
static int render_frame(struct job *job, uint32_t number, char *file)
{
    struct cli_session *s = &job->s;
    struct lb_frame frame;
    uint32_t count = s->team.devices.count;
    double start = lb_clock_now() - s->begin;
    bool *lost = calloc(count, sizeof *lost);
    bool loaded = lost && cli_session_load(s, number) == LB_OK;
    for (uint32_t i = 0; loaded && i < count; i++)
        lost[i] = s->team.members[i].lost;
    if (loaded)
        cli_live_begin(job->display, s, number, file, &job->picture.form);
    if (!loaded || open_parts(job, number, file) != LB_OK ||
        cli_session_render(s, number, &job->parts, &frame) != LB_OK) {
        cli_parts_free(&job->parts);
        free(lost);
        free(file);
        return cli_session_fail(s);
    }
    int result = deliver(job, &frame, file, start);
    cli_parts_free(&job->parts);
    for (uint32_t i = 0; result == CLI_DONE && i < count; i++)
        if (s->team.members[i].lost && !lost[i])
            cli_team_name_lost(&s->team, i, &s->log);
    free(lost);
    lb_frame_free(&frame);
    cli_session_unload(s);
    return result;
}

/* In an animation: prints a line on the frame that was rendered last, and writes the report of all frames until now,
 * unless that was done a short time ago. */
static void report_so_far(struct job *job)
{
    enum { REST = 20 }; /* a report is written again after so many times as long as writing it took */
    struct cli_session *s = &job->s;
    const struct lb_report_frame *last = &job->outputs.frames[job->outputs.frame_count - 1];
    double begin = lb_clock_now();
    cli_console_note(s->console, "frame %u took %.2f s%s%s", last->frame, last->wall_seconds,
                     last->file ? ": " : "", last->file ? last->file : "");
    if (begin < job->report_due)
        return;
    struct lb_report report = {.run = cli_about_run(s), .strategy = s->options->settings.strategy->name};
    struct lb_error error;
    if (cli_outputs_so_far(&job->outputs, s->options, s->console, &report, &error) != LB_OK)
        lb_log_write(&s->log, LB_WARNING, "%s", error.message);
    job->report_due = lb_clock_now() + REST * (lb_clock_now() - begin);
}

static int render_frames(struct job *job)
{
    struct cli_session *s = &job->s;
    const struct cli_frames *frames = &s->options->frames;
    uint32_t step = frames->given ? frames->step : 1, rendered = 0;
    for (uint64_t number = frames->first; number <= frames->last; number += step) {
        const char *output = job->picture.output;
        char *file = output ? cli_name_frame(output, (uint32_t)number, frames->given) : NULL;
        if (output && !file) {
            lb_error_memory(&s->error, NULL);
            return cli_session_fail(s);
        }
        if (s->options->skip_existing && access(file, F_OK) == 0) {
            lb_log_write(&s->log, LB_NOTE, "%s is there: frame %u was left out", file, (uint32_t)number);
            free(file);
            cli_session_unload(s);
            s->part.index++;
            continue;
        }
        int result = render_frame(job, (uint32_t)number, file);
        if (result != CLI_DONE)
            return result;
        rendered++;
        if (number + step <= frames->last)
            report_so_far(job);
    }
    if (rendered == 0)
        cli_console_note(s->console, "nothing to do: the pictures of all frames are there");
    return CLI_DONE;
}

/* ---- after the last frame ---- */

static int finish(struct job *job)
{
    struct cli_session *s = &job->s;
    struct lb_report report = {.run = cli_about_run(s), .strategy = s->options->settings.strategy->name};
    const struct lb_report_frame *last =
        job->outputs.frame_count ? &job->outputs.frames[job->outputs.frame_count - 1] : NULL;
    if (cli_outputs_finish(&job->outputs, s->options, s->console, &report, &s->error) != LB_OK)
        return fail_beside_picture(s, last && last->incomplete   ? "the picture is incomplete"
                                      : s->options->frames.given ? "the pictures are written"
                                                                 : "the picture is written");
    if (!s->options->no_cache && last && !last->incomplete)
        cli_cache_write(s, &last->all);
    for (uint32_t i = 0; i < s->team.devices.count; i++)
        if (s->team.members[i].lost)
            return CLI_LOST;
    return s->team.lost ? CLI_LOST : CLI_DONE;
}

int cli_render(const struct cli_options *options, struct cli_console *console)
{
    struct job job = {.outputs.console = console};
    if (options->parts.checkpoint)
        cli_signals_catch_asking();
    int result = prepare(&job, options, console) == LB_OK ? render_frames(&job) : cli_session_fail(&job.s);
    if (result == CLI_DONE)
        result = finish(&job);
    else if (job.outputs.frame_count > 0)
        finish(&job); /* tells of what was done */
    if (job.noisy && (result == CLI_DONE || result == CLI_LOST))
        result = CLI_FAILED;
    if (result == CLI_FAILED && job.s.stop && atomic_load(job.s.stop))
        result = CLI_SIGNALLED + atomic_load(job.s.stop);
    lb_display_close(job.display);
    cli_session_close(&job.s);
    cli_outputs_free(&job.outputs);
    cli_picture_free(&job.picture);
    lb_denoiser_close(job.denoiser);
    return result;
}
