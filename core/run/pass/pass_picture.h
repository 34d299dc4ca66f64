/* The picture of a pass, from the local framebuffers. */
#ifndef LB_CORE_RUN_PASS_PASS_PICTURE_H
#define LB_CORE_RUN_PASS_PASS_PICTURE_H

#include "core/run/pass/pass_job.h"

/* Has nothing been added to it? Its sums of channels are not looked at. */
static inline bool lb_pixel_is_empty(const lb_film_pixel *pixel)
{
    return (pixel->sum[0] | pixel->sum[1] | pixel->sum[2] | pixel->weight) == 0;
}

/* Adds the sums or costs of `count` pixels or positions to others, or subtracts what was added. */
void lb_pixels_add(lb_film_pixel *sum, const lb_film_pixel *more, uint64_t count);
void lb_pixels_subtract(lb_film_pixel *from, const lb_film_pixel *what, uint64_t count);
/* How much the mean of some samples of a pixel differs from that of others, as an estimate of a sample's variance: the
 * square of the difference, added up over the colours, where both have samples; else 0. */
double lb_pixels_differ(const lb_film_pixel *some, const lb_film_pixel *others);
/* Before a pass is added to what there was: adds to `squares`, by pixel, that estimate for each of its `samples`. A
 * bright sample then counts no less when it comes late. */
void lb_squares_learn(double *squares, const lb_film_pixel *before, const lb_film_pixel *pass,
                      uint32_t samples, uint64_t count);
void lb_sums_add(int64_t *sum, const int64_t *more, uint64_t count); /* of channels */
void lb_costs_add(float *sum, const float *more, uint64_t count);

/* The result's pixels, sums of channels and costs, which are laid out along the order, become the picture's: blocks of
 * samples are added up, then put in place, by the order's inverse, and folded where the job says so. The result says
 * whether the pass is complete; where it is not, pixels without light have neither sums of channels nor costs, as
 * nothing tells which of their samples there are. */
enum lb_status lb_pass_assemble(const struct lb_pass_job *job, const lb_order *order,
                                struct lb_pass_result *result, struct lb_error *error);

#endif
