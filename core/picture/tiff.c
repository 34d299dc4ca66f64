/* Pictures as TIFF: what PNG files hold, in the container that printers and older pipelines ask for. */
#include "core/picture/writer.h"

#include <stdlib.h>

static enum lb_status write(const char *path, const struct lb_film_form *form,
                            const struct lb_film_picture *picture, const struct lb_film_notes *notes,
                            uint32_t *checksum, struct lb_error *error)
{
    void *values = lb_film_encode(picture, form, checksum, error);
    if (!values)
        return LB_ERROR_MEMORY;
    struct lb_tiff tiff = {.width = picture->film->width,
                           .height = picture->film->height,
                           .channels = lb_film_encoded_channels(form),
                           .bits = form->bits,
                           .pixels = values,
                           .notes = notes->items,
                           .note_count = notes->count};
    enum lb_status status = lb_tiff_write(path, &tiff, error);
    free(values);
    return status;
}

const struct lb_film_format_about lb_film_tif = {
    .also = "tiff",
    .bits = {8, 16},
    .holds = LB_FILM_ALPHA | LB_FILM_TONES,
    .least_bits = 2,
    .write = write,
};
