/* Whether it pays to guide a picture's paths. In two passes, of which the second is left out where the first tells
 * that it cannot pay, the guide leads those of one pixel in four. Each of them tells by its densities what it would
 * have brought, and how often it would have been drawn, had the material alone chosen; so the same samples tell the
 * variance with the guide and without it, and few of them are enough. (Samples that are not led tell less: they
 * seldom find what makes the noise.) What paths cost is counted in steps. So the answer depends on sums of integers
 * alone, and is the same whoever rendered the picture. */
#ifndef LB_CORE_GUIDING_TRIAL_H
#define LB_CORE_GUIDING_TRIAL_H

#include "core/base/error.h"
#include "core/kernel/guiding/guide.h"
#include "core/kernel/scene/scene.h"

/* What a trial has found. */
struct lb_guiding_found {
    double gain; /* the variance of samples without the guide over that with it; 0: no trial has ended */
    double cost; /* the steps of a path with the guide over those of one without it */
};

/* Judges by tallies of the film's pixels, of `samples` samples each; the gain is 1 where nothing tells. The variance of
 * a pixel counts in proportion to its brightness. The few pixels with the most noise are left out, as single bright
 * paths would decide. */
enum lb_status lb_guiding_judge(const lb_film *film, const lb_guide_tally *tallies, uint32_t samples,
                                struct lb_guiding_found *found, struct lb_error *error);

#endif
