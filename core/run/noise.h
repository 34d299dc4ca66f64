/* How noisy a picture is, estimated from two halves of its samples. */
#ifndef LB_CORE_RUN_NOISE_H
#define LB_CORE_RUN_NOISE_H

#include "core/kernel/film/film.h"

/* Of two pictures of `count` pixels of the same scene, by different samples: the root of the mean square error of the
 * pixels of their mean, estimated from how the two differ, over the mean of all pixels. Negative: they share no pixel,
 * or are black. */
double lb_noise_between(const lb_film_pixel *one, const lb_film_pixel *other, uint64_t count);

#endif
