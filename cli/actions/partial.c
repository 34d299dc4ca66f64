#include "cli/actions/partial.h"

#include "cli/session/live.h"
#include "cli/options/rules.h"
#include "cli/outputs/names.h"
#include "cli/console/signals.h"
#include "cli/console/status.h"
#include "core/machine/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What there is, as a PNG beside where the whole would be; never over it, nor to standard output. `said` is what
 * there is to say of it, after `why`. Returns the PNG's name, the caller's to free, and its checksum; NULL: there is
 * none. */
static char *write_partial(struct cli_job *job, const struct lb_frame *frame, const char *file,
                           const char *why, uint32_t *checksum, struct lb_error *said)
{
    struct cli_session *s = &job->s;
    bool beside = file && strcmp(file, "-");
    char *partial = beside ? cli_name_partial(file) : NULL;
    struct lb_film_form form = job->picture.form;
    uint64_t all = (uint64_t)frame->width * frame->height * cli_options_samples(s->options, s->scene.scene);
    struct cli_content content;
    struct lb_error error;
    bool written = false;
    cli_picture_content(&content, s->options, s->scene.scene, frame);
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

/* Says what is known of a frame that no signal ended early. A strategy that had no memory to take ranges back leaves
 * them undone, but nothing tells of that here. */
static void say_why(const struct cli_session *s, char *why, size_t size)
{
    for (uint32_t i = 0; i < s->team.devices.count; i++)
        if (!s->team.members[i].lost) {
            snprintf(why, size, "samples are missing, although %s could still render",
                     s->team.members[i].name);
            return;
        }
    snprintf(why, size, "every processor was lost (%s)", s->team.members[0].error.message);
}

/* The report tells of what was rendered of a frame that is not complete, too. */
static enum lb_status keep_incomplete(struct cli_job *job, struct lb_frame *frame, double start)
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
    return cli_outputs_keep(&job->outputs, s->options, &report, s->scene.scene, &s->error);
}

int cli_partial_deliver(struct cli_job *job, struct lb_frame *frame, const char *file, double start)
{
    struct cli_session *s = &job->s;
    int signal = lb_interrupt_signalled(s->interrupt);
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

void cli_partial_show(void *user, const struct lb_part *part)
{
    struct cli_job *job = user;
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
