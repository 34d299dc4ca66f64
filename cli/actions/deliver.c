#include "cli/actions/deliver.h"

#include "cli/options/rules.h"
#include "cli/session/denoise.h"
#include "cli/session/live.h"
#include "cli/console/status.h"
#include "core/machine/clock.h"

#include <stdio.h>
#include <stdlib.h>

/* The picture's colours without noise, the caller's to free; NULL: they are to stay as they are. Where this fails, the
 * picture with its noise is better than none. */
static enum lb_status denoise(struct cli_job *job, struct lb_frame *frame, struct cli_content *content,
                              float **colors)
{
    double begin = lb_clock_now();
    enum lb_status status = cli_denoise(job->s.console, job->s.options->progress, job->denoiser,
                                        &job->picture.form, &content->film, colors, &job->s.error);
    if (status != LB_OK || !*colors)
        return status;
    snprintf(frame->report.denoised_by, sizeof frame->report.denoised_by, "%s", content->film.cleaned_by);
    frame->report.denoise_seconds = lb_clock_now() - begin;
    return LB_OK;
}

/* Where --time-limit or --noise-target may end a frame early: tells its samples a pixel and its noise. */
static void say_samples(struct cli_job *job, const struct lb_frame *frame)
{
    const struct lb_growth *growth = &job->s.options->growth;
    uint32_t samples = cli_options_samples(job->s.options, job->s.scene.scene);
    const char *whose = !growth->adaptive    ? ""
                        : growth->by_largest ? " in the noisiest pixel"
                                             : " in the mean of the pixels";
    char noise[64] = "";
    if (growth->time_limit <= 0 && growth->noise <= 0)
        return;
    if (frame->noise >= 0)
        snprintf(noise, sizeof noise, ", noise %.3g%s", frame->noise, whose);
    cli_console_note(job->s.console, "%u of %u samples a pixel%s%s", frame->samples_each, samples,
                     growth->adaptive ? " on average" : "", noise);
    job->outputs.samples = frame->samples_each;
}

/* Writes the picture and the files beside it. Where only the denoiser fails, the user is told, and all goes on. */
static int write_files(struct cli_job *job, struct lb_frame *frame, char **file, double start)
{
    struct cli_session *s = &job->s;
    struct cli_content content;
    float *colors;
    char said[300];
    cli_picture_content(&content, s->options, s->scene.scene, frame);
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
        return cli_session_fail_beside(s, said);
    if (noisy) {
        s->error = why;
        cli_session_fail_beside(s, said);
        job->noisy = true;
    }
    return CLI_DONE;
}

int cli_deliver(struct cli_job *job, struct lb_frame *frame, char *file, double start)
{
    struct cli_session *s = &job->s;
    char kept[700];
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
    if (cli_outputs_keep(&job->outputs, s->options, &report, s->scene.scene, &s->error) != LB_OK)
        return cli_session_fail(s);
    say_samples(job, frame);
    return CLI_DONE;
}
