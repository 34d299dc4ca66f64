/* Adaptive sampling: a frame's samples go where they lessen its noise most for what they cost. First come two rounds in
 * each of which every pixel gets an eighth of the mean; what they say decides once how many each pixel gets in all. */
#ifndef LB_CORE_RUN_ADAPTIVE_H
#define LB_CORE_RUN_ADAPTIVE_H

#include "core/base/error.h"
#include "core/kernel/film/film.h"
#include "core/run/cost_around.h"

/* A pixel gets from a quarter of the mean number of samples to MOST times as many. LEAST is the smallest mean: each
 * round has at least a sample. */
enum { LB_ADAPTIVE_ROUNDS = 2, LB_ADAPTIVE_MOST = 8, LB_ADAPTIVE_LEAST = 16 };
/* Numbers of samples that pixels may get, of which each pixel gets one. */
enum { LB_ADAPTIVE_LEVELS = 11 };

/* What the rounds have told so far, and what follows from it. */
struct lb_adaptive {
    uint32_t width, height;
    uint32_t mean;         /* samples per pixel, LB_ADAPTIVE_LEAST or more */
    lb_film_pixel *before; /* the picture before the round; NULL: nothing was rendered */
    /* By pixel: the variance of a sample's red, green and blue, estimated from how rounds differ, added up over them
     * and the colours. */
    double *squares;
    uint32_t *counts; /* by pixel: samples that it gets in all; NULL before lb_adaptive_decide() */
};

/* All zero but its arrays may be freed. */
enum lb_status lb_adaptive_open(struct lb_adaptive *adaptive, uint32_t width, uint32_t height, uint32_t mean,
                                struct lb_error *error);
void lb_adaptive_free(struct lb_adaptive *adaptive);

/* After how many samples of a pixel the last round ends. */
uint32_t lb_adaptive_rounds_end(const struct lb_adaptive *adaptive);
/* After how many samples of a pixel the pass ends that begins after `at` of them: a round's end, or the next number
 * that some pixel gets. `at`: that was the last. */
uint32_t lb_adaptive_next(const struct lb_adaptive *adaptive, uint32_t at);
/* Before a round: keeps the picture as it is. `pixels`: NULL: nothing was rendered. */
enum lb_status lb_adaptive_begin_round(struct lb_adaptive *adaptive, const lb_film_pixel *pixels,
                                       struct lb_error *error);
/* After it: learns how the round differs from what was before. */
void lb_adaptive_end_round(struct lb_adaptive *adaptive, const lb_film_pixel *pixels);
/* After the last round, of which `scattered` tells the costs: sets `counts`. A pixel's count is in proportion to the
 * noise of a sample over the root of its cost, with which a picture of a given cost has the least noise. Both are those
 * of the pixels around it and not its own, so that the count does not depend on its own samples, whose mean stays
 * without bias. The counts' sum is the mean's times the number of pixels, or less by less than a thousandth. */
enum lb_status lb_adaptive_decide(struct lb_adaptive *adaptive, const lb_film_pixel *pixels,
                                  const struct lb_scattered *scattered, struct lb_error *error);

/* After lb_adaptive_decide(): the pixels that get fewer than `end` samples in all, as in lb_order.left_out; the
 * caller's to free. `*due` is how many get as many. NULL: out of memory. */
uint64_t *lb_adaptive_left_out(const struct lb_adaptive *adaptive, uint32_t end, uint64_t *due);

#endif
