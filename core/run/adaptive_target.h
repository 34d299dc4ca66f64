/* Adaptive sampling to a noise that is wanted: after some rounds, and then after each number of samples that pixels
 * may get, it is decided anew which of the pixels that got as many get more. When those with the most have enough, it
 * begins again with those that have fewer, some of which may look noisier by then. */
#ifndef LB_CORE_RUN_ADAPTIVE_TARGET_H
#define LB_CORE_RUN_ADAPTIVE_TARGET_H

#include "core/part/part.h"
#include "core/run/cost_around.h"

struct lb_target {
    uint32_t width, height;
    uint32_t mean;   /* the most samples that pixels get on average */
    double wanted;   /* the noise: above 0 */
    bool by_largest; /* no pixel is to have more; else the root of the mean square over all pixels */
    /* By pixel: the samples that it has or, where it takes part in the next pass, is to have. */
    uint32_t *counts;
    /* Lent. The next pass is of samples [begin, end), of all pixels while the noise is not known, then of those for
     * which `due` has `end` and not 0. */
    struct lb_part_target *now;
    uint32_t *due; /* by pixel */
};

/* Begins where `now` has no squares, which it then gets; else goes on, once the caller has set `counts` and `due`. */
enum lb_status lb_target_open(struct lb_target *target, struct lb_part_target *now, uint32_t width,
                              uint32_t height, uint32_t mean, struct lb_error *error);
void lb_target_free(struct lb_target *target);

/* After the pass that was next, from which now->squares have learned (lb_squares_learn): where the rounds are done,
 * finds the noise, and decides which pass is next. As in lb_adaptive_decide(), pixels are told by those around them,
 * and where the noise is that of the mean their costs count, too, which `scattered` tells. */
enum lb_status lb_target_decide(struct lb_target *target, const lb_film_pixel *pixels,
                                const struct lb_scattered *scattered, struct lb_error *error);

#endif
