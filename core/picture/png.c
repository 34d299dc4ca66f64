/* Pictures as PNG: sRGB of 8 or 16 bits, tone-mapped, with alpha where they are transparent. */
#include "core/image/image.h"
#include "core/picture/writer.h"

#include <stdlib.h>

/* Values of a PNG's pixel. */
static uint32_t png_channels(const struct lb_film_form *form)
{
    return form->transparent ? 4 : 3;
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
    size_t count = lb_film_pixel_count(picture), each = png_channels(form);
    void *values = malloc(count * each * (form->bits / 8));
    uint8_t *bytes = values;
    uint16_t *words = values;
    float factor = lb_exposure_factor((float)form->exposure);
    for (size_t i = 0; values && i < count; i++) {
        float alpha;
        lb_rgb c = lb_film_color(picture, form, i, &alpha);
        c = lb_tone_map(form->tone_map, factor, alpha > 0.0f ? lb_rgb_scale(c, 1.0f / alpha) : c);
        const float rgba[4] = {lb_srgb_encode(c.r), lb_srgb_encode(c.g), lb_srgb_encode(c.b), alpha};
        for (size_t k = 0; k < each && form->bits == 8; k++)
            bytes[each * i + k] = byte_of(rgba[k]);
        for (size_t k = 0; k < each && form->bits == 16; k++)
            words[each * i + k] = word_of(rgba[k]);
    }
    return values;
}

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

static enum lb_status write(const char *path, const struct lb_film_form *form,
                            const struct lb_film_picture *picture, const struct lb_film_notes *notes,
                            uint32_t *checksum, struct lb_error *error)
{
    void *values = make_encoded(picture, form);
    if (!values)
        return lb_error_memory(error, NULL);
    *checksum = sum_encoded(values, form->bits, lb_film_pixel_count(picture) * png_channels(form));
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

static enum lb_status fits(const char *path, const struct lb_film_form *form, uint32_t width, uint32_t height,
                           struct lb_error *error)
{
    return lb_png_fits(path, width, height, png_channels(form) * form->bits, error);
}

const struct lb_film_format_about lb_film_png = {
    .bits = {8, 16},
    .holds = LB_FILM_ALPHA | LB_FILM_TONES,
    .least_bits = 2,
    .fits = fits,
    .write = write,
};
