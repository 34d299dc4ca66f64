#include "core/picture/picture.h"

#include "core/base/color_space.h"
#include "core/base/printable.h"
#include "core/image/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && !strcasecmp(path + length - tail, ending);
}

bool lb_film_format_of(const char *path, enum lb_film_format *format)
{
    static const char *const endings[] = {
        [LB_FILM_PNG] = ".png", [LB_FILM_PFM] = ".pfm", [LB_FILM_EXR] = ".exr"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_in(path, endings[i])) {
            *format = (enum lb_film_format)i;
            return true;
        }
    return false;
}

/* Values of a PNG's pixel. */
static uint32_t png_channels(const struct lb_film_form *form)
{
    return form->transparent ? 4 : 3;
}

enum lb_status lb_film_check(const char *path, const struct lb_film_form *form, uint32_t width,
                             uint32_t height, struct lb_error *error)
{
    return form->format == LB_FILM_PNG
               ? lb_png_fits(path, width, height, png_channels(form) * form->bits, error)
               : LB_OK;
}

/* ---- what the file says ---- */

struct notes {
    struct lb_image_note items[6];
    size_t count;
    char samples[16], seed[16];
    char *scene; /* as UTF-8 */
};

static void note(struct notes *notes, const char *name, const char *text)
{
    if (text)
        notes->items[notes->count++] = (struct lb_image_note){name, text};
}

/* False: out of memory. */
static bool notes_make(struct notes *notes, const struct lb_film_picture *picture)
{
    const char *slash = picture->scene ? strrchr(picture->scene, '/') : NULL;
    *notes = (struct notes){.count = 0};
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

static size_t pixel_count(const struct lb_film_picture *picture)
{
    return (size_t)picture->film->width * picture->film->height;
}

static const int64_t *sums_of(const struct lb_film_picture *picture, size_t pixel)
{
    return picture->sums ? picture->sums + pixel * picture->channels->count : NULL;
}

/* The colour of a pixel, and how much of it is covered, by which the colour is multiplied. */
static lb_rgb color_of(const struct lb_film_picture *picture, const struct lb_film_form *form, size_t pixel,
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
    size_t count = pixel_count(picture);
    float *floats = malloc(count * 3 * sizeof *floats), alpha;
    for (size_t i = 0; floats && i < count; i++) {
        lb_rgb c = color_of(picture, form, i, &alpha);
        floats[3 * i] = c.r;
        floats[3 * i + 1] = c.g;
        floats[3 * i + 2] = c.b;
    }
    return floats;
}

/* One of a PNG's colours is encoded as sRGB, its alpha is not. */
static uint16_t word_of(float encoded)
{
    return (uint16_t)lb_to_int(encoded * 65535.0f + 0.5f);
}

static uint8_t byte_of(float encoded)
{
    return (uint8_t)lb_to_int(encoded * 255.0f + 0.5f);
}

/* sRGB, and alpha where it is transparent, by which a PNG's colours are not multiplied; NULL: out of memory. */
static void *make_encoded(const struct lb_film_picture *picture, const struct lb_film_form *form)
{
    size_t count = pixel_count(picture), each = png_channels(form);
    void *values = malloc(count * each * (form->bits / 8));
    uint8_t *bytes = values;
    uint16_t *words = values;
    float factor = lb_exposure_factor(form->exposure);
    for (size_t i = 0; values && i < count; i++) {
        float alpha;
        lb_rgb c = color_of(picture, form, i, &alpha);
        c = lb_tone_map(form->tone_map, factor, alpha > 0.0f ? lb_rgb_scale(c, 1.0f / alpha) : c);
        const float rgba[4] = {lb_srgb_encode(c.r), lb_srgb_encode(c.g), lb_srgb_encode(c.b), alpha};
        for (size_t k = 0; k < each && form->bits == 8; k++)
            bytes[each * i + k] = byte_of(rgba[k]);
        for (size_t k = 0; k < each && form->bits == 16; k++)
            words[each * i + k] = word_of(rgba[k]);
    }
    return values;
}

/* ---- formats ---- */

/* Values of 16 bits, in the byte order of a PNG file: the higher byte first. */
static uint32_t sum_encoded(const uint8_t *values, uint32_t bits, size_t count)
{
    const uint16_t *words = (const uint16_t *)(const void *)values;
    uint32_t crc = 0;
    if (bits == 8)
        return lb_crc32c(0, values, count);
    for (size_t i = 0; i < count; i++) {
        const uint8_t pair[2] = {(uint8_t)(words[i] >> 8), (uint8_t)words[i]};
        crc = lb_crc32c(crc, pair, sizeof pair);
    }
    return crc;
}

static enum lb_status write_png(const char *path, const struct lb_film_form *form,
                                const struct lb_film_picture *picture, const struct notes *notes,
                                uint32_t *checksum, struct lb_error *error)
{
    void *values = make_encoded(picture, form);
    if (!values)
        return lb_error_memory(error, NULL);
    *checksum = sum_encoded(values, form->bits, pixel_count(picture) * png_channels(form));
    struct lb_png png = {.width = picture->film->width,
                         .height = picture->film->height,
                         .channels = png_channels(form),
                         .bits = form->bits,
                         .pixels = values,
                         .srgb = true,
                         .notes = notes->items,
                         .note_count = notes->count};
    enum lb_status status = lb_png_save(path, &png, error);
    free(values);
    return status;
}

/* An EXR's channels, whose arrays are their own but for R, G and B. */
struct planes {
    struct lb_exr_channel items[3 + 3 * LB_OUTPUTS];
    size_t count;
    void *arrays[LB_OUTPUTS];
};

static void add_planes(struct planes *planes, const char *const *names, uint32_t count, enum lb_exr_type type,
                       const void *values)
{
    size_t size = sizeof(float); /* and of a whole number */
    for (uint32_t i = 0; i < count; i++)
        planes->items[planes->count++] =
            (struct lb_exr_channel){names[i], type, (const char *)values + i * size, count * size};
}

void *lb_film_values(const struct lb_film_picture *picture, enum lb_output output)
{
    size_t count = pixel_count(picture), each = lb_outputs[output].count;
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

static bool make_planes(struct planes *planes, const struct lb_film_form *form,
                        const struct lb_film_picture *picture, const float *rgb)
{
    static const char *const names[3] = {"R", "G", "B"};
    enum lb_exr_type coarse = form->bits == 16 ? LB_EXR_HALF : LB_EXR_FLOAT;
    uint32_t outputs = form->outputs | (form->transparent ? 1u << LB_OUTPUT_ALPHA : 0);
    *planes = (struct planes){.count = 0};
    add_planes(planes, names, 3, coarse, rgb);
    for (uint32_t i = 0; i < LB_OUTPUTS; i++) {
        if (!(outputs >> i & 1) || !picture->sums)
            continue;
        planes->arrays[i] = lb_film_values(picture, (enum lb_output)i);
        if (!planes->arrays[i])
            return false;
        const struct lb_output_about *about = &lb_outputs[i];
        add_planes(planes, about->names, about->count,
                   about->whole    ? LB_EXR_WHOLE
                   : about->coarse ? coarse
                                   : LB_EXR_FLOAT,
                   planes->arrays[i]);
    }
    return true;
}

static enum lb_status write_exr(const char *path, const struct lb_film_form *form,
                                const struct lb_film_picture *picture, const struct notes *notes,
                                const float *rgb, struct lb_error *error)
{
    const lb_film *film = picture->film;
    struct planes planes;
    bool made = make_planes(&planes, form, picture, rgb);
    struct lb_exr_picture exr = {.x0 = film->x0,
                                 .y0 = film->y0,
                                 .width = film->width,
                                 .height = film->height,
                                 .full_width = film->full_width,
                                 .full_height = film->full_height,
                                 .compression = form->compression,
                                 .channels = planes.items,
                                 .channel_count = planes.count,
                                 .notes = notes->items,
                                 .note_count = notes->count,
                                 .primaries = film->color_space == LB_COLOR_SRGB
                                                  ? NULL
                                                  : lb_color_spaces[film->color_space].primaries};
    enum lb_status status = made ? lb_exr_write(path, &exr, error) : lb_error_memory(error, path);
    for (size_t i = 0; i < LB_OUTPUTS; i++)
        free(planes.arrays[i]);
    return status;
}

/* Takes colours to the film's own space. */
static void take_to_space(uint32_t space, float *rgb, size_t count)
{
    double m[3][3];
    lb_color_space_from_srgb(space, m);
    for (size_t i = 0; i < 3 * count; i += 3) {
        double r = (double)rgb[i], g = (double)rgb[i + 1], b = (double)rgb[i + 2];
        for (size_t c = 0; c < 3; c++)
            rgb[i + c] = (float)(m[c][0] * r + m[c][1] * g + m[c][2] * b);
    }
}

static enum lb_status write_linear(const char *path, const struct lb_film_form *form,
                                   const struct lb_film_picture *picture, const struct notes *notes,
                                   uint32_t *checksum, struct lb_error *error)
{
    float *floats = lb_film_colors(picture, form);
    if (!floats)
        return lb_error_memory(error, NULL);
    enum lb_status status = LB_OK;
    if (form->format == LB_FILM_EXR && picture->film->color_space != LB_COLOR_SRGB)
        take_to_space(picture->film->color_space, floats, pixel_count(picture));
    *checksum = lb_crc32c(0, floats, pixel_count(picture) * 3 * sizeof *floats);
    if (form->format == LB_FILM_PFM)
        status = lb_pfm_write(path, picture->film->width, picture->film->height, floats, error);
    if (form->format == LB_FILM_EXR)
        status = write_exr(path, form, picture, notes, floats, error);
    free(floats);
    return status;
}

enum lb_status lb_film_write(const char *path, const struct lb_film_form *form,
                             const struct lb_film_picture *picture, uint32_t *checksum,
                             struct lb_error *error)
{
    struct notes notes;
    enum lb_status status = lb_error_memory(error, NULL);
    if (notes_make(&notes, picture))
        status = form->format == LB_FILM_PNG ? write_png(path, form, picture, &notes, checksum, error)
                                             : write_linear(path, form, picture, &notes, checksum, error);
    free(notes.scene);
    return status;
}
