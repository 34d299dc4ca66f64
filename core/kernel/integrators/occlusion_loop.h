/* core/kernel/integrators/path_loop.h for ambient occlusion. Whoever includes this header has provided lb_trace_closest
 * and lb_trace_any, which count rays. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_OCCLUSION_LOOP_H
#define LB_CORE_KERNEL_INTEGRATORS_OCCLUSION_LOOP_H

#include "core/kernel/integrators/occlusion.h"
#include "core/kernel/stop.h"

/* What lb_path_radiance is to paths. */
LB_FUNCTION lb_rgb lb_occlusion_radiance(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                                         lb_filter_place *place, const int *stop,
                                         lb_counters *counters LB_AND_NUMBERS(lb_pixel_numbers *numbers))
{
    lb_path path;
    LB_NUMBERS_SET(&path, numbers);
    lb_shadow shadow;
    lb_hit hit;
    bool goes_on = true;
    lb_path_start(scene, x, y, sample, &path, place);
    while (goes_on && !lb_stopped(stop)) {
        LB_NUMBERS_DRAW(&path);
        lb_trace_closest(scene, &path.ray, &hit, counters);
        goes_on = lb_occlusion_shade(scene, &path, &hit, &shadow, counters);
        if (shadow.active && !lb_trace_any(scene, &shadow.ray, counters))
            lb_path_light(&path, &shadow);
    }
    return path.radiance;
}

#endif
