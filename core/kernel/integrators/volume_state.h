/* What a path has with it in scenes where some medium does more than absorb, and how its light is weighed there.
 *
 * Colours. Where a path collides in a medium is drawn by the extinction of one band of the three (red, green, blue),
 * which chance chooses. The path is then weighted by the mean of the densities that the three choices would have given
 * it (the single-sample balance heuristic, Veach 1997; "spectral MIS": Wilkie et al. 2014, Miller, Georgiev, Jarosz
 * 2019). Each vertex chooses anew, a band as likely as its part of the path's throughput there. In a medium that
 * scatters all light the sum of the three throughputs therefore never changes, whatever the extinctions are.
 * lb_volume.chances keeps the density that each choice would have given the way since the last vertex, relative to
 * their mean. lb_volume.lights keeps the same for light sampling, whose shadow rays take the same way. path->pdf
 * follows both, so that it can be compared with the density of light sampling as ever. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_VOLUME_STATE_H
#define LB_CORE_KERNEL_INTEGRATORS_VOLUME_STATE_H

#include "core/kernel/materials/bssrdf.h"
#include "core/kernel/integrators/path.h"

/* What a path in such a scene needs beyond lb_path and lb_shadow. */
typedef struct lb_volume {
    /* The densities of the way since the last vertex by the band that draws, with an average of 1: as a path's way, and
     * as a shadow ray's. */
    lb_color chances, lights;
    lb_color shadow_chances, shadow_lights; /* the same for the shadow ray */
    uint32_t ways;         /* how many ways through media there were, by which the sampler's dimensions go */
    uint32_t depth;        /* lb_path.depth before the last hit */
    lb_random random;      /* for collisions, of which there may be any number */
    lb_bssrdf_probe probe; /* where the path goes below the surface of a subsurface material */
} lb_volume;

/* Begins for a path that lb_path_start has begun. */
LB_INLINE void lb_volume_start(lb_volume *volume, const lb_sampler *sampler)
{
    lb_random_start(&volume->random, sampler->key ^ sampler->sample);
    volume->chances = volume->lights = lb_color_grey(1.0f);
    volume->shadow_chances = volume->shadow_lights = lb_color_grey(1.0f);
    volume->ways = 0;
    volume->probe.active = 0;
}

/* The throughput's colour with an average of 1, by which a vertex chooses a band. */
LB_INLINE lb_color lb_volume_balance(lb_color throughput)
{
    float average = lb_color_average(throughput);
    return average > 0.0f ? lb_color_scale(throughput, 1.0f / average) : lb_color_grey(1.0f);
}

/* Takes a path on. `through` is what is left of its light on the way; `chance` and `light` are the densities, by band,
 * with which the path and light sampling would have gone that way. All three are in the same unit, which cancels.
 * False: no light is left. */
LB_FUNCTION bool lb_volume_advance(lb_path *path, lb_volume *volume, lb_color through, lb_color chance,
                                   lb_color light)
{
    lb_color chances = lb_color_mul(volume->chances, chance), lights = lb_color_mul(volume->lights, light);
    float mean = lb_color_average(chances), mean_light = lb_color_average(lights);
    if (!(mean > 0.0f) || !lb_is_finite(mean)) {
        path->throughput = lb_color_grey(0.0f);
        return false;
    }
    path->throughput = lb_color_scale(lb_color_mul(path->throughput, through), 1.0f / mean);
    volume->chances = lb_color_scale(chances, 1.0f / mean);
    if (mean_light > 0.0f && lb_is_finite(mean_light)) {
        volume->lights = lb_color_scale(lights, 1.0f / mean_light);
        if (path->pdf > 0.0f)
            path->pdf = lb_max(path->pdf * (mean / mean_light), 1e-30f);
    } else {
        path->pdf = 0.0f; /* light sampling never goes that way */
    }
    return lb_color_max(path->throughput) > 0.0f;
}

#endif
