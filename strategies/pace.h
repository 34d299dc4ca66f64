/* Estimates the speeds of processors whose weights are not known, from the seconds that they took for work of a known
 * cost. */
#ifndef LB_STRATEGIES_PACE_H
#define LB_STRATEGIES_PACE_H

#include "core/speed.h"
#include "core/strategy.h"

/* What is known of one processor's speed. */
struct lb_pace_measure {
    double weight;        /* the plan's */
    struct lb_speed now;  /* since the last lb_pace_learn */
    struct lb_speed mean; /* of all times before, each counting for its part of what was to be done then */
};

/* All zero before the first frame. */
struct lb_pace {
    struct lb_pace_measure *measures;
    double *speeds; /* a processor each, positive, summing to 1 */
    uint32_t count;
    bool known; /* the plan's weights */
};

/* Takes up the plan's weights. What was measured is forgotten where the number of processors grows. */
enum lb_status lb_pace_start(struct lb_pace *pace, const struct lb_plan *plan, struct lb_error *error);
/* Forgets what was measured: speeds are the plan's weights again. */
void lb_pace_forget(struct lb_pace *pace);
/* Notes that `processor` took `seconds` for work that should cost `cost`. */
void lb_pace_add(struct lb_pace *pace, uint32_t processor, double cost, double seconds);
/* After a frame, or what of it tells speeds: these follow. They are the plan's weights where these are known, and as
 * far as chance alone may account for what was measured beside them. `noise`: the relative standard error of the costs'
 * sum. */
void lb_pace_learn(struct lb_pace *pace, double noise);
/* The relative standard error of the sum of `count` costs that are samples of their surroundings: by what neighbours
 * differ. 0 where there is nothing to compare. */
double lb_pace_noise(const float *costs, size_t count);
void lb_pace_free(struct lb_pace *pace);

#endif
