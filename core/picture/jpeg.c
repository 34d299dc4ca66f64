/* Pictures as JPEG: sRGB of 8 bits, tone-mapped, with small losses. */
#include "core/picture/writer.h"

#include <stdlib.h>

static enum lb_status write(const char *path, const struct lb_film_form *form,
                            const struct lb_film_picture *picture, const struct lb_film_notes *notes,
                            uint32_t *checksum, struct lb_error *error)
{
    void *values = lb_film_encode(picture, form, checksum, error);
    if (!values)
        return LB_ERROR_MEMORY;
    struct lb_jpeg jpeg = {.width = picture->film->width,
                           .height = picture->film->height,
                           .quality = form->quality ? form->quality : LB_FILM_QUALITY,
                           .pixels = values,
                           .notes = notes->items,
                           .note_count = notes->count};
    enum lb_status status = lb_jpeg_write(path, &jpeg, error);
    free(values);
    return status;
}

static enum lb_status fits(const char *path, const struct lb_film_form *form, uint32_t width, uint32_t height,
                           struct lb_error *error)
{
    (void)form;
    if (width <= LB_JPEG_MOST_SIDE && height <= LB_JPEG_MOST_SIDE)
        return LB_OK;
    return lb_error_set(error, LB_ERROR,
                        "%s: %u x %u pixels are too many for a JPEG file, whose sides have %d at most", path,
                        width, height, LB_JPEG_MOST_SIDE);
}

const struct lb_film_format_about lb_film_jpg = {
    .also = "jpeg",
    .bits = {8, 8},
    .holds = LB_FILM_TONES | LB_FILM_QUALITIES,
    .least_bits = 1,
    .fits = fits,
    .write = write,
};
