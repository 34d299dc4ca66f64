/* Traversal alone, once for each instruction set: what tests and benchmarks call. The renderer includes
 * core/cpu/traverse.h instead, so that it is inlined there. */
#ifndef LB_CORE_CPU_TRACER_H
#define LB_CORE_CPU_TRACER_H

#include "core/kernel/scene.h"

struct lb_tracer {
    const char *name;
    /* Does this machine have the instruction set? The others may be called only then. */
    bool (*runs_here)(void);
    bool (*closest)(const lb_scene *scene, const lb_ray *ray, lb_hit *hit, lb_counters *counters);
    bool (*any)(const lb_scene *scene, const lb_ray *ray, lb_counters *counters);
};

/* Portable first, then what the program was compiled for, by width. */
extern const struct lb_tracer *const lb_tracers[];
extern const unsigned lb_tracer_count;

#endif
