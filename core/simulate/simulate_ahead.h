/* When a simulated processor asks for its next range while it works on one. */
#ifndef LB_CORE_SIMULATE_SIMULATE_AHEAD_H
#define LB_CORE_SIMULATE_SIMULATE_AHEAD_H

#include "core/simulate/simulate_work.h"

/* How far a processor has come, in a range or in several, and in how long. */
struct lb_sim_progress {
    uint64_t positions;
    double seconds;
};

/* A processor begins each range in so many seconds, and a unit of work takes it `each`. */
struct lb_sim_rate {
    double beginning, each;
};

/* Finds where in `range` a processor asks: at the end of the first position at which it looks and finds that what is
 * left takes no more than `lead` seconds, by what it has measured itself, in the ranges `before` and in this one. It
 * cannot know what the positions ahead of it cost. False: it gets to the end without. */
bool lb_sim_ahead(const struct lb_sim_work *work, struct lb_range range, struct lb_sim_rate rate,
                  const struct lb_sim_progress *before, double lead, struct lb_sim_progress *progress);

#endif
