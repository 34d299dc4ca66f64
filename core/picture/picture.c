#include "core/picture/picture.h"

#include "core/base/printable.h"
#include "core/picture/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the file says ---- */

static void note(struct lb_film_notes *notes, const char *name, const char *text)
{
    if (text)
        notes->items[notes->count++] = (struct lb_image_note){name, text};
}

/* False: out of memory. */
static bool notes_make(struct lb_film_notes *notes, const struct lb_film_picture *picture)
{
    const char *slash = picture->scene ? strrchr(picture->scene, '/') : NULL;
    *notes = (struct lb_film_notes){.count = 0};
    if (picture->scene && !(notes->scene = lb_utf8_text(slash ? slash + 1 : picture->scene)))
        return false;
    snprintf(notes->samples, sizeof notes->samples, "%u", picture->samples);
    snprintf(notes->seed, sizeof notes->seed, "%u", picture->seed);
    note(notes, "Software", "lbrender " LB_VERSION);
    note(notes, "Scene", notes->scene);
    note(notes, "Frame", picture->frame);
    note(notes, "Samples", notes->samples);
    note(notes, "Seed", notes->seed);
    note(notes, "Denoiser", picture->cleaned_by);
    return true;
}

/* ---- values ---- */

size_t lb_film_pixel_count(const struct lb_film_picture *picture)
{
    return (size_t)picture->film->width * picture->film->height;
}

static const int64_t *sums_of(const struct lb_film_picture *picture, size_t pixel)
{
    return picture->sums ? picture->sums + pixel * picture->channels->count : NULL;
}

lb_rgb lb_film_color(const struct lb_film_picture *picture, const struct lb_film_form *form, size_t pixel,
                     float *alpha)
{
    *alpha = 1.0f;
    lb_rgb c =
        form->transparent && picture->sums
            ? lb_output_cut_out(picture->channels, &picture->pixels[pixel], sums_of(picture, pixel), alpha)
            : lb_film_rgb(&picture->pixels[pixel]);
    const float *instead = picture->colors ? picture->colors + 3 * pixel : NULL;
    return instead && *alpha > 0.0f ? lb_rgb_make(instead[0], instead[1], instead[2]) : c;
}

float *lb_film_colors(const struct lb_film_picture *picture, const struct lb_film_form *form)
{
    size_t count = lb_film_pixel_count(picture);
    float *floats = malloc(count * 3 * sizeof *floats), alpha;
    for (size_t i = 0; floats && i < count; i++) {
        lb_rgb c = lb_film_color(picture, form, i, &alpha);
        floats[3 * i] = c.r;
        floats[3 * i + 1] = c.g;
        floats[3 * i + 2] = c.b;
    }
    return floats;
}

void *lb_film_values(const struct lb_film_picture *picture, enum lb_output output)
{
    size_t count = lb_film_pixel_count(picture), each = lb_outputs[output].count;
    void *values = malloc(count * each * sizeof(float));
    float *floats = values, pixel[3];
    uint32_t *numbers = values;
    for (size_t i = 0; values && i < count; i++) {
        uint32_t number = 0;
        lb_output_values(output, picture->channels, &picture->pixels[i], sums_of(picture, i), pixel, &number);
        if (lb_outputs[output].whole)
            numbers[i] = number;
        else
            memcpy(floats + i * each, pixel, each * sizeof *pixel);
    }
    return values;
}

uint32_t lb_film_sum_floats(const struct lb_film_picture *picture, const float *rgb)
{
    return lb_crc32c(0, rgb, lb_film_pixel_count(picture) * 3 * sizeof *rgb);
}

/* ---- files ---- */

enum lb_status lb_film_check(const char *path, const struct lb_film_form *form, uint32_t width,
                             uint32_t height, struct lb_error *error)
{
    if (form->format == LB_FILM_NONE || !lb_film_formats[form->format]->fits)
        return LB_OK;
    return lb_film_formats[form->format]->fits(path, form, width, height, error);
}

/* Without a file, the checksum of linear colours is all that there is of a picture. */
static enum lb_status sum_alone(const struct lb_film_form *form, const struct lb_film_picture *picture,
                                uint32_t *checksum, struct lb_error *error)
{
    float *floats = lb_film_colors(picture, form);
    if (!floats)
        return lb_error_memory(error, NULL);
    *checksum = lb_film_sum_floats(picture, floats);
    free(floats);
    return LB_OK;
}

enum lb_status lb_film_write(const char *path, const struct lb_film_form *form,
                             const struct lb_film_picture *picture, uint32_t *checksum,
                             struct lb_error *error)
{
    struct lb_film_notes notes;
    if (form->format == LB_FILM_NONE)
        return sum_alone(form, picture, checksum, error);
    enum lb_status status = lb_error_memory(error, NULL);
    if (notes_make(&notes, picture))
        status = lb_film_formats[form->format]->write(path, form, picture, &notes, checksum, error);
    free(notes.scene);
    return status;
}
