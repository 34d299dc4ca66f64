#include "test/unit/brute_radiance.h"

#include "core/kernel/tree/brute.h"

/* The searches for a hit that the loops call. */
static bool lb_trace_closest(const lb_scene *scene, const lb_ray *ray, lb_hit *hit, lb_counters *counters)
{
    counters->rays++;
    return lb_brute_closest(scene, ray, hit);
}

static bool lb_trace_any(const lb_scene *scene, const lb_ray *ray, lb_counters *counters)
{
    counters->rays++;
    return lb_brute_any(scene, ray);
}

#include "core/kernel/integrators/occlusion_loop.h"
#include "core/kernel/integrators/path_loop.h"
#include "core/kernel/integrators/volume_loop.h"

lb_rgb brute_path(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample, lb_filter_place *place,
                  const int *stop, lb_counters *counters)
{
    return lb_path_radiance(scene, x, y, sample, place, stop, counters);
}

lb_rgb brute_volume(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample, lb_filter_place *place,
                    const int *stop, lb_counters *counters)
{
    return lb_volume_radiance(scene, x, y, sample, place, stop, counters);
}

lb_rgb brute_occlusion(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample, lb_filter_place *place,
                       const int *stop, lb_counters *counters)
{
    return lb_occlusion_radiance(scene, x, y, sample, place, stop, counters);
}
