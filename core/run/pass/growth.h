/* After how many samples each pass of a frame ends. Passes are equally long, or they grow, so that there is a whole
 * picture soon; the last one ends where the frame has enough by its time or its noise, if not earlier with all
 * samples. */
#ifndef LB_CORE_RUN_PASS_GROWTH_H
#define LB_CORE_RUN_PASS_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

/* How a frame's samples are divided. */
struct lb_growth {
    uint32_t passes;   /* spread evenly; 0: one */
    bool growing;      /* in place of those a few growing ones, where there is much to do */
    double time_limit; /* seconds of rendering; 0: none */
    double noise;      /* relative; 0: none */
    /* More where the picture is noisy: core/run/adaptive.h. The scene's samples are then the most that a pixel may
     * get, LB_ADAPTIVE_MOST times the mean. In place of all others but `noise`, which then tells of pixels: */
    bool adaptive;
    bool by_largest; /* it is the noise of the noisiest one; else the root of the mean square over all */
};

/* What is known before a pass. */
struct lb_grown {
    uint64_t pixels;      /* of the picture */
    bool cheap;           /* a sample takes a thousand instructions, not several thousand */
    uint32_t first, last; /* samples [first, last) are asked for, */
    uint32_t at;          /* and those before this one are rendered */
    double seconds;       /* since the frame was begun */
    double a_sample;      /* of them, for a sample of every pixel in the last pass; 0 before the first */
    double noise;         /* lb_noise_between() of the last pass and what was before; negative: not known */
};

/* The sample before which the next pass ends; `at`, where the frame has enough. */
uint32_t lb_growth_next(const struct lb_growth *growth, const struct lb_grown *grown);

#endif
