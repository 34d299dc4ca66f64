#include "cli/actions/dry_run.h"

#include "cli/console/status.h"
#include "cli/outputs/outputs.h"
#include "cli/session/session.h"

#include <stdlib.h>

static void add_seconds(struct lb_text *text, double seconds)
{
    if (seconds < 120.0)
        lb_text_add(text, "%.3g s", seconds);
    else if (seconds < 7200.0)
        lb_text_add(text, "%.1f min", seconds / 60.0);
    else
        lb_text_add(text, "%.1f h", seconds / 3600.0);
}

static void add_scene(struct lb_text *text, const struct cli_session *s)
{
    const lb_scene *scene = s->scene.scene;
    lb_text_add(text, "picture     %u x %u pixels", scene->film.width, scene->film.height);
    if (scene->film.width != scene->film.full_width || scene->film.height != scene->film.full_height)
        lb_text_add(text, " of %u x %u", scene->film.full_width, scene->film.full_height);
    lb_text_add(text, ", %u samples each\n", scene->integrator.samples);
    lb_text_add(text, "scene       %llu triangles, %llu lights, read and built in %.2f s\n",
                (unsigned long long)s->scene.triangles, (unsigned long long)scene->lights.count,
                s->load_seconds);
    lb_text_add(text, "processors  %u\n", s->team.devices.count);
    /* A pixel is kept three times at most: as sums, as a processor renders it, and as it is written. */
    double picture = 3.0 * (double)sizeof(lb_film_pixel) * scene->film.width * scene->film.height;
    lb_text_add(text, "memory      %.1f MB for the scene, up to %.1f MB for the picture\n",
                (double)scene->size * 1e-6, picture * 1e-6);
}

/* Samples cost alike, so that what some took tells of all. */
static void add_time(struct lb_text *text, const struct cli_session *s, const struct lb_frame *frame)
{
    const struct cli_frames *frames = &s->options->frames;
    const lb_scene *scene = s->scene.scene;
    double all = (double)scene->film.width * scene->film.height * scene->integrator.samples;
    double taken = frame->report.all.t, each = taken * all / (double)frame->samples;
    uint32_t count = frames->given ? (frames->last - frames->first) / frames->step + 1 : 1;
    lb_text_add(text, "time        about ");
    add_seconds(text, each);
    if (count > 1) {
        lb_text_add(text, " a frame, ");
        add_seconds(text, count * (each + s->load_seconds));
        lb_text_add(text, " for %u of them", count);
    }
    lb_text_add(text, ", by %u samples a pixel in %.2f s\n", frame->samples_each, taken);
}

static enum lb_status describe(struct cli_session *s, struct lb_text *text)
{
    struct lb_frame frame;
    enum lb_status status = cli_session_load(s, s->options->frames.first);
    if (status == LB_OK)
        status = cli_session_start(s, s->options->settings.strategy, false, false);
    if (status != LB_OK)
        return status;
    add_scene(text, s);
    status = cli_session_render(s, s->options->frames.first, NULL, &frame);
    if (status != LB_OK)
        return status;
    if (frame.samples == 0)
        status = lb_error_set(&s->error, LB_ERROR, "stopped before there was a sample");
    else
        add_time(text, s, &frame);
    lb_frame_free(&frame);
    return status;
}

int cli_dry_run(const struct cli_options *options, struct cli_console *console)
{
    struct cli_options own = *options;
    struct cli_session s;
    struct lb_text text = {.data = NULL};
    own.growth = (struct lb_growth){.time_limit = 1.0};
    own.load.most_times = 0;
    own.parts = (struct cli_part_options){.part = NULL};
    own.display_server = NULL;
    own.preview = false;
    enum lb_status status = cli_session_open(&s, &own, console);
    if (status == LB_OK)
        status = describe(&s, &text);
    int result = status == LB_OK ? CLI_DONE : cli_session_fail(&s);
    cli_session_close(&s);
    char *told = lb_text_take(&text);
    struct lb_error error;
    if (result == CLI_DONE && cli_outputs_write(console, "-", told, &error) != LB_OK)
        return cli_console_error(console, &error);
    if (result != CLI_DONE)
        free(told);
    return result;
}
