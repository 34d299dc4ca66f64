/* The film: what a pixel adds up. Contributions are rounded to fixed point and added as integers, so that
 * sums do not depend on the order, the passes or the processor. */
#ifndef LB_CORE_KERNEL_FILM_H
#define LB_CORE_KERNEL_FILM_H

#include "core/kernel/base.h"

/* One position of a local framebuffer. */
typedef struct lb_film_pixel {
    int64_t sum[3]; /* of weight * r, g, b; unit 2^-LB_FILM_BITS */
    int64_t weight; /* of the samples' filter weights; same unit */
} lb_film_pixel;

#define LB_FILM_BITS 30

#endif
