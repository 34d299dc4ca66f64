/* From the film to what files hold. */
#ifndef LB_CORE_REPORT_FILM_PICTURE_H
#define LB_CORE_REPORT_FILM_PICTURE_H

#include "core/base/error.h"
#include "core/kernel/film.h"

#include <stddef.h>

/* 8-bit sRGB, 3 bytes a pixel; linear RGB, 3 floats a pixel. Released by free(); NULL: out of memory. */
uint8_t *lb_film_bytes(const lb_film_pixel *pixels, size_t count);
float *lb_film_floats(const lb_film_pixel *pixels, size_t count);

/* Can a picture be written under this name? The ending decides: .png, .pfm, in any case. */
bool lb_film_writable(const char *path);
/* Can a picture of that size? An error before the work is better than one after it. */
enum lb_status lb_film_check(const char *path, uint32_t width, uint32_t height, struct lb_error *error);
/* Writes the picture by its ending. `*checksum`: CRC-32C of the file's pixels, row 0 the top: bytes of a PNG, floats of
 * a PFM. */
enum lb_status lb_film_write(const char *path, uint32_t width, uint32_t height, const lb_film_pixel *pixels,
                             uint32_t *checksum, struct lb_error *error);

#endif
