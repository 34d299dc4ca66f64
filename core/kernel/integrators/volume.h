/* Paths in scenes where some medium does more than absorb: the state machine of core/kernel/integrators/path.h with
 * other steps between surfaces, as in pbrt-v4's volpath integrator. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_VOLUME_H
#define LB_CORE_KERNEL_INTEGRATORS_VOLUME_H

#include "core/kernel/media/phase.h"
#include "core/kernel/integrators/volume_probe.h"
#include "core/kernel/integrators/volume_travel.h"

/* Chooses a light and a direction towards it from where the medium scatters the path, which came in the direction
 * `from`, and prepares the shadow ray. */
LB_FUNCTION void lb_volume_sample_light(const lb_scene *scene, const lb_medium *medium, lb_path *path,
                                        lb_vec3 from, lb_shadow *shadow)
{
    lb_light_sample sample;
    lb_vec2 u = lb_path_draw_2d(path, LB_DIMENSION_LIGHT);
    float probability;
    lb_light_place place;
    place.point = path->ray.origin;
    place.normal = path->normal = from;
    place.sides = path->sides = LB_LIGHT_ALL_ROUND;
    uint32_t number = lb_light_pick(scene, &place, &u, &probability);
    if (number == LB_NONE || !(probability > 0.0f))
        return;
    LB_QUAD_COPY(&sample, &path->ray);
    lb_light_draw(scene, number, path->ray.origin, u, &sample);
    if (!(sample.pdf > 0.0f))
        return;
    float phase = lb_phase(lb_dot(from, sample.direction), medium->g);
    sample.pdf *= probability;
    float scale = lb_path_weigh_later(&sample, phase, shadow) * phase / sample.pdf;
    shadow->contribution = lb_color_scale(lb_color_mul(path->throughput, sample.radiance), scale);
    shadow->ray = path->ray;
    shadow->ray.direction = sample.direction;
    shadow->ray.t_max = sample.distance * LB_SHADOW_END;
    shadow->ray.from_instance = LB_NONE;
    LB_GROUP_NOTE(shadow, scene, number);
    shadow->medium = path->medium;
    shadow->surfaces = 0;
    shadow->active = 1;
}

/* Lets the medium scatter the path at the distance `at` on its ray: samples a light and draws a new direction. False:
 * the path ends. */
LB_FUNCTION bool lb_volume_scatter(const lb_scene *scene, const lb_medium *medium, float at, lb_path *path,
                                   lb_volume *volume, lb_shadow *shadow, lb_counters *counters)
{
    if (path->depth >= scene->integrator.max_depth || lb_color_is_black(path->throughput))
        return false;
    counters->shaded++;
    lb_vec3 from = path->ray.direction;
    path->ray.origin = lb_add_scaled(path->ray.origin, from, at);
    path->ray.from = 0;
    volume->chances = volume->lights = lb_volume_balance(path->throughput);
    lb_volume_sample_light(scene, medium, path, from, shadow);
    volume->shadow_chances = volume->shadow_lights = volume->chances;
    lb_vec2 u = lb_path_draw_2d(path, LB_DIMENSION_DIRECTION);
    path->ray.direction = lb_normalize(lb_phase_sample(from, medium->g, u));
    path->pdf = lb_phase(lb_dot(from, path->ray.direction), medium->g);
    path->travelled = 0.0f;
    path->flags |= LB_PATH_ROUGH;
    path->depth++;
    return lb_path_survives(path);
}

/* What becomes of a path on its way through a medium. */
enum lb_volume_fate { LB_VOLUME_PASSES, LB_VOLUME_SCATTERS, LB_VOLUME_ENDS };

/* Takes the path through its medium towards the hit. */
LB_FUNCTION enum lb_volume_fate lb_volume_travel(const lb_scene *scene, lb_path *path, lb_volume *volume,
                                                 const lb_hit *hit, lb_shadow *shadow, lb_counters *counters)
{
    const lb_medium *medium = LB_ARRAY(scene, media, lb_medium) + path->medium;
    float distance = hit->primitive.shape == LB_NONE ? LB_INFINITY : hit->t, at;
    lb_sampler_to_way(&path->sampler, volume->ways++);
    lb_vec2 u = lb_sampler_2d(&path->sampler);
    if (medium->kind != LB_MEDIUM_HOMOGENEOUS) {
        if (lb_volume_varying(scene, medium, path, volume, u, distance, &at, counters))
            return lb_volume_scatter(scene, medium, at, path, volume, shadow, counters) ? LB_VOLUME_SCATTERS
                                                                                        : LB_VOLUME_ENDS;
        return lb_color_is_black(path->throughput) ? LB_VOLUME_ENDS : LB_VOLUME_PASSES;
    }
    if (path->depth < scene->integrator.max_depth && !lb_rgb_is_black(medium->emission)) {
        lb_color glow =
            lb_color_mul(path->throughput,
                         lb_medium_glow(medium, distance LB_AND_QUAD(scene) LB_AND_QUAD(path->ray.quad)));
        path->radiance = lb_color_add(path->radiance, glow);
        LB_GROUP_ADD(path, 0, glow);
    }
    if (lb_volume_homogeneous(lb_medium_extinction(medium LB_AND_QUAD(scene) LB_AND_QUAD(path->ray.quad)),
                              lb_color_of(scene, LB_QUAD_OF(&path->ray), medium->sigma_s), path, volume, u,
                              distance, &at))
        return lb_volume_scatter(scene, medium, at, path, volume, shadow, counters) ? LB_VOLUME_SCATTERS
                                                                                    : LB_VOLUME_ENDS;
    return lb_color_is_black(path->throughput) ? LB_VOLUME_ENDS : LB_VOLUME_PASSES;
}

/* Does what lb_path_shade does, in scenes where media do more than absorb. */
LB_INLINE bool lb_volume_shade(const lb_scene *scene, lb_path *path, lb_volume *volume, const lb_hit *hit,
                               lb_shadow *shadow, lb_counters *counters)
{
    shadow->active = 0;
    if (volume->probe.active != 0)
        return lb_volume_probe(scene, hit, path, volume, shadow, counters);
    if (path->medium != LB_NONE) {
        enum lb_volume_fate fate = lb_volume_travel(scene, path, volume, hit, shadow, counters);
        if (fate != LB_VOLUME_PASSES)
            return fate == LB_VOLUME_SCATTERS;
    }
    volume->shadow_chances = volume->shadow_lights = lb_volume_balance(path->throughput);
    volume->depth = path->depth;
    lb_ray ray = path->ray;
    uint32_t medium = path->medium;
    float scale = path->eta_scale;
    bool goes_on = lb_path_shade(scene, path, hit, shadow, counters);
    if (path->depth != volume->depth) /* otherwise it has passed an interface, and its way goes on */
        volume->chances = volume->lights = volume->shadow_chances;
    if (goes_on && scene->any_bssrdf)
        goes_on = lb_volume_enter(scene, &ray, hit, medium, scale, path, volume);
    return goes_on;
}

#endif
