#include "cli/outputs/picture.h"

#include "cli/outputs/names.h"
#include "cli/options/rules.h"
#include "cli/outputs/rescue.h"
#include "core/picture/denoise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const format_names[] = {"PNG", "PFM", "EXR"};

/* Standard output gets what --format says, else a PNG. */
static enum lb_status choose_name(struct cli_picture *picture, const struct cli_options *o,
                                  const struct lb_loaded *scene, struct cli_console *console,
                                  struct lb_error *error)
{
    bool replaced = false;
    enum lb_status status = LB_OK;
    picture->form.format = cli_options_nowhere(o) ? LB_FILM_NONE : LB_FILM_PNG;
    if (picture->form.format == LB_FILM_NONE)
        return LB_OK;
    if (o->output)
        picture->output = strdup(o->output);
    else
        status = cli_name_output(o->scene, scene->film_file, &replaced, &picture->output, error);
    if (status == LB_OK && !picture->output)
        status = lb_error_memory(error, NULL);
    if (status != LB_OK)
        return status;
    if (replaced)
        cli_console_note(console, "the film's %.500s cannot be written: it will be %.500s", scene->film_file,
                         picture->output);
    if (o->format_given)
        picture->form.format = o->form.format;
    else
        lb_film_format_of(picture->output, &picture->form.format);
    return LB_OK;
}

static enum lb_status choose_bits(struct lb_film_form *form, const struct lb_loaded *scene,
                                  struct lb_error *error)
{
    /* The first is what a format has unasked: of an EXR, what the film says. */
    const uint32_t exr = scene->film_floats ? 32 : 16;
    const uint32_t known[][2] = {
        [LB_FILM_PNG] = {8, 16}, [LB_FILM_PFM] = {32, 32}, [LB_FILM_EXR] = {exr, 48 - exr}};
    if (form->format == LB_FILM_NONE)
        return LB_OK;
    const uint32_t *bits = known[form->format];
    if (form->bits && form->bits != bits[0] && form->bits != bits[1])
        return lb_error_set(error, LB_ERROR_USAGE, "--bits=%u: a %s file has values of %s bits", form->bits,
                            format_names[form->format],
                            form->format == LB_FILM_PFM   ? "32"
                            : form->format == LB_FILM_PNG ? "8 or 16"
                                                          : "16 or 32");
    form->bits = form->bits ? form->bits : bits[0];
    return LB_OK;
}

static void warn(const struct cli_options *o, enum lb_film_format format, struct cli_console *console)
{
    struct lb_log log = cli_console_log(console);
    const struct {
        bool given;
        enum lb_film_format of;
        const char *name;
    } only[] = {{o->form.exposure != 0, LB_FILM_PNG, "exposure"},
                {o->form.tone_map != LB_TONE_NONE, LB_FILM_PNG, "tone-map"},
                {o->compression_given, LB_FILM_EXR, "compression"}};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (only[i].given && only[i].of != format)
            lb_log_write(&log, LB_WARNING, "--%s has no effect: it is for %s files", only[i].name,
                         format_names[only[i].of]);
}

static bool is_exr(const struct cli_options *o)
{
    enum lb_film_format format = LB_FILM_PNG;
    if (o->format_given)
        format = o->form.format;
    else if (o->output)
        lb_film_format_of(o->output, &format);
    return format == LB_FILM_EXR;
}

uint32_t cli_picture_kinds(uint32_t outputs, bool transparent)
{
    uint32_t cut_out = lb_outputs_kinds(1u << LB_OUTPUT_ALPHA) | 1u << LB_CHANNEL_BACKGROUND;
    return lb_outputs_kinds(outputs) | (transparent ? cut_out : 0);
}

struct lb_scene_channels cli_picture_channels(const struct cli_options *options)
{
    struct lb_scene_channels channels = options->load.channels;
    bool part = cli_options_make_part(options);
    if (options->simulate || options->compare)
        return channels;
    channels.wanted = cli_picture_kinds(options->form.outputs, options->form.transparent);
    if (cli_options_denoise(options) || (options->denoise && part))
        channels.of_surfaces = lb_outputs_kinds(LB_OUTPUTS_DENOISE);
    channels.by_film_name = !options->output && !options->format_given && !part;
    if (!options->channels_given && (is_exr(options) || channels.by_film_name || part))
        channels.of_gbuffer = lb_outputs_kinds(LB_OUTPUTS_GBUFFER);
    return channels;
}

uint32_t cli_picture_outputs(const struct cli_options *options, const struct lb_loaded *scene)
{
    uint32_t gbuffer = lb_outputs_kinds(LB_OUTPUTS_GBUFFER);
    bool of_film = scene->film_gbuffer && !options->channels_given &&
                   (scene->scene->channels.wanted & gbuffer) == gbuffer;
    return of_film ? LB_OUTPUTS_GBUFFER : options->form.outputs;
}

/* A film "gbuffer" asks for pbrt's channels by itself. */
static enum lb_status choose_outputs(struct lb_film_form *form, const struct cli_options *o,
                                     const struct lb_loaded *scene, struct lb_error *error)
{
    bool kept = form->format == LB_FILM_EXR || cli_options_make_part(o);
    if (form->outputs && form->format != LB_FILM_NONE && !kept)
        return lb_error_set(error, LB_ERROR_USAGE, "--channels: a %s file has no room for them, an EXR has",
                            format_names[form->format]);
    if (form->transparent && form->format == LB_FILM_PFM)
        return lb_error_set(error, LB_ERROR_USAGE, "--transparent: a PFM file has no alpha");
    if (form->format == LB_FILM_EXR)
        form->outputs = cli_picture_outputs(o, scene);
    return LB_OK;
}

enum lb_status cli_picture_choose(struct cli_picture *picture, const struct cli_options *options,
                                  const struct lb_loaded *scene, struct cli_console *console,
                                  struct lb_error *error)
{
    *picture = (struct cli_picture){.form = options->form};
    enum lb_status status = choose_name(picture, options, scene, console, error);
    if (status == LB_OK)
        status = choose_bits(&picture->form, scene, error);
    if (status == LB_OK)
        status = choose_outputs(&picture->form, options, scene, error);
    if (status == LB_OK)
        warn(options, picture->form.format, console);
    return status;
}

void cli_picture_free(struct cli_picture *picture)
{
    free(picture->output);
    picture->output = NULL;
}

void cli_picture_content(struct cli_content *content, const struct cli_options *options,
                         const lb_scene *scene, uint32_t frame, const lb_film_pixel *pixels,
                         const int64_t *sums)
{
    snprintf(content->number, sizeof content->number, "%u", frame);
    content->film = (struct lb_film_picture){.film = &scene->film,
                                             .pixels = pixels,
                                             .channels = &scene->channels,
                                             .sums = sums,
                                             .scene = strcmp(options->scene, "-") ? options->scene : NULL,
                                             .frame = options->frames.given ? content->number : NULL,
                                             .samples = scene->integrator.samples,
                                             .seed = scene->integrator.seed};
}

struct written {
    const struct lb_film_form *form;
    const struct lb_film_picture *picture;
    uint32_t *checksum;
};

static enum lb_status write_film(const char *file, const void *what, struct lb_error *error)
{
    const struct written *written = what;
    return lb_film_write(file, written->form, written->picture, written->checksum, error);
}

enum lb_status cli_picture_write(struct cli_console *console, char **file, const struct lb_film_form *form,
                                 const struct cli_content *content, uint32_t *checksum,
                                 struct lb_error *error)
{
    char *elsewhere;
    const struct written written = {form, &content->film, checksum};
    if (!*file)
        return write_film(NULL, &written, error);
    enum lb_status status = cli_rescue_write(console, *file, write_film, &written, &elsewhere, error);
    if (elsewhere) {
        free(*file);
        *file = elsewhere;
    }
    return status;
}
