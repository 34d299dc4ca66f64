#include "core/report/film_picture.h"

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

enum lb_status lb_film_check(const char *path, enum lb_film_format format, uint32_t bits, uint32_t width,
                             uint32_t height, struct lb_error *error)
{
    return format == LB_FILM_PNG ? lb_png_fits(path, width, height, bits, error) : LB_OK;
}

/* ---- what the file says ---- */

struct notes {
    struct lb_image_note items[5];
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
    return true;
}

/* ---- values ---- */

static size_t pixel_count(const struct lb_film_picture *picture)
{
    return (size_t)picture->film->width * picture->film->height;
}

/* Linear RGB, 3 floats a pixel; NULL: out of memory. */
static float *make_floats(const struct lb_film_picture *picture)
{
    size_t count = pixel_count(picture);
    float *floats = malloc(count * 3 * sizeof *floats);
    for (size_t i = 0; floats && i < count; i++) {
        lb_rgb c = lb_film_rgb(&picture->pixels[i]);
        floats[3 * i] = c.r;
        floats[3 * i + 1] = c.g;
        floats[3 * i + 2] = c.b;
    }
    return floats;
}

static uint16_t srgb_word(float linear)
{
    return (uint16_t)lb_to_int(lb_srgb_encode(linear) * 65535.0f + 0.5f);
}

/* sRGB, 3 values of `bits` a pixel; NULL: out of memory. */
static void *make_encoded(const struct lb_film_picture *picture, const struct lb_film_form *form)
{
    size_t count = pixel_count(picture);
    void *values = malloc(count * 3 * (form->bits / 8));
    uint8_t *bytes = values;
    uint16_t *words = values;
    float factor = lb_exposure_factor(form->exposure);
    for (size_t i = 0; values && i < count; i++) {
        lb_rgb c = lb_tone_map(form->tone_map, factor, lb_film_rgb(&picture->pixels[i]));
        const float rgb[3] = {c.r, c.g, c.b};
        for (size_t k = 0; k < 3 && form->bits == 8; k++)
            bytes[3 * i + k] = lb_srgb_byte(rgb[k]);
        for (size_t k = 0; k < 3 && form->bits == 16; k++)
            words[3 * i + k] = srgb_word(rgb[k]);
    }
    return values;
}

/* ---- formats ---- */

/* Of 16 bits in the file's order: the higher byte first. */
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
    *checksum = sum_encoded(values, form->bits, pixel_count(picture) * 3);
    struct lb_png png = {.width = picture->film->width,
                         .height = picture->film->height,
                         .channels = 3,
                         .bits = form->bits,
                         .pixels = values,
                         .srgb = true,
                         .notes = notes->items,
                         .note_count = notes->count};
    enum lb_status status = lb_png_save(path, &png, error);
    free(values);
    return status;
}

static enum lb_status write_exr(const char *path, const struct lb_film_form *form,
                                const struct lb_film_picture *picture, const struct notes *notes,
                                const float *rgb, struct lb_error *error)
{
    static const char *const names[3] = {"R", "G", "B"};
    const lb_film *film = picture->film;
    struct lb_exr_channel channels[3];
    for (size_t i = 0; i < 3; i++)
        channels[i] = (struct lb_exr_channel){names[i], form->bits == 16 ? LB_EXR_HALF : LB_EXR_FLOAT,
                                              rgb + i, 3 * sizeof *rgb};
    struct lb_exr_picture exr = {.x0 = film->x0,
                                 .y0 = film->y0,
                                 .width = film->width,
                                 .height = film->height,
                                 .full_width = film->full_width,
                                 .full_height = film->full_height,
                                 .compression = form->compression,
                                 .channels = channels,
                                 .channel_count = 3,
                                 .notes = notes->items,
                                 .note_count = notes->count};
    return lb_exr_write(path, &exr, error);
}

static enum lb_status write_linear(const char *path, const struct lb_film_form *form,
                                   const struct lb_film_picture *picture, const struct notes *notes,
                                   uint32_t *checksum, struct lb_error *error)
{
    float *floats = make_floats(picture);
    if (!floats)
        return lb_error_memory(error, NULL);
    enum lb_status status = LB_OK;
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
