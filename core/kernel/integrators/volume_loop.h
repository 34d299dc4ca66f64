/* What core/kernel/integrators/path_loop.h is, for scenes where media do more than absorb. The including file has
 * provided lb_trace_closest, which counts rays. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_VOLUME_LOOP_H
#define LB_CORE_KERNEL_INTEGRATORS_VOLUME_LOOP_H

#include "core/kernel/stop.h"
#include "core/kernel/integrators/volume.h"
#include "core/kernel/integrators/volume_shadow.h"

/* Follows a sample's path to its end. */
LB_INLINE void lb_volume_follow(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                                lb_filter_place *place, const int *stop, lb_counters *counters, lb_path *path)
{
    lb_volume volume;
    lb_shadow shadow;
    lb_hit hit;
    bool goes_on = true;
    lb_path_begin(scene, x, y, sample, path, place);
    lb_volume_start(&volume, &path->sampler);
    while (goes_on && !lb_stopped(stop)) {
        lb_path_draw_all(path);
        lb_trace_closest(scene, &path->ray, &hit, counters);
        goes_on =
            lb_volume_shade(scene, path, &volume, &hit, &shadow, counters) || lb_path_next_scout(scene, path);
        if (!shadow.active)
            continue;
        do {
            lb_trace_closest(scene, &shadow.ray, &hit, counters);
        } while (lb_volume_shadow_step(scene, &volume, &shadow, &hit, counters));
        if (shadow.active)
            lb_path_light(path, &shadow);
    }
    counters->scattered += path->depth;
}

/* Does what lb_path_radiance does in scenes without such media. */
LB_FUNCTION lb_rgb lb_volume_radiance(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                                      lb_filter_place *place, const int *stop,
                                      lb_counters *counters LB_AND_NUMBERS(lb_pixel_numbers *numbers))
{
    lb_path path;
    LB_NUMBERS_SET(&path, numbers);
    lb_volume_follow(scene, x, y, sample, place, stop, counters, &path);
    return lb_path_result(scene, &path);
}

#endif
