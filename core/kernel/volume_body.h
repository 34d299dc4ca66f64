/* Paths within bodies, the media of subsurface materials: light scatters there without light sampling. */
#ifndef LB_CORE_KERNEL_VOLUME_BODY_H
#define LB_CORE_KERNEL_VOLUME_BODY_H

#include "core/kernel/phase.h"
#include "core/kernel/volume_travel.h"

/* A path that has no more than this part of its light left plays Russian roulette in a body. */
#define LB_BODY_DIM 0.25f

/* Lets a body scatter the path at the distance `at` on its ray. False: the path ends. */
LB_FUNCTION bool lb_body_scatter(float at, lb_path *path, lb_volume *volume, lb_counters *counters)
{
    lb_vec3 from = path->ray.direction;
    float left = lb_rgb_max(path->throughput) * path->eta_scale;
    if (!(left > 0.0f) || volume->ways > LB_MEDIUM_COLLISIONS)
        return false;
    if (left < LB_BODY_DIM) {
        if (lb_random_1d(&volume->random) >= left * (1.0f / LB_BODY_DIM))
            return false;
        path->throughput = lb_rgb_scale(path->throughput, LB_BODY_DIM / left);
    }
    counters->shaded++;
    path->ray.origin = lb_add_scaled(path->ray.origin, from, at);
    path->ray.from = 0;
    volume->body.fresh = 0;
    volume->chances = volume->lights = lb_volume_balance(path->throughput);
    path->ray.direction = lb_normalize(lb_phase_sample(from, volume->body.g, lb_random_2d(&volume->random)));
    path->pdf = 0.0f;
    path->travelled = 0.0f;
    path->flags |= LB_PATH_ROUGH;
    return true;
}

/* Sends the path to where the body scatters it first, which must be before `distance`. Returns how far that is. */
LB_FUNCTION float lb_body_begin(lb_path *path, lb_volume *volume, lb_vec2 u, float distance)
{
    lb_rgb sigma_s = volume->body.sigma_s, sigma = lb_rgb_add(volume->body.sigma_a, sigma_s);
    lb_rgb within = lb_rgb_sub(lb_rgb_grey(1.0f), lb_beer_rgb(sigma, distance));
    uint32_t band = lb_volume_band(volume->chances, u.y);
    float at = -lb_log(1.0f - u.x * lb_rgb_band(within, band)) / lb_rgb_band(sigma, band);
    at = lb_min(at, distance);
    lb_rgb passes = lb_beer_rgb(sigma, at);
    passes = lb_rgb_make(within.r > 0.0f ? passes.r / within.r : 0.0f,
                         within.g > 0.0f ? passes.g / within.g : 0.0f,
                         within.b > 0.0f ? passes.b / within.b : 0.0f);
    lb_volume_advance(path, volume, lb_rgb_mul(passes, sigma_s), lb_rgb_mul(passes, sigma),
                      lb_rgb_grey(1.0f));
    return at;
}

/* Takes the path through a body towards the surface at `distance`. */
LB_FUNCTION enum lb_volume_fate lb_body_travel(lb_path *path, lb_volume *volume, lb_vec2 u, float distance,
                                               lb_counters *counters)
{
    const lb_body *body = &volume->body;
    float at;
    if (body->fresh != 0 && lb_is_finite(distance) && !lb_rgb_is_black(body->sigma_s)) {
        at = lb_body_begin(path, volume, u, distance);
        return lb_body_scatter(at, path, volume, counters) ? LB_VOLUME_SCATTERS : LB_VOLUME_ENDS;
    }
    if (lb_volume_homogeneous(lb_rgb_add(body->sigma_a, body->sigma_s), body->sigma_s, path, volume, u,
                              distance, &at))
        return lb_body_scatter(at, path, volume, counters) ? LB_VOLUME_SCATTERS : LB_VOLUME_ENDS;
    return lb_rgb_is_black(path->throughput) ? LB_VOLUME_ENDS : LB_VOLUME_PASSES;
}

/* Is the medium of this number a body? */
LB_INLINE bool lb_body_holds(const lb_scene *scene, uint32_t medium)
{
    return medium != LB_NONE && LB_ARRAY(scene, media, lb_medium)[medium].kind == LB_MEDIUM_BODY;
}

/* Does what follows from a hit in a scene with bodies. `ray` is the one that hit, and `before` the medium that it was
 * in. */
LB_FUNCTION void lb_body_turn(const lb_scene *scene, const lb_ray *ray, const lb_hit *hit, uint32_t before,
                              lb_path *path, lb_volume *volume)
{
    if (!lb_body_holds(scene, path->medium))
        return;
    if (!lb_body_holds(scene, before)) {
        lb_body_look(scene, ray, hit, &volume->body);
        return;
    }
    /* The path was reflected inside a body. That is no vertex, but the next one must not draw the same numbers. */
    path->depth = volume->depth;
    path->sampler.key = lb_hash_combine(path->sampler.key, volume->ways);
}

#endif
