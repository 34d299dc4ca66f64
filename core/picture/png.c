/* Pictures as PNG: sRGB of 8 or 16 bits, tone-mapped, with alpha where they are transparent. */
#include "core/image/image.h"
#include "core/picture/writer.h"

#include <stdlib.h>

static enum lb_status write(const char *path, const struct lb_film_form *form,
                            const struct lb_film_picture *picture, const struct lb_film_notes *notes,
                            uint32_t *checksum, struct lb_error *error)
{
    void *values = lb_film_encode(picture, form, checksum, error);
    if (!values)
        return LB_ERROR_MEMORY;
    struct lb_png png = {.width = picture->film->width,
                         .height = picture->film->height,
                         .channels = lb_film_encoded_channels(form),
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
    return lb_png_fits(path, width, height, lb_film_encoded_channels(form) * form->bits, error);
}

const struct lb_film_format_about lb_film_png = {
    .bits = {8, 16},
    .holds = LB_FILM_ALPHA | LB_FILM_TONES,
    .least_bits = 2,
    .fits = fits,
    .write = write,
};
