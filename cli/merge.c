#include "cli/merge.h"

#include "cli/names.h"
#include "cli/outputs.h"
#include "cli/picture.h"
#include "cli/status.h"
#include "core/image/replace.h"
#include "core/part/part_file.h"
#include "core/part/summary.h"

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

/* Names may differ where the same scene is read from several files: which is kept must not depend on the order. */
static void keep_name(struct lb_part_subject *subject, const struct lb_part_subject *other)
{
    if (strcmp(other->scene, subject->scene) < 0)
        memcpy(subject->scene, other->scene, sizeof subject->scene);
}

static enum lb_status join(const struct cli_options *o, struct lb_part *whole, struct lb_error *error)
{
    enum lb_status status = lb_part_read(o->operands[0], whole, error);
    for (uint32_t i = 1; i < o->operand_count && status == LB_OK; i++) {
        struct lb_part part;
        status = lb_part_read(o->operands[i], &part, error);
        if (status == LB_OK)
            status = lb_part_same(&part.subject, o->operands[i], &whole->subject, o->operands[0], error);
        if (status == LB_OK)
            status = lb_part_add(whole, &part, o->operands[i], error);
        if (status == LB_OK)
            keep_name(&whole->subject, &part.subject);
        lb_part_free(&part);
    }
    return status;
}

static enum lb_status write_picture(const struct cli_options *o, const struct lb_part *part,
                                    struct cli_console *console, struct lb_error *error)
{
    const struct lb_part_subject *s = &part->subject;
    const struct lb_loaded loaded = {.film_floats = s->floats};
    const lb_film film = {.width = s->width,
                          .height = s->height,
                          .x0 = s->x0,
                          .y0 = s->y0,
                          .full_width = s->full_width,
                          .full_height = s->full_height};
    char frame[16], line[700];
    struct cli_picture picture;
    uint32_t checksum;
    snprintf(frame, sizeof frame, "%u", s->frame);
    struct lb_film_picture content = {.film = &film,
                                      .pixels = part->pixels,
                                      .scene = *s->scene ? s->scene : NULL,
                                      .frame = s->animation ? frame : NULL,
                                      .samples = s->samples,
                                      .seed = s->seed};
    enum lb_status status = cli_picture_choose(&picture, o, &loaded, console, error);
    if (status == LB_OK && picture.output)
        status = lb_film_check(picture.output, &picture.form, s->width, s->height, error);
    if (status == LB_OK && picture.output)
        status = lb_film_write(picture.output, &picture.form, &content, &checksum, error);
    if (status == LB_OK && picture.output && strcmp(picture.output, "-")) {
        snprintf(line, sizeof line, "wrote %.600s  crc32c %08x\n", picture.output, checksum);
        cli_console_text(console, line);
    }
    cli_picture_free(&picture);
    return status;
}

static enum lb_status write_joined(const struct cli_options *o, const struct lb_part *part,
                                   struct cli_console *console, struct lb_error *error)
{
    struct lb_part_summary summary;
    char missing[300];
    enum lb_status status = o->parts.part ? lb_part_write(o->parts.part, part, NULL, error) : LB_OK;
    lb_part_summarise(part, &summary);
    lb_part_missing(&summary, missing, sizeof missing);
    if (status != LB_OK)
        return status;
    if (o->output && *missing && !o->parts.partial)
        return lb_error_set(error, LB_ERROR, "%s; --partial writes what there is", missing);
    if (*missing)
        cli_console_note(console, "%s", missing);
    return write_picture(o, part, console, error);
}

int cli_merge(const struct cli_options *options, struct cli_console *console)
{
    struct lb_part whole = {.pixels = NULL};
    struct lb_error error;
    enum lb_status status = check_output(options, "--output", options->output, &error);
    if (status == LB_OK)
        status = check_output(options, "--part", options->parts.part, &error);
    if (status == LB_OK)
        status = join(options, &whole, &error);
    if (status == LB_OK)
        status = write_joined(options, &whole, console, &error);
    lb_part_free(&whole);
    return status == LB_OK ? CLI_DONE : cli_console_error(console, &error);
}

/* ---- describing ---- */

int cli_describe(const struct cli_options *options, struct cli_console *console)
{
    bool json = options->report_format_given && options->report_format == LB_REPORT_JSON;
    enum lb_status status = LB_OK;
    for (uint32_t i = 0; i < options->operand_count && status == LB_OK; i++) {
        const char *name = options->operands[i];
        struct lb_part part;
        struct lb_error error;
        status = lb_part_read(name, &part, &error);
        if (status == LB_OK)
            status = cli_outputs_write(console, "-",
                                       json ? lb_part_json(name, &part) : lb_part_text(name, &part), &error);
        lb_part_free(&part);
        if (status != LB_OK)
            return cli_console_error(console, &error);
    }
    return CLI_DONE;
}
