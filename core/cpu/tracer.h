/* Traversal alone, compiled once for each instruction set, behind pointers: what tests, benchmarks and the passes over
 * camera rays call. The render loops include core/cpu/traverse.h instead, so that it is inlined there. */
#ifndef LB_CORE_CPU_TRACER_H
#define LB_CORE_CPU_TRACER_H

#include "core/kernel/scene/scene.h"

/* The traversal of one instruction set. What its functions do is said in core/cpu/traverse.h, where they are
 * defined. */
struct lb_tracer {
    const char *name;
    /* Does this machine have the instruction set? The functions that follow may be called only if it has. */
    bool (*runs_here)(void);
    bool (*closest)(const lb_scene *scene, const lb_ray *ray, lb_hit *hit, lb_counters *counters);
    bool (*any)(const lb_scene *scene, const lb_ray *ray, lb_counters *counters);
};

/* The portable one first, then the others that the program was compiled with, by the width of their vectors. */
extern const struct lb_tracer *const lb_tracers[];
extern const unsigned lb_tracer_count;

#endif
