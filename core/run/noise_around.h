/* How noisy each pixel of a picture may be, by those around it. */
#ifndef LB_CORE_RUN_NOISE_AROUND_H
#define LB_CORE_RUN_NOISE_AROUND_H

#include "core/kernel/film/film.h"

#include <stdbool.h>

/* What stands in place of what is no number or more. */
#define LB_NOISE_MOST 1e15f

/* By pixel: the root of the variance that those around it have beside the square of the brightness around them. What
 * follows does not depend on the pixel's own samples. `squares` is the variance of each. `own`: gets, by pixel, that
 * variance beside the square of the brightness around it; may be NULL. False: out of memory. */
bool lb_noise_around(uint32_t width, uint32_t height, const lb_film_pixel *pixels, const double *squares,
                     float *noise, float *own);

#endif
