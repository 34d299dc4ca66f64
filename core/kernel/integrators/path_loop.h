/* Follows a path from its start to its end, for processors that follow one at a time. The including file has provided
 * lb_trace_closest and lb_trace_any, which count rays. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_PATH_LOOP_H
#define LB_CORE_KERNEL_INTEGRATORS_PATH_LOOP_H

#include "core/kernel/integrators/path.h"
#include "core/kernel/stop.h"

/* Does light arrive along the shadow ray? */
LB_INLINE bool lb_shadow_arrives(const lb_scene *scene, lb_shadow *shadow, lb_counters *counters)
{
    if (!scene->any_interface)
        return !lb_trace_any(scene, &shadow->ray, counters);
    lb_hit hit;
    do {
        lb_trace_closest(scene, &shadow->ray, &hit, counters);
    } while (lb_shadow_step(scene, shadow, &hit));
    return shadow->active != 0;
}

/* Follows a sample's path to its end, with parameters as for lb_path_begin. It looks in between whether it has been
 * told to stop, as a path between mirrors may be very long, and then the result has no meaning. */
LB_INLINE void lb_path_follow(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                              lb_filter_place *place, const int *stop, lb_counters *counters, lb_path *path)
{
    lb_shadow shadow;
    lb_hit hit;
    bool goes_on = true;
    lb_path_begin(scene, x, y, sample, path, place);
    while (goes_on && !lb_stopped(stop)) {
        lb_path_draw_all(path);
        lb_trace_closest(scene, &path->ray, &hit, counters);
        goes_on = lb_path_shade(scene, path, &hit, &shadow, counters) || lb_path_next_scout(scene, path);
        if (shadow.active && lb_shadow_arrives(scene, &shadow, counters))
            lb_path_light(path, &shadow);
    }
    counters->scattered += path->depth;
}

/* The radiance that a sample of the pixel (x, y) sees. */
LB_FUNCTION lb_rgb lb_path_radiance(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                                    lb_filter_place *place, const int *stop,
                                    lb_counters *counters LB_AND_NUMBERS(lb_pixel_numbers *numbers))
{
    lb_path path;
    LB_NUMBERS_SET(&path, numbers);
    lb_path_follow(scene, x, y, sample, place, stop, counters, &path);
    return lb_path_result(scene, &path);
}

#endif
