#include "cli/actions/render_frame.h"

#include "cli/actions/deliver.h"
#include "cli/session/live.h"
#include "cli/actions/partial.h"
#include "cli/console/status.h"
#include "core/machine/clock.h"

#include <stdlib.h>

/* `file`: the picture's name, or NULL. */
static enum lb_status open_parts(struct cli_job *job, uint32_t number, const char *file)
{
    struct cli_session *s = &job->s;
    enum lb_status status = cli_parts_open(&job->parts, s->options, &s->scene, number, &s->log, &s->error);
    job->file = file;
    job->parts.show = cli_partial_show;
    job->parts.user = job;
    return status;
}

/* Writes the frame's files, all or what there is of them; releases `file`, or hands it on. */
static int deliver(struct cli_job *job, struct lb_frame *frame, char *file, double start)
{
    if (frame->complete)
        return cli_deliver(job, frame, file, start);
    int result = cli_partial_deliver(job, frame, file, start);
    free(file);
    return result;
}

int cli_render_frame(struct cli_job *job, uint32_t number, char *file)
{
    struct cli_session *s = &job->s;
    struct lb_frame frame;
    double start = lb_clock_now() - s->begin;
    bool loaded = cli_session_load(s, number) == LB_OK; /* which may leave processors out of the team */
    bool *lost = calloc(s->team.most, sizeof *lost);
    if (loaded && !lost)
        loaded = lb_error_memory(&s->error, NULL) == LB_OK;
    for (uint32_t i = 0; loaded && i < s->team.devices.count; i++)
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
    for (uint32_t i = 0; result == CLI_DONE && i < s->team.devices.count; i++)
        if (cli_team_misses(&s->team, i) && !lost[i])
            cli_team_name_lost(&s->team, i, &s->log);
    free(lost);
    lb_frame_free(&frame);
    cli_session_unload(s);
    return result;
}
