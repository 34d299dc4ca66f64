/* Pictures as OpenEXR: R, G and B in the film's own color space, and channels beside them. */
#include "core/base/color_space.h"
#include "core/picture/writer.h"

#include <stdlib.h>
#include <string.h>

/* An EXR's channels, whose arrays are their own but for R, G and B. */
struct planes {
    struct lb_exr_channel *items;
    size_t count;
    void *arrays[LB_OUTPUTS];
    char (*buckets)[32]; /* their names, or NULL */
};

static void add_planes(struct planes *planes, const char *const *names, uint32_t count, enum lb_exr_type type,
                       const void *values)
{
    size_t size = sizeof(float); /* and of a whole number */
    for (uint32_t i = 0; i < count; i++)
        planes->items[planes->count++] =
            (struct lb_exr_channel){names[i], type, (const char *)values + i * size, count * size};
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

/* Sets names[i] to the buckets', which the planes keep. False: out of memory. */
static bool name_buckets(struct planes *planes, const lb_channels *channels, const char **names)
{
    planes->buckets = malloc(channels->buckets * sizeof *planes->buckets);
    for (uint32_t i = 0; planes->buckets && i < channels->buckets; i++) {
        lb_output_bucket_name(channels, i, planes->buckets[i]);
        names[i] = planes->buckets[i];
    }
    return planes->buckets != NULL;
}

static bool make_planes(struct planes *planes, const struct lb_film_form *form,
                        const struct lb_film_picture *picture, const float *rgb)
{
    static const char *const names[3] = {"R", "G", "B"};
    const char *buckets[LB_BUCKETS_MOST];
    enum lb_exr_type coarse = form->bits == 16 ? LB_EXR_HALF : LB_EXR_FLOAT;
    uint32_t outputs = form->outputs | (form->transparent ? 1u << LB_OUTPUT_ALPHA : 0);
    *planes = (struct planes){.items = calloc(3 + 3 * LB_OUTPUTS + LB_BUCKETS_MOST, sizeof *planes->items)};
    if (!planes->items)
        return false;
    add_planes(planes, names, 3, coarse, rgb);
    for (uint32_t i = 0; i < LB_OUTPUTS; i++) {
        if (!(outputs >> i & 1) || !picture->sums)
            continue;
        planes->arrays[i] = lb_film_values(picture, (enum lb_output)i);
        if (!planes->arrays[i])
            return false;
        const struct lb_output_about *about = &lb_outputs[i];
        bool of_buckets = i == LB_OUTPUT_BUCKETS;
        if (of_buckets && !name_buckets(planes, picture->channels, buckets))
            return false;
        add_planes(planes, of_buckets ? buckets : about->names,
                   lb_output_count((enum lb_output)i, picture->channels),
                   about->whole    ? make_floats(planes->arrays[i], lb_film_pixel_count(picture))
                   : about->coarse ? coarse
                                   : LB_EXR_FLOAT,
                   planes->arrays[i]);
    }
    return true;
}

static enum lb_status write_planes(const char *path, const struct lb_film_form *form,
                                   const struct lb_film_picture *picture, const struct lb_film_notes *notes,
                                   const float *rgb, struct lb_error *error)
{
    const lb_film *film = picture->film;
    struct planes planes;
    struct lb_image_note said[LB_FILM_NOTES + 2];
    size_t count = notes->count;
    bool made = make_planes(&planes, form, picture, rgb);
    memcpy(said, notes->items, count * sizeof *said);
    if (planes.buckets) { /* (Fichet, Pacanowski, Wilkie, "An OpenEXR Layout for Spectral Images", 2021) */
        said[count++] = (struct lb_image_note){"spectralLayoutVersion", "1.0"};
        said[count++] = (struct lb_image_note){"emissiveUnits", "W.m^-2.sr^-1"};
    }
    struct lb_exr_picture exr = {.x0 = film->x0,
                                 .y0 = film->y0,
                                 .width = film->width,
                                 .height = film->height,
                                 .full_width = film->full_width,
                                 .full_height = film->full_height,
                                 .compression = form->compression,
                                 .channels = planes.items,
                                 .channel_count = planes.count,
                                 .notes = said,
                                 .note_count = count,
                                 .primaries = film->color_space == LB_COLOR_SRGB
                                                  ? NULL
                                                  : lb_color_spaces[film->color_space].primaries};
    enum lb_status status = made ? lb_exr_write(path, &exr, error) : lb_error_memory(error, path);
    for (size_t i = 0; i < LB_OUTPUTS; i++)
        free(planes.arrays[i]);
    free(planes.buckets);
    free(planes.items);
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

static enum lb_status write(const char *path, const struct lb_film_form *form,
                            const struct lb_film_picture *picture, const struct lb_film_notes *notes,
                            uint32_t *checksum, struct lb_error *error)
{
    float *floats = lb_film_colors(picture, form);
    if (!floats)
        return lb_error_memory(error, NULL);
    if (picture->film->color_space != LB_COLOR_SRGB)
        take_to_space(picture->film->color_space, floats, lb_film_pixel_count(picture));
    *checksum = lb_film_sum_floats(picture, floats);
    enum lb_status status = write_planes(path, form, picture, notes, floats, error);
    free(floats);
    return status;
}

const struct lb_film_format_about lb_film_exr = {
    .bits = {16, 32},
    .bits_of_film = true,
    .holds = LB_FILM_ALPHA | LB_FILM_CHANNELS | LB_FILM_COMPRESSED,
    .least_bits = 2,
    .write = write,
};
