/* What renderers count. */
#ifndef LB_CORE_KERNEL_COUNTERS_H
#define LB_CORE_KERNEL_COUNTERS_H

#include "core/kernel/base.h"

/* What the renderers count, one line for each: the struct's field and its sum are made of these. */
#define LB_COUNTERS(COUNTER)                                                                                 \
    COUNTER(nodes)     /* of the tree that were visited; iterations of the Mandelbrot set; cells of media */ \
    COUNTER(groups)    /* of primitives, in leaves, that were tested */                                      \
    COUNTER(shaded)    /* vertices of paths */                                                               \
    COUNTER(scattered) /* how often paths were scattered, which CPUs alone count; iterations, too */         \
    COUNTER(rays)                                                                                            \
    COUNTER(bad_samples) /* NaN or infinite: they add nothing to the picture */

#define LB_COUNTER_FIELD(counter) uint64_t counter;
#define LB_COUNTER_ADD(counter)   sum->counter += more->counter;

/* The counts of a piece of work. */
typedef struct lb_counters {
    LB_COUNTERS(LB_COUNTER_FIELD)
} lb_counters;

LB_FUNCTION void lb_counters_add(lb_counters *sum, const lb_counters *more)
{
    LB_COUNTERS(LB_COUNTER_ADD)
}

/* What a shaded vertex of a path costs in steps, where a node visited costs one. */
#define LB_SHADED_STEPS 16

/* The cost in steps of what was counted over `samples`. It is the unit of --cost-map, and the same on every run. */
LB_INLINE uint64_t lb_counters_steps(const lb_counters *counters, uint64_t samples)
{
    return counters->nodes + counters->groups + LB_SHADED_STEPS * counters->shaded + samples;
}

#endif
