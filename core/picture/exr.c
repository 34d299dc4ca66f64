/* Pictures as OpenEXR: R, G and B in the film's own color space, and channels beside them. */
#include "core/base/arena.h"
#include "core/base/color_space.h"
#include "core/picture/crypto.h"
#include "core/picture/groups.h"
#include "core/picture/writer.h"

#include <stdlib.h>
#include <string.h>

/* An EXR's channels, whose arrays are their own but for R, G and B, and its texts. */
struct planes {
    struct lb_exr_channel *items; /* of the arena, as `notes` */
    struct lb_image_note *notes;
    size_t count, note_count;
    void *arrays[LB_OUTPUTS];
    struct lb_crypto mattes[LB_MATTES];
    struct lb_group_planes groups;
    struct lb_arena arena;
};

/* The most that a picture has: channels, and texts beside those of any picture. */
enum {
    PLANES_MOST =
        3 + 3 * LB_OUTPUTS + LB_BUCKETS_MOST + LB_MATTES * 2 * LB_MATTE_RANKS + 3 * (1 + (int)LB_GROUPS_MOST),
    NOTES_MOST = LB_FILM_NOTES + 2 + LB_MATTES * LB_CRYPTO_TEXTS
};

static void add_planes(struct planes *planes, const char *const *names, uint32_t count, enum lb_exr_type type,
                       const void *values)
{
    size_t size = sizeof(float); /* and of a whole number */
    for (uint32_t i = 0; i < count; i++)
        planes->items[planes->count++] =
            (struct lb_exr_channel){names[i], type, (const char *)values + i * size, count * size};
}

/* False: out of memory. */
static bool add_matte(struct planes *planes, const struct lb_film_picture *picture, enum lb_output output)
{
    struct lb_crypto *crypto = &planes->mattes[output - LB_OUTPUT_CRYPTO_OBJECT];
    if (!lb_crypto_make(picture, output, crypto))
        return false;
    memcpy(planes->items + planes->count, crypto->channels, crypto->channel_count * sizeof *crypto->channels);
    memcpy(planes->notes + planes->note_count, crypto->notes, sizeof crypto->notes);
    planes->count += crypto->channel_count;
    planes->note_count += LB_CRYPTO_TEXTS;
    if (picture->untold)
        *picture->untold += crypto->untold;
    return true;
}

/* False: out of memory. */
static bool add_groups(struct planes *planes, const struct lb_film_picture *picture,
                       const struct lb_film_form *form)
{
    struct lb_group_planes *groups = &planes->groups;
    if (!lb_groups_make(picture, form, groups))
        return false;
    memcpy(planes->items + planes->count, groups->channels, groups->channel_count * sizeof *groups->channels);
    planes->count += groups->channel_count;
    return true;
}

/* Makes floats of whole numbers, in place: tools of this field take no others for what they say, oiiotool for instance
 * shows unsigned integers as parts of the largest one, thus as 0. Where a number is beyond those that floats have, they
 * stay as they are. */
static enum lb_exr_type make_floats(void *values, size_t count)
{
    enum { BEYOND = 1 << 24 };
    for (size_t i = 0; i < count; i++)
        if (((const uint32_t *)values)[i] > BEYOND)
            return LB_EXR_WHOLE;
    for (size_t i = 0; i < count; i++) {
        uint32_t number;
        memcpy(&number, (const uint32_t *)values + i, sizeof number);
        float value = (float)number;
        memcpy((uint32_t *)values + i, &value, sizeof value);
    }
    return LB_EXR_FLOAT;
}

/* The channels of buckets, and what says that they are such (Fichet, Pacanowski, Wilkie, "An OpenEXR Layout for
 * Spectral Images", 2021). False: out of memory. */
static bool add_buckets(struct planes *planes, const lb_channels *channels, enum lb_exr_type type,
                        const void *values)
{
    uint32_t count = channels->buckets;
    char(*texts)[32] = lb_arena_alloc(&planes->arena, count, sizeof *texts);
    const char **names = lb_arena_alloc(&planes->arena, count, sizeof *names);
    for (uint32_t i = 0; texts && names && i < count; i++) {
        lb_output_bucket_name(channels, i, texts[i]);
        names[i] = texts[i];
    }
    if (!texts || !names)
        return false;
    add_planes(planes, names, count, type, values);
    planes->notes[planes->note_count++] = (struct lb_image_note){"spectralLayoutVersion", "1.0"};
    planes->notes[planes->note_count++] = (struct lb_image_note){"emissiveUnits", "W.m^-2.sr^-1"};
    return true;
}

/* False: out of memory. */
static bool add_output(struct planes *planes, const struct lb_film_picture *picture,
                       const struct lb_film_form *form, enum lb_output output)
{
    enum lb_exr_type coarse = form->bits == 16 ? LB_EXR_HALF : LB_EXR_FLOAT;
    const struct lb_output_about *about = &lb_outputs[output];
    if (output == LB_OUTPUT_CRYPTO_OBJECT || output == LB_OUTPUT_CRYPTO_MATERIAL)
        return add_matte(planes, picture, output);
    if (output == LB_OUTPUT_LIGHT_GROUPS)
        return add_groups(planes, picture, form);
    void *values = planes->arrays[output] = lb_film_values(picture, output);
    if (!values)
        return false;
    enum lb_exr_type type = about->coarse ? coarse : LB_EXR_FLOAT;
    if (about->whole)
        type = make_floats(values, lb_film_pixel_count(picture));
    if (output == LB_OUTPUT_BUCKETS)
        return add_buckets(planes, picture->channels, type, values);
    add_planes(planes, about->names, about->count, type, values);
    return true;
}

static bool make_planes(struct planes *planes, const struct lb_film_form *form,
                        const struct lb_film_picture *picture, const struct lb_film_notes *notes,
                        const float *rgb)
{
    static const char *const names[3] = {"R", "G", "B"};
    enum lb_exr_type coarse = form->bits == 16 ? LB_EXR_HALF : LB_EXR_FLOAT;
    uint32_t outputs = form->outputs | (form->transparent ? 1u << LB_OUTPUT_ALPHA : 0);
    *planes = (struct planes){.count = 0};
    if (picture->untold)
        *picture->untold = 0;
    planes->items = lb_arena_alloc(&planes->arena, PLANES_MOST, sizeof *planes->items);
    planes->notes = lb_arena_alloc(&planes->arena, NOTES_MOST, sizeof *planes->notes);
    if (!planes->items || !planes->notes)
        return false;
    memcpy(planes->notes, notes->items, notes->count * sizeof *notes->items);
    planes->note_count = notes->count;
    add_planes(planes, names, 3, coarse, rgb);
    for (uint32_t i = 0; i < LB_OUTPUTS; i++)
        if ((outputs >> i & 1) && picture->sums && !add_output(planes, picture, form, (enum lb_output)i))
            return false;
    return true;
}

static enum lb_status write_planes(const char *path, const struct lb_film_form *form,
                                   const struct lb_film_picture *picture, const struct lb_film_notes *notes,
                                   const float *rgb, struct lb_error *error)
{
    const lb_film *film = picture->film;
    struct planes planes;
    bool made = make_planes(&planes, form, picture, notes, rgb);
    struct lb_exr_picture exr = {.x0 = film->x0,
                                 .y0 = film->y0,
                                 .width = film->width,
                                 .height = film->height,
                                 .full_width = film->full_width,
                                 .full_height = film->full_height,
                                 .compression = form->compression,
                                 .channels = planes.items,
                                 .channel_count = planes.count,
                                 .notes = planes.notes,
                                 .note_count = planes.note_count,
                                 .primaries = film->color_space == LB_COLOR_SRGB
                                                  ? NULL
                                                  : lb_color_spaces[film->color_space].primaries};
    enum lb_status status = made ? lb_exr_write(path, &exr, error) : lb_error_memory(error, path);
    for (size_t i = 0; i < LB_OUTPUTS; i++)
        free(planes.arrays[i]);
    for (size_t i = 0; i < LB_MATTES; i++)
        lb_crypto_free(&planes.mattes[i]);
    lb_groups_free(&planes.groups);
    lb_arena_free(&planes.arena);
    return status;
}

static enum lb_status write(const char *path, const struct lb_film_form *form,
                            const struct lb_film_picture *picture, const struct lb_film_notes *notes,
                            uint32_t *checksum, struct lb_error *error)
{
    float *floats = lb_film_colors(picture, form);
    if (!floats)
        return lb_error_memory(error, NULL);
    lb_film_take_to_space(picture->film->color_space, floats, lb_film_pixel_count(picture));
    *checksum = lb_film_sum_floats(picture, floats);
    enum lb_status status = write_planes(path, form, picture, notes, floats, error);
    free(floats);
    return status;
}

/* Cryptomatte's numbers must not change by a bit (specification 1.2.0). */
static enum lb_status fits(const char *path, const struct lb_film_form *form, uint32_t width, uint32_t height,
                           struct lb_error *error)
{
    (void)path, (void)width, (void)height;
    bool crypto = (form->outputs & (1u << LB_OUTPUT_CRYPTO_OBJECT | 1u << LB_OUTPUT_CRYPTO_MATERIAL)) != 0;
    if (crypto && (form->compression == LB_EXR_DWAA || form->compression == LB_EXR_DWAB))
        return lb_error_set(
            error, LB_ERROR_USAGE,
            "--compression=%s: it would change the numbers of Cryptomatte, which needs one that "
            "loses nothing",
            form->compression == LB_EXR_DWAA ? "dwaa" : "dwab");
    return LB_OK;
}

const struct lb_film_format_about lb_film_exr = {
    .bits = {16, 32},
    .bits_of_film = true,
    .holds = LB_FILM_ALPHA | LB_FILM_CHANNELS | LB_FILM_COMPRESSED,
    .least_bits = 2,
    .fits = fits,
    .write = write,
};
