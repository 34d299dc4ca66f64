/* What the writers of film formats share, a file each. Private to core/picture. */
#ifndef LB_CORE_PICTURE_WRITER_H
#define LB_CORE_PICTURE_WRITER_H

#include "core/image/image.h"
#include "core/picture/picture.h"

enum { LB_FILM_NOTES = 6 };

/* What a file says of its picture, where the format has room for words. */
struct lb_film_notes {
    struct lb_image_note items[LB_FILM_NOTES];
    size_t count;
    char samples[16], seed[16];
    char *scene; /* as UTF-8 */
};

size_t lb_film_pixel_count(const struct lb_film_picture *picture);
/* The colour of a pixel, and how much of it is covered, by which the colour is multiplied. */
lb_rgb lb_film_color(const struct lb_film_picture *picture, const struct lb_film_form *form, size_t pixel,
                     float *alpha);
/* Takes `count` colours from linear sRGB to the film's own color space (core/base/color_space.h). */
void lb_film_take_to_space(uint32_t space, float *rgb, size_t count);
/* How many values of a pixel there are in formats of tones: 3, or 4 with alpha. */
uint32_t lb_film_encoded_channels(const struct lb_film_form *form);
/* The pixels' values there: sRGB of the form's bits, tone-mapped, and alpha where the form is transparent, by which the
 * colours are not multiplied; and their CRC-32C, where those of 16 bits count with the higher byte first. The caller's
 * to free; NULL: out of memory, which `error` says. */
void *lb_film_encode(const struct lb_film_picture *picture, const struct lb_film_form *form,
                     uint32_t *checksum, struct lb_error *error);
/* The checksum of formats that have floats: CRC-32C of R, G and B, in this machine's order of bytes. */
uint32_t lb_film_sum_floats(const struct lb_film_picture *picture, const float *rgb);

#endif
