#include "cli/session/live.h"

#include "core/base/printable.h"
#include "core/display/page.h"
#include "core/display/terminal.h"
#include "core/kernel/film/film.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A colour as a PNG would have it. */
static void encode(void *user, const float color[3], uint8_t rgb[3])
{
    const struct lb_film_form *form = user;
    float factor = lb_exposure_factor((float)form->exposure);
    lb_rgb c = lb_tone_map(form->tone_map, factor, lb_rgb_make(color[0], color[1], color[2]));
    rgb[0] = lb_srgb_byte(c.r);
    rgb[1] = lb_srgb_byte(c.g);
    rgb[2] = lb_srgb_byte(c.b);
}

/* The terminal where there is one that shows pictures, or that is asked for; else the page. */
static enum lb_status open_viewer(const struct cli_session *s, struct lb_viewer **viewer,
                                  struct lb_error *error)
{
    enum cli_preview as = s->options->preview_as;
    enum lb_inline_form form = as == CLI_PREVIEW_KITTY   ? LB_INLINE_KITTY
                               : as == CLI_PREVIEW_SIXEL ? LB_INLINE_SIXEL
                               : as == CLI_PREVIEW_AUTO  ? lb_terminal_form(STDERR_FILENO)
                                                         : LB_INLINE_NONE;
    uint16_t port = (uint16_t)s->options->preview_port;
    if (form != LB_INLINE_NONE) {
        *viewer = lb_terminal_open(STDERR_FILENO, form, &s->console->lock);
        return *viewer ? LB_OK : lb_error_memory(error, NULL);
    }
    enum lb_status status = lb_page_open(&port, viewer, error);
    if (status == LB_OK)
        cli_console_note(s->console, "the picture is shown at http://127.0.0.1:%u/ on this machine", port);
    return status;
}

static struct lb_display *open_preview(const struct cli_session *s)
{
    struct lb_display *display = NULL;
    struct lb_viewer *viewer;
    struct lb_error error;
    enum lb_status status = open_viewer(s, &viewer, &error);
    if (status == LB_OK)
        status = lb_display_open_viewer(viewer, encode, (void *)(uintptr_t)&s->options->form,
                                        s->team.cpus.count, &s->log, &display, &error);
    if (status != LB_OK)
        lb_log_write(&s->log, LB_WARNING, "--preview: %s; nothing is shown", error.message);
    return display;
}

struct lb_display *cli_live_open(const struct cli_session *s)
{
    struct lb_display *display;
    struct lb_error error;
    const char *address = s->options->display_server;
    if (s->options->preview)
        return open_preview(s);
    if (!address || lb_display_open(address, s->team.cpus.count, &s->log, &display, &error) == LB_OK)
        return address ? display : NULL;
    lb_log_write(&s->log, LB_WARNING, "--display-server: there is no viewer at %.600s; nothing is shown",
                 error.message);
    return NULL;
}

static void show_pixel(void *user, uint64_t pixel, lb_rgb color)
{
    const float values[3] = {color.r, color.g, color.b};
    lb_display_put(user, pixel, values);
}

static void show_changes(void *user, struct lb_display *display)
{
    const struct cli_session *s = user;
    lb_run_changes(s->run, show_pixel, display);
}

/* "room.png (1234)", as pbrt has it: the number of the process keeps the pictures of several runs apart. Without a file
 * the scene's name stands for it, and the frame's number. NULL: out of memory. */
static char *make_name(const struct cli_session *s, uint32_t number, const char *file)
{
    bool named = file && strcmp(file, "-");
    const char *from = named ? file : s->options->scene;
    const char *slash = strrchr(from, '/');
    char *plain = lb_utf8_text(slash ? slash + 1 : from);
    struct lb_text text = {0};
    if (!plain)
        return NULL;
    lb_text_add(&text, "%s", plain);
    if (!named && s->options->frames.given)
        lb_text_add(&text, " %u", number);
    lb_text_add(&text, " (%ld)", (long)getpid());
    free(plain);
    return lb_text_take(&text);
}

void cli_live_begin(struct lb_display *display, struct cli_session *s, uint32_t number, const char *file,
                    const struct lb_film_form *form)
{
    struct lb_error error;
    if (!display)
        return;
    char *name = make_name(s, number, file);
    const struct lb_display_picture picture = {.name = name,
                                               .width = s->scene.scene->film.width,
                                               .height = s->scene.scene->film.height,
                                               .alpha = form->transparent,
                                               .look = show_changes,
                                               .user = s};
    enum lb_status status =
        name ? lb_display_begin(display, &picture, &error) : lb_error_memory(&error, "a picture's name");
    if (status != LB_OK)
        lb_log_write(&s->log, LB_WARNING, "--display-server: %s", error.message);
    free(name);
}

void cli_live_end(struct lb_display *display, const struct cli_session *s, const struct lb_film_form *form,
                  const struct cli_content *content)
{
    if (!display)
        return;
    float *color = content ? lb_film_colors(&content->film, form) : NULL;
    float *alpha = color && form->transparent && content->film.sums
                       ? lb_film_values(&content->film, LB_OUTPUT_ALPHA)
                       : NULL;
    lb_display_end(display, color, alpha, &s->interrupt->signal);
    free(color);
    free(alpha);
}
