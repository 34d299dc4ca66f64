/* Adaptive sampling to a noise that is wanted: after some rounds, and then after each number of samples that pixels
 * may get, it is decided anew which of the pixels that got as many get more. When those with the most have enough, it
 * begins again with those that have fewer, some of which may look noisier by then. */
#ifndef LB_CORE_RUN_ADAPTIVE_TARGET_H
#define LB_CORE_RUN_ADAPTIVE_TARGET_H

#include "core/run/adaptive.h"

struct lb_target {
    /* What the passes have told; its mean is the most that pixels get on average, and `counts` the samples that each
     * has or, where it takes part in the next pass, is about to have. */
    struct lb_adaptive rounds;
    double wanted;   /* the noise: above 0 */
    bool by_largest; /* no pixel is to have more; else the root of the mean square over all pixels */
    double noise;    /* that the picture has, by the same measure; negative: not known */
    /* The next pass is of samples [at, end), of those pixels for which `due` has `end` and not 0, or of all while the
     * noise is not known. at == end: there is none. */
    uint32_t at, end;
    uint32_t *due;
    uint32_t sweeps; /* how often it was gone back to pixels that have fewer samples */
};

enum lb_status lb_target_open(struct lb_target *target, uint32_t width, uint32_t height, uint32_t mean,
                              struct lb_error *error);
void lb_target_free(struct lb_target *target);

/* After the pass that was next, before which there was lb_adaptive_begin_round(): learns from it, and where the rounds
 * are done finds the noise and decides which pass is next. As in lb_adaptive_decide(), pixels are told by those around
 * them. */
enum lb_status lb_target_decide(struct lb_target *target, const lb_film_pixel *pixels,
                                struct lb_error *error);

#endif
