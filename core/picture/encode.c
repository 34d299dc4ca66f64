/* From light to what a screen shows: the values of PNG, JPEG and TIFF files. */
#include "core/base/crc32c.h"
#include "core/picture/writer.h"

#include <stdlib.h>

uint32_t lb_film_encoded_channels(const struct lb_film_form *form)
{
    return form->transparent ? 4 : 3;
}

/* A colour is encoded as sRGB, alpha is not. */
static uint16_t word_of(float encoded)
{
    return (uint16_t)lb_to_int(encoded * 65535.0f + 0.5f);
}

static uint8_t byte_of(float encoded)
{
    return (uint8_t)lb_to_int(encoded * 255.0f + 0.5f);
}

static uint32_t sum_encoded(const struct lb_film_picture *picture, const struct lb_film_form *form,
                            const void *values)
{
    size_t count = lb_film_pixel_count(picture) * lb_film_encoded_channels(form);
    const uint16_t *words = values;
    uint32_t crc = 0;
    if (form->bits == 8)
        return lb_crc32c(0, values, count);
    for (size_t i = 0; i < count; i++) {
        const uint8_t pair[2] = {(uint8_t)(words[i] >> 8), (uint8_t)words[i]};
        crc = lb_crc32c(crc, pair, sizeof pair);
    }
    return crc;
}

void *lb_film_encode(const struct lb_film_picture *picture, const struct lb_film_form *form,
                     uint32_t *checksum, struct lb_error *error)
{
    size_t count = lb_film_pixel_count(picture), each = lb_film_encoded_channels(form);
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
    if (values)
        *checksum = sum_encoded(picture, form, values);
    else
        lb_error_memory(error, NULL);
    return values;
}
