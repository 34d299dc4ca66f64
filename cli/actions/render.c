#include "cli/actions/render.h"

#include "cli/session/about.h"
#include "cli/session/cache.h"
#include "cli/actions/job.h"
#include "cli/session/live.h"
#include "cli/outputs/names.h"
#include "cli/options/effect.h"
#include "cli/options/rules.h"
#include "cli/actions/render_frame.h"
#include "cli/console/signals.h"
#include "cli/console/status.h"
#include "core/machine/clock.h"

#include <stdlib.h>
#include <unistd.h>

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

/* A quick picture is denoised where that can be done, without a word where it cannot. Parts have what they were made
 * with. */
static struct cli_options denoised_if_quick(const struct cli_options *given, struct lb_denoiser **denoiser)
{
    const struct cli_part_options *parts = &given->parts;
    struct cli_options cleaned = *given;
    struct lb_error unused;
    cleaned.denoise = true;
    bool wanted = given->quick && !given->denoise && !parts->part && !parts->checkpoint && !parts->resume;
    if (!wanted || !cli_options_denoise(&cleaned) ||
        lb_denoiser_open(NULL, given->threads, denoiser, &unused) != LB_OK)
        return *given;
    return cleaned;
}

static enum lb_status prepare(struct cli_job *job, const struct cli_options *options,
                              struct cli_console *console)
{
    struct cli_session *s = &job->s;
    enum lb_status status = cli_session_open(s, options, console);
    if (status == LB_OK && cli_options_denoise(options) && !job->denoiser)
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

/* ---- frame after frame ---- */

/* In an animation: prints a line on the frame that was rendered last, and writes the report of all frames until now,
 * unless that was done a short time ago. */
static void report_so_far(struct cli_job *job)
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

static int render_frames(struct cli_job *job)
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
        int result = cli_render_frame(job, (uint32_t)number, file);
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

static int finish(struct cli_job *job)
{
    struct cli_session *s = &job->s;
    struct lb_report report = {.run = cli_about_run(s), .strategy = s->options->settings.strategy->name};
    const struct lb_report_frame *last =
        job->outputs.frame_count ? &job->outputs.frames[job->outputs.frame_count - 1] : NULL;
    if (cli_outputs_finish(&job->outputs, s->options, s->console, &report, &s->error) != LB_OK)
        return cli_session_fail_beside(s, last && last->incomplete   ? "the picture is incomplete"
                                          : s->options->frames.given ? "the pictures are written"
                                                                     : "the picture is written");
    if (!s->options->no_cache && last && !last->incomplete)
        cli_cache_write(s, &last->all);
    for (uint32_t i = 0; i < s->team.devices.count; i++)
        if (cli_team_misses(&s->team, i))
            return CLI_LOST;
    return s->team.lost ? CLI_LOST : CLI_DONE;
}

int cli_render(const struct cli_options *given, struct cli_console *console)
{
    struct cli_job job = {.outputs.console = console};
    const struct cli_options options = denoised_if_quick(given, &job.denoiser);
    if (options.parts.checkpoint)
        cli_signals_catch_asking();
    int result = prepare(&job, &options, console) == LB_OK ? render_frames(&job) : cli_session_fail(&job.s);
    if (result == CLI_DONE)
        result = finish(&job);
    else if (job.outputs.frame_count > 0)
        finish(&job); /* tells of what was done */
    if (job.noisy && (result == CLI_DONE || result == CLI_LOST))
        result = CLI_FAILED;
    if (result == CLI_FAILED && lb_interrupt_signalled(job.s.interrupt))
        result = CLI_SIGNALLED + lb_interrupt_signalled(job.s.interrupt);
    lb_display_close(job.display);
    cli_session_close(&job.s);
    cli_outputs_free(&job.outputs);
    cli_picture_free(&job.picture);
    lb_denoiser_close(job.denoiser);
    return result;
}
