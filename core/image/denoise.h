/* Taking the noise out of a picture, by Open Image Denoise. What comes out depends on that library's version and on the
 * CPU: unlike all else here, its bytes are not promised. */
#ifndef LB_CORE_IMAGE_DENOISE_H
#define LB_CORE_IMAGE_DENOISE_H

#include "core/base/error.h"

#include <stdint.h>

struct lb_denoiser;

/* Images of one size, 3 floats a pixel, row 0 the top. */
struct lb_denoise_images {
    uint32_t width, height;
    float *color; /* linear, of any brightness; becomes the result */
    float *albedo,
        *normal; /* of what is seen: 0 to 1, and -1 to 1; both NULL: not known. They are changed, too. */
};

/* `file`: the library's, or NULL: wherever the dynamic linker finds it. `threads`: so many, or 0: all CPUs. An error
 * says what was looked for, or what is wrong with what was found. */
enum lb_status lb_denoiser_open(const char *file, uint32_t threads, struct lb_denoiser **denoiser,
                                struct lb_error *error);
void lb_denoiser_close(struct lb_denoiser *denoiser); /* may be NULL */
/* "Open Image Denoise 2.5.1 on CPUs", as long as the denoiser lives. */
const char *lb_denoiser_about(const struct lb_denoiser *denoiser);
/* Waits until the library is done. This thread's rounding, and how it treats tiny numbers, stay as they were. */
enum lb_status lb_denoise(const struct lb_denoiser *denoiser, const struct lb_denoise_images *images,
                          struct lb_error *error);

#endif
