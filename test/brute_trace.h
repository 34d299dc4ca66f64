/* The search for a hit that core/kernel's loops call, by trying every primitive: for tests without a tree. */
#ifndef LB_TEST_BRUTE_TRACE_H
#define LB_TEST_BRUTE_TRACE_H

#include "core/kernel/tree/brute.h"

__attribute__((unused)) static bool lb_trace_closest(const lb_scene *scene, const lb_ray *ray, lb_hit *hit,
                                                     lb_counters *counters)
{
    counters->rays++;
    return lb_brute_closest(scene, ray, hit);
}

__attribute__((unused)) static bool lb_trace_any(const lb_scene *scene, const lb_ray *ray,
                                                 lb_counters *counters)
{
    counters->rays++;
    return lb_brute_any(scene, ray);
}

#endif
