#include "cli/outputs/picture.h"

#include "cli/outputs/names.h"
#include "cli/options/rules.h"
#include "cli/outputs/rescue.h"
#include "core/picture/denoise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Standard output gets what --format says, else the first format. */
static enum lb_status choose_name(struct cli_picture *picture, const struct cli_options *o,
                                  const struct lb_loaded *scene, struct cli_console *console,
                                  struct lb_error *error)
{
    bool replaced = false;
    enum lb_status status = LB_OK;
    picture->form.format = cli_options_nowhere(o) ? LB_FILM_NONE : (enum lb_film_format)0;
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
    if (form->format == LB_FILM_NONE)
        return LB_OK;
    const struct lb_film_format_about *about = lb_film_formats[form->format];
    const uint32_t *bits = about->bits;
    if (form->bits && form->bits != bits[0] && form->bits != bits[1]) {
        char either[32] = "";
        if (bits[0] != bits[1])
            snprintf(either, sizeof either, "%u or ", bits[0]);
        return lb_error_set(error, LB_ERROR_USAGE, "--bits=%u: %s files have values of %s%u bits", form->bits,
                            lb_film_names[form->format], either, bits[1]);
    }
    if (!form->bits)
        form->bits = bits[about->bits_of_film && scene->film_floats];
    return LB_OK;
}

/* The formats that hold `what`, the caller's to free; NULL: out of memory. */
static char *names_of(enum lb_film_holds what)
{
    struct lb_text names = {.data = NULL};
    lb_film_name_those((uint32_t)what, &names);
    return lb_text_take(&names);
}

static void warn(const struct cli_options *o, enum lb_film_format format, struct cli_console *console)
{
    struct lb_log log = cli_console_log(console);
    const struct {
        bool given;
        enum lb_film_holds of;
        const char *name;
    } only[] = {{o->form.exposure != 0, LB_FILM_TONES, "exposure"},
                {o->form.tone_map != LB_TONE_NONE, LB_FILM_TONES, "tone-map"},
                {o->compression_given, LB_FILM_COMPRESSED, "compression"},
                {o->quality_given, LB_FILM_QUALITIES, "quality"}};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (only[i].given && !lb_film_can(format, only[i].of)) {
            char *formats = names_of(only[i].of);
            lb_log_write(&log, LB_WARNING, "--%s has no effect: it is for %s files", only[i].name,
                         formats ? formats : "other");
            free(formats);
        }
}

/* Has the file that the options name room for channels? */
static bool can_have_channels(const struct cli_options *o)
{
    enum lb_film_format format = LB_FILM_NONE;
    if (o->format_given)
        format = o->form.format;
    else if (o->output)
        lb_film_format_of(o->output, &format);
    return lb_film_can(format, LB_FILM_CHANNELS);
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
    if (options->growth.adaptive) /* samples go where they lessen noise most for what they cost */
        channels.wanted |= 1u << LB_CHANNEL_SCATTERED;
    if (options->simulate || options->compare)
        return channels;
    channels.wanted |= cli_picture_kinds(options->form.outputs, options->form.transparent);
    /* Denoisers want noise that is one pixel's alone, and by such is told how far a picture is to its noise. */
    bool apart = options->denoise || options->growth.noise > 0;
    channels.around = apart && options->around == LB_AROUND_AUTO ? LB_AROUND_NO : options->around;
    if (cli_options_denoise(options) || (options->denoise && part))
        channels.of_surfaces = lb_outputs_kinds(LB_OUTPUTS_DENOISE);
    channels.by_film_name = !options->output && !options->format_given && !part;
    if (!options->channels_given && (can_have_channels(options) || channels.by_film_name || part)) {
        channels.of_gbuffer = lb_outputs_kinds(LB_OUTPUTS_GBUFFER);
        channels.of_spectral = lb_outputs_kinds(1u << LB_OUTPUT_BUCKETS);
    }
    return channels;
}

uint32_t cli_picture_outputs(const struct cli_options *options, const struct lb_loaded *scene)
{
    uint32_t of_film = scene->film_gbuffer    ? LB_OUTPUTS_GBUFFER
                       : scene->film_spectral ? 1u << LB_OUTPUT_BUCKETS
                                              : 0;
    uint32_t kinds = lb_outputs_kinds(of_film);
    bool has = of_film && !options->channels_given && (scene->scene->channels.wanted & kinds) == kinds;
    return has ? of_film : options->form.outputs;
}

static enum lb_status no_room(const char *format, struct lb_error *error)
{
    char *others = names_of(LB_FILM_CHANNELS);
    lb_error_set(error, LB_ERROR_USAGE, "--channels: %s files have no room for them, %s has", format,
                 others ? others : "another one");
    free(others);
    return LB_ERROR_USAGE;
}

/* A film "gbuffer" asks for pbrt's channels by itself, and one of wavelengths for its buckets. */
static enum lb_status choose_outputs(struct lb_film_form *form, const struct cli_options *o,
                                     const struct lb_loaded *scene, struct lb_error *error)
{
    if (form->format == LB_FILM_NONE)
        return LB_OK;
    const char *name = lb_film_names[form->format];
    bool kept = lb_film_can(form->format, LB_FILM_CHANNELS);
    if (form->outputs && !kept && !cli_options_make_part(o))
        return no_room(name, error);
    if (form->transparent && !lb_film_can(form->format, LB_FILM_ALPHA))
        return lb_error_set(error, LB_ERROR_USAGE, "--transparent: %s files have no alpha", name);
    if (kept)
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

static const char *texts_of(const lb_scene *scene, lb_array array)
{
    return array.count ? (const char *)scene + array.offset : NULL;
}

void cli_picture_content(struct cli_content *content, const struct cli_options *options,
                         const lb_scene *scene, const struct lb_frame *frame)
{
    snprintf(content->number, sizeof content->number, "%u", frame->report.frame);
    content->untold = 0;
    content->film = (struct lb_film_picture){.film = &scene->film,
                                             .pixels = frame->pixels,
                                             .channels = &frame->channels,
                                             .sums = frame->sums,
                                             .list_texts = {texts_of(scene, scene->object_texts),
                                                            texts_of(scene, scene->material_texts),
                                                            texts_of(scene, scene->group_texts)},
                                             .untold = &content->untold,
                                             .scene = strcmp(options->scene, "-") ? options->scene : NULL,
                                             .frame = options->frames.given ? content->number : NULL,
                                             .samples = cli_options_samples(options, scene),
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
    if (status == LB_OK && content->untold)
        cli_console_note(console,
                         "Cryptomatte: %llu pixels show more names than %u each, and have none: "
                         "--cryptomatte-levels=%u tells more",
                         (unsigned long long)content->untold, content->film.channels->matte_ranks + 2,
                         2 * content->film.channels->matte_ranks);
    if (elsewhere) {
        free(*file);
        *file = elsewhere;
    }
    return status;
}
