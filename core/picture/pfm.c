/* Pictures as PFM: R, G and B of linear sRGB as floats, and nothing else. */
#include "core/image/image.h"
#include "core/picture/writer.h"

#include <stdlib.h>

static enum lb_status write(const char *path, const struct lb_film_form *form,
                            const struct lb_film_picture *picture, const struct lb_film_notes *notes,
                            uint32_t *checksum, struct lb_error *error)
{
    (void)notes;
    float *floats = lb_film_colors(picture, form);
    if (!floats)
        return lb_error_memory(error, NULL);
    *checksum = lb_film_sum_floats(picture, floats);
    enum lb_status status = lb_pfm_write(path, picture->film->width, picture->film->height, floats, error);
    free(floats);
    return status;
}

const struct lb_film_format_about lb_film_pfm = {.bits = {32, 32}, .least_bits = 96, .write = write};
