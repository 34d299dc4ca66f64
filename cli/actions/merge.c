#include "cli/actions/merge.h"

#include "cli/console/status.h"
#include "cli/options/rules.h"
#include "cli/outputs/names.h"
#include "cli/outputs/outputs.h"
#include "cli/outputs/picture.h"
#include "cli/outputs/rescue.h"
#include "cli/session/denoise.h"
#include "core/base/replace.h"
#include "core/part/part_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- joining ---- */

/* What is written must not be a part that is read. */
static enum lb_status check_output(const struct cli_options *o, const char *option, const char *file,
                                   struct lb_error *error)
{
    if (!file || !strcmp(file, "-"))
        return LB_OK;
    for (uint32_t i = 0; i < o->operand_count; i++)
        if (cli_name_same(file, o->operands[i]))
            return lb_error_set(error, LB_ERROR_USAGE, "%s would overwrite %.500s", option, o->operands[i]);
    lb_replace_sweep(file);
    return cli_name_check(file, error);
}

/* The channels that files of the picture have by default. Only a damaged part names some that it has no sums of. */
static enum lb_status read_outputs(const struct lb_part_subject *subject, const char *name, uint32_t *outputs,
                                   struct lb_error *error)
{
    struct lb_error unused;
    *outputs = 0;
    if (*subject->outputs && lb_outputs_parse(subject->outputs, outputs, &unused) != LB_OK)
        return lb_error_set(error, LB_ERROR, "%s: damaged part: its outputs are no channels", name);
    if (cli_picture_kinds(*outputs, subject->transparent) & ~subject->channels.wanted)
        return lb_error_set(error, LB_ERROR, "%s: damaged part: it lacks sums of its outputs", name);
    return LB_OK;
}

/* The same scene may have been read from files of different names, and different channels may be wanted of the same
 * sums. Which of these the result has must not depend on the order of the parts: it keeps the first name by the
 * alphabet, and the channels of all. */
static enum lb_status keep_words(struct lb_part_subject *subject, const struct lb_part_subject *other,
                                 const char *name, struct lb_error *error)
{
    uint32_t outputs, others;
    if (strcmp(other->scene, subject->scene) < 0)
        memcpy(subject->scene, other->scene, sizeof subject->scene);
    enum lb_status status = read_outputs(subject, name, &outputs, error);
    if (status == LB_OK)
        status = read_outputs(other, name, &others, error);
    if (status != LB_OK)
        return status;
    lb_outputs_text(outputs | others, subject->outputs, sizeof subject->outputs);
    subject->transparent |= other->transparent;
    return LB_OK;
}

/* With the sums that --channels asks for alone, where it is given; else with all, which parts then must share. */
static enum lb_status read_part(const struct cli_options *o, const char *name, struct lb_part *part,
                                struct lb_error *error)
{
    enum lb_status status = lb_part_read(name, part, error);
    if (status != LB_OK || !o->channels_given)
        return status;
    lb_outputs_text(o->form.outputs, part->subject.outputs, sizeof part->subject.outputs);
    part->subject.transparent = o->form.transparent;
    uint32_t help = cli_options_denoise(o) ? LB_OUTPUTS_DENOISE : 0;
    uint32_t around = part->subject.channels.wanted & 1u << LB_CHANNEL_AROUND;
    return lb_part_narrow(part, cli_picture_kinds(o->form.outputs | help, o->form.transparent) | around, name,
                          error);
}

static enum lb_status join(const struct cli_options *o, struct lb_part *whole, struct lb_error *error)
{
    enum lb_status status = read_part(o, o->operands[0], whole, error);
    for (uint32_t i = 1; i < o->operand_count && status == LB_OK; i++) {
        struct lb_part part;
        status = read_part(o, o->operands[i], &part, error);
        if (status == LB_OK)
            status = lb_part_same(&part.subject, o->operands[i], &whole->subject, o->operands[0], error);
        if (status == LB_OK)
            status = lb_part_add(whole, &part, o->operands[i], error);
        if (status == LB_OK)
            status = keep_words(&whole->subject, &part.subject, o->operands[i], error);
        lb_part_free(&part);
    }
    return status;
}

/* ---- writing ---- */

/* What nobody asked for otherwise is as it was asked for when the parts were rendered. */
static enum lb_status choose_form(const struct cli_options *o, const struct lb_part *part,
                                  struct cli_picture *picture, struct lb_error *error)
{
    const struct lb_part_subject *s = &part->subject;
    struct lb_film_form *form = &picture->form;
    if (form->format == LB_FILM_NONE || o->channels_given)
        return LB_OK;
    uint32_t kinds = cli_picture_kinds(0, true), outputs = 0;
    if (form->transparent && (s->channels.wanted & kinds) != kinds)
        return lb_error_set(error, LB_ERROR, "%.500s: it was made without --transparent", o->operands[0]);
    if (lb_film_can(form->format, LB_FILM_ALPHA))
        form->transparent |= s->transparent;
    enum lb_status status = read_outputs(s, o->operands[0], &outputs, error);
    if (lb_film_can(form->format, LB_FILM_CHANNELS))
        form->outputs = outputs;
    return status;
}

/* The picture's colours without noise; the caller's to free. */
static enum lb_status denoise(struct cli_console *console, const struct cli_options *o,
                              const struct lb_part *part, const struct lb_denoiser *denoiser,
                              const struct lb_film_form *form, struct lb_film_picture *content,
                              float **colors, struct lb_error *error)
{
    uint32_t help = cli_picture_kinds(LB_OUTPUTS_DENOISE, false);
    *colors = NULL;
    if (!denoiser)
        return LB_OK;
    if ((part->subject.channels.wanted & help) != help)
        return lb_error_set(error, LB_ERROR, "%.500s: it was made without --denoise", o->operands[0]);
    return cli_denoise(console, o->progress, denoiser, form, content, colors, error);
}

/* The pointers in it are to what is given. */
static void make_content(const struct lb_part *part, lb_film *film, struct cli_content *content)
{
    const struct lb_part_subject *s = &part->subject;
    *film = (lb_film){.width = s->width,
                      .height = s->height,
                      .x0 = s->x0,
                      .y0 = s->y0,
                      .full_width = s->full_width,
                      .full_height = s->full_height,
                      .color_space = s->color_space};
    snprintf(content->number, sizeof content->number, "%u", s->frame);
    content->untold = 0;
    content->film =
        (struct lb_film_picture){.film = film,
                                 .pixels = part->pixels,
                                 .channels = &s->channels,
                                 .sums = part->sums,
                                 .list_texts = {s->list_texts[0], s->list_texts[1], s->list_texts[2]},
                                 .untold = &content->untold,
                                 .scene = *s->scene ? s->scene : NULL,
                                 .frame = s->animation ? content->number : NULL,
                                 .samples = s->mean ? s->mean : s->samples,
                                 .seed = s->seed};
}

static enum lb_status write_picture(const struct cli_options *o, const struct lb_part *part,
                                    const struct lb_denoiser *denoiser, struct cli_console *console,
                                    struct lb_error *error)
{
    const struct lb_loaded loaded = {.film_floats = part->subject.floats};
    struct cli_picture picture;
    struct cli_content content;
    lb_film film;
    char line[700];
    uint32_t checksum;
    float *colors = NULL;
    make_content(part, &film, &content);
    enum lb_status status = cli_picture_choose(&picture, o, &loaded, console, error);
    if (status == LB_OK)
        status = choose_form(o, part, &picture, error);
    if (status == LB_OK && picture.output)
        status = lb_film_check(picture.output, &picture.form, film.width, film.height, error);
    if (status == LB_OK && picture.output)
        status = denoise(console, o, part, denoiser, &picture.form, &content.film, &colors, error);
    if (status == LB_OK && picture.output)
        status = cli_picture_write(console, &picture.output, &picture.form, &content, &checksum, error);
    if (status == LB_OK && picture.output && strcmp(picture.output, "-")) {
        snprintf(line, sizeof line, "wrote %.600s  crc32c %08x\n", picture.output, checksum);
        cli_console_text(console, line);
    }
    free(colors);
    cli_picture_free(&picture);
    return status;
}

static enum lb_status write_part(const char *file, const void *what, struct lb_error *error)
{
    return lb_part_write(file, what, NULL, error);
}

static enum lb_status write_joined(const struct cli_options *o, const struct lb_part *part,
                                   const struct lb_denoiser *denoiser, struct cli_console *console,
                                   struct lb_error *error)
{
    struct lb_part_summary summary;
    char missing[300];
    enum lb_status status =
        o->parts.part ? cli_rescue_write(console, o->parts.part, write_part, part, NULL, error) : LB_OK;
    if (status == LB_OK)
        status = lb_part_summarise(part, &summary, error);
    if (status != LB_OK)
        return status;
    lb_part_missing(&summary, missing, sizeof missing);
    lb_part_summary_free(&summary);
    if (!cli_options_nowhere(o) && *missing && !o->parts.partial)
        return lb_error_set(error, LB_ERROR, "%s; --partial writes what there is", missing);
    if (*missing)
        cli_console_note(console, "%s", missing);
    return write_picture(o, part, denoiser, console, error);
}

int cli_merge(const struct cli_options *options, struct cli_console *console)
{
    struct lb_part whole = {.pixels = NULL};
    struct lb_denoiser *denoiser = NULL;
    struct lb_error error;
    enum lb_status status = check_output(options, "--output", options->output, &error);
    if (status == LB_OK)
        status = check_output(options, "--part", options->parts.part, &error);
    if (status == LB_OK && cli_options_denoise(options))
        status = lb_denoiser_open(options->denoise_library, options->threads, &denoiser, &error);
    if (status == LB_OK)
        status = join(options, &whole, &error);
    if (status == LB_OK)
        status = write_joined(options, &whole, denoiser, console, &error);
    lb_denoiser_close(denoiser);
    lb_part_free(&whole);
    return status == LB_OK ? CLI_DONE : cli_console_error(console, &error);
}
