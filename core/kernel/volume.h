/* Paths in scenes where some medium does more than absorb: the state machine of core/kernel/path.h with other steps
 * between surfaces, as in pbrt-v4's volpath integrator.
 *
 * Colours. Where a path collides in a medium is drawn by the extinction of one band of the three (red, green, blue),
 * which chance chooses. The path is then weighted by the mean of the densities that the three choices would have given
 * it (the single-sample balance heuristic, Veach 1997; "spectral MIS": Wilkie et al. 2014, Miller, Georgiev, Jarosz
 * 2019). Each vertex chooses anew, a band as likely as its part of the path's throughput there. In a medium that
 * scatters all light the sum of the three throughputs therefore never changes, whatever the extinctions are.
 * lb_volume.chances keeps the density that each choice would have given the way since the last vertex, relative to
 * their mean. lb_volume.lights keeps the same for light sampling, whose shadow rays take the same way. path->pdf
 * follows both, so that it can be compared with the density of light sampling as ever. */
#ifndef LB_CORE_KERNEL_VOLUME_H
#define LB_CORE_KERNEL_VOLUME_H

#include "core/kernel/body.h"
#include "core/kernel/medium.h"
#include "core/kernel/path.h"
#include "core/kernel/phase.h"

/* What a path in such a scene needs beyond lb_path and lb_shadow. */
typedef struct lb_volume {
    /* The densities of the way since the last vertex by the band that draws, with an average of 1: as a path's way, and
     * as a shadow ray's. */
    lb_rgb chances, lights;
    lb_rgb shadow_chances, shadow_lights; /* the same for the shadow ray */
    uint32_t ways;    /* how many ways through media there were, by which the sampler's dimensions go */
    uint32_t depth;   /* lb_path.depth before the last hit */
    lb_random random; /* for collisions, of which there may be any number */
    lb_body body;     /* the body that the path is in, where its medium is one */
} lb_volume;

/* The sampler's dimensions for ways through media begin here, beyond those of all vertices. */
#define LB_DIMENSION_WAY 0x40000000u

/* Begins for a path that lb_path_start has begun. */
LB_INLINE void lb_volume_start(lb_volume *volume, const lb_sampler *sampler)
{
    lb_random_start(&volume->random, sampler->key ^ sampler->sample);
    volume->chances = volume->lights = lb_rgb_grey(1.0f);
    volume->shadow_chances = volume->shadow_lights = lb_rgb_grey(1.0f);
    volume->ways = 0;
}

/* The throughput's colour with an average of 1, by which a vertex chooses a band. */
LB_INLINE lb_rgb lb_volume_balance(lb_rgb throughput)
{
    float average = lb_rgb_average(throughput);
    return average > 0.0f ? lb_rgb_scale(throughput, 1.0f / average) : lb_rgb_grey(1.0f);
}

/* Chooses a band by u in [0, 1), each as likely as `chances` say. */
LB_INLINE uint32_t lb_volume_band(lb_rgb chances, float u)
{
    float at = u * (chances.r + chances.g + chances.b);
    return at < chances.r ? 0 : at < chances.r + chances.g || !(chances.b > 0.0f) ? 1 : 2;
}

LB_INLINE float lb_rgb_band(lb_rgb colour, uint32_t band)
{
    return band == 0 ? colour.r : band == 1 ? colour.g : colour.b;
}

LB_INLINE float lb_rgb_min(lb_rgb a)
{
    return lb_min(lb_min(a.r, a.g), a.b);
}

/* Takes a path on. `through` is what is left of its light on the way; `chance` and `light` are the densities, by band,
 * with which the path and light sampling would have gone that way. All three are in the same unit, which cancels.
 * False: no light is left. */
LB_FUNCTION bool lb_volume_advance(lb_path *path, lb_volume *volume, lb_rgb through, lb_rgb chance,
                                   lb_rgb light)
{
    lb_rgb chances = lb_rgb_mul(volume->chances, chance), lights = lb_rgb_mul(volume->lights, light);
    float mean = lb_rgb_average(chances), mean_light = lb_rgb_average(lights);
    if (!(mean > 0.0f) || !lb_is_finite(mean)) {
        path->throughput = lb_rgb_grey(0.0f);
        return false;
    }
    path->throughput = lb_rgb_scale(lb_rgb_mul(path->throughput, through), 1.0f / mean);
    volume->chances = lb_rgb_scale(chances, 1.0f / mean);
    if (mean_light > 0.0f && lb_is_finite(mean_light)) {
        volume->lights = lb_rgb_scale(lights, 1.0f / mean_light);
        if (path->pdf > 0.0f)
            path->pdf = lb_max(path->pdf * (mean / mean_light), 1e-30f);
    } else {
        path->pdf = 0.0f; /* light sampling never goes that way */
    }
    return lb_rgb_max(path->throughput) > 0.0f;
}

/* ---- homogeneous media ---- */

/* The light that a medium that glows adds on a way through it. */
LB_FUNCTION lb_rgb lb_medium_glow(const lb_medium *medium, float distance)
{
    lb_rgb sigma = lb_medium_extinction(medium), passes = lb_beer_rgb(sigma, distance);
    lb_rgb part = lb_rgb_make(sigma.r > 0.0f ? medium->sigma_a.r / sigma.r : 0.0f,
                              sigma.g > 0.0f ? medium->sigma_a.g / sigma.g : 0.0f,
                              sigma.b > 0.0f ? medium->sigma_a.b / sigma.b : 0.0f);
    return lb_rgb_mul(lb_rgb_mul(medium->emission, part), lb_rgb_sub(lb_rgb_grey(1.0f), passes));
}

/* Sends the path through a homogeneous medium of the extinction `sigma`, towards something at `distance`. True: it
 * collides at the distance `*at` with something that scatters it. */
LB_FUNCTION bool lb_volume_homogeneous(lb_rgb sigma, lb_rgb sigma_s, lb_path *path, lb_volume *volume,
                                       lb_vec2 u, float distance, float *at)
{
    if (lb_rgb_is_black(sigma_s)) {
        path->throughput = lb_rgb_mul(path->throughput, lb_beer_rgb(sigma, distance));
        return false;
    }
    /* The least of the three extinctions is subtracted, as it cancels; otherwise all three could be too small for
     * floats. */
    float least = lb_rgb_min(sigma);
    lb_rgb more = lb_rgb_sub(sigma, lb_rgb_grey(least));
    float extinction = lb_rgb_band(sigma, lb_volume_band(volume->chances, u.y));
    *at = extinction > 0.0f ? -lb_log(1.0f - u.x) / extinction : LB_INFINITY;
    if (*at < distance) {
        lb_rgb passes = lb_beer_rgb(more, *at);
        lb_volume_advance(path, volume, lb_rgb_mul(passes, sigma_s), lb_rgb_mul(passes, sigma),
                          lb_rgb_grey(1.0f));
        return true;
    }
    lb_rgb passes = lb_beer_rgb(more, distance);
    lb_volume_advance(path, volume, passes, passes, lb_rgb_grey(lb_beer(-least, distance)));
    return false;
}

/* ---- media that vary ---- */

/* A way on which a path or shadow ray collides more often than this ends: the bounds are then far above the
 * densities. */
#define LB_MEDIUM_COLLISIONS 100000u

/* A walk through bounds on which collisions are drawn by one band (delta tracking: Woodcock et al. 1965). Collisions
 * with a bound are drawn as if the medium were as dense as the bound everywhere; each then is real only with the
 * probability that the true density has in it. */
typedef struct lb_tracking {
    lb_walk walk;
    lb_rgb unit; /* the extinction where the bound is 1 */
    lb_rgb more; /* the same less the least of its bands */
    /* Of the band that draws: its extinction where the bound is 1, and the optical depth to its next collision. */
    float drawn, left;
    float depth; /* the bound summed along the way since the last collision */
    uint32_t band, collisions;
} lb_tracking;

/* Draws an optical depth by u in [0, 1). */
LB_INLINE float lb_optical_depth(float u)
{
    return -lb_log(1.0f - u);
}

/* Starts a walk. u chooses the band that draws, and how far it goes first. False: the ray does not meet the medium
 * before `distance`. */
LB_FUNCTION bool lb_tracking_start(const lb_scene *scene, const lb_medium *medium, const lb_ray *ray,
                                   float distance, lb_rgb chances, lb_vec2 u, lb_tracking *tracking)
{
    tracking->unit = lb_medium_unit(medium);
    tracking->more = lb_rgb_sub(tracking->unit, lb_rgb_grey(lb_rgb_min(tracking->unit)));
    tracking->band = lb_volume_band(chances, u.y);
    tracking->drawn = lb_rgb_band(tracking->unit, tracking->band);
    tracking->left = lb_optical_depth(u.x);
    tracking->depth = 0.0f;
    tracking->collisions = 0;
    return lb_walk_start(scene, medium, ray, distance, &tracking->walk);
}

/* Goes on to the next collision with the bound, at walk.t: true. False: the way has come to its end. `*passes` is what
 * each band has left of the way since the last collision, in a unit that all bands share. */
LB_FUNCTION bool lb_tracking_next(lb_tracking *tracking, lb_rgb *passes, lb_counters *counters)
{
    bool collides, goes_on;
    do {
        uint32_t axis;
        float bound = lb_walk_bound(&tracking->walk), wall = lb_walk_exit(&tracking->walk, &axis);
        float way = lb_min(wall, tracking->walk.end) - tracking->walk.t, density = bound * tracking->drawn;
        counters->nodes++;
        collides = tracking->left < density * way;
        goes_on = false;
        if (collides) {
            float step = tracking->left / density;
            tracking->walk.t += step;
            tracking->depth += bound * step;
        } else {
            tracking->left -= density * way;
            tracking->depth += bound * way;
            goes_on = lb_walk_next(&tracking->walk, axis, wall);
        }
    } while (!collides && goes_on);
    *passes = lb_beer_rgb(tracking->more, tracking->depth);
    tracking->depth = 0.0f;
    tracking->collisions++;
    return collides;
}

/* Looks what the medium is where a walk has collided. `most` becomes the extinction that it was taken for, and `null`
 * the part of that which is not there. */
LB_FUNCTION void lb_tracking_look(const lb_scene *scene, const lb_medium *medium, const lb_ray *ray,
                                  const lb_tracking *tracking, lb_medium_point *point, lb_rgb *most,
                                  lb_rgb *null)
{
    lb_medium_at(scene, medium, lb_add_scaled(ray->origin, ray->direction, tracking->walk.t), point);
    *most = lb_rgb_scale(tracking->unit, lb_walk_bound(&tracking->walk));
    lb_rgb rest = lb_rgb_sub(*most, lb_rgb_add(point->sigma_a, point->sigma_s));
    *null = lb_rgb_make(lb_max(rest.r, 0.0f), lb_max(rest.g, 0.0f), lb_max(rest.b, 0.0f));
}

/* Adds the light that the medium sends from where the path has collided with the bound. */
LB_FUNCTION void lb_volume_glow(lb_path *path, const lb_volume *volume, const lb_medium_point *point,
                                lb_rgb passes, lb_rgb most)
{
    float mean = lb_rgb_average(lb_rgb_mul(volume->chances, lb_rgb_mul(passes, most)));
    if (!(mean > 0.0f))
        return;
    lb_rgb sent = lb_rgb_scale(lb_rgb_mul(point->sigma_a, lb_rgb_mul(passes, point->emission)), 1.0f / mean);
    path->radiance = lb_rgb_add(path->radiance, lb_rgb_mul(path->throughput, sent));
}

/* Does what lb_volume_homogeneous does, for a medium that varies. */
LB_FUNCTION bool lb_volume_varying(const lb_scene *scene, const lb_medium *medium, lb_path *path,
                                   lb_volume *volume, lb_vec2 u, float distance, float *at,
                                   lb_counters *counters)
{
    lb_tracking tracking;
    lb_medium_point point;
    lb_rgb passes, most, null;
    bool glows = path->depth < scene->integrator.max_depth;
    if (!lb_tracking_start(scene, medium, &path->ray, distance, volume->chances, u, &tracking))
        return false;
    while (lb_tracking_next(&tracking, &passes, counters)) {
        lb_tracking_look(scene, medium, &path->ray, &tracking, &point, &most, &null);
        if (glows && !lb_rgb_is_black(point.emission))
            lb_volume_glow(path, volume, &point, passes, most);
        lb_rgb found = lb_rgb_add(point.sigma_a, point.sigma_s);
        float whole = lb_rgb_band(found, tracking.band), part = lb_rgb_band(null, tracking.band);
        *at = tracking.walk.t;
        if (lb_random_1d(&volume->random) * (whole + part) < whole) {
            lb_volume_advance(path, volume, lb_rgb_mul(passes, point.sigma_s), lb_rgb_mul(passes, found),
                              lb_rgb_grey(1.0f));
            return true;
        }
        lb_rgb missed = lb_rgb_mul(passes, null);
        if (!lb_volume_advance(path, volume, missed, missed, lb_rgb_mul(passes, most)))
            return false;
        if (tracking.collisions > LB_MEDIUM_COLLISIONS) {
            path->throughput = lb_rgb_grey(0.0f);
            return false;
        }
        tracking.left = lb_optical_depth(lb_random_1d(&volume->random));
    }
    lb_volume_advance(path, volume, passes, passes, passes);
    return false;
}

/* ---- paths ---- */

/* Chooses a light and a direction towards it from where the medium scatters the path, which came in the direction
 * `from`, and prepares the shadow ray. */
LB_FUNCTION void lb_volume_sample_light(const lb_scene *scene, const lb_medium *medium, lb_path *path,
                                        lb_vec3 from, lb_shadow *shadow)
{
    lb_light_sample sample;
    float probability;
    lb_path_dimension(path, LB_DIMENSION_LIGHT);
    uint32_t number = lb_light_choose(scene, lb_sampler_1d(&path->sampler), &probability);
    if (number == LB_NONE || !(probability > 0.0f))
        return;
    lb_light_draw(scene, number, path->ray.origin, lb_sampler_2d(&path->sampler), &sample);
    if (!(sample.pdf > 0.0f))
        return;
    float phase = lb_phase(lb_dot(from, sample.direction), medium->g);
    sample.pdf *= probability;
    float scale = lb_path_weigh_later(&sample, phase, shadow) * phase / sample.pdf;
    shadow->contribution = lb_rgb_scale(lb_rgb_mul(path->throughput, sample.radiance), scale);
    shadow->ray = path->ray;
    shadow->ray.direction = sample.direction;
    shadow->ray.t_max = sample.distance * LB_SHADOW_END;
    shadow->ray.from_instance = LB_NONE;
    shadow->medium = path->medium;
    shadow->surfaces = 0;
    shadow->active = 1;
}

/* Lets the medium scatter the path at the distance `at` on its ray: samples a light and draws a new direction. False:
 * the path ends. */
LB_FUNCTION bool lb_volume_scatter(const lb_scene *scene, const lb_medium *medium, float at, lb_path *path,
                                   lb_volume *volume, lb_shadow *shadow, lb_counters *counters)
{
    if (path->depth >= scene->integrator.max_depth || lb_rgb_is_black(path->throughput))
        return false;
    counters->shaded++;
    lb_vec3 from = path->ray.direction;
    path->ray.origin = lb_add_scaled(path->ray.origin, from, at);
    path->ray.from = 0;
    volume->chances = volume->lights = lb_volume_balance(path->throughput);
    lb_volume_sample_light(scene, medium, path, from, shadow);
    volume->shadow_chances = volume->shadow_lights = volume->chances;
    lb_path_dimension(path, LB_DIMENSION_DIRECTION);
    path->ray.direction = lb_normalize(lb_phase_sample(from, medium->g, lb_sampler_2d(&path->sampler)));
    path->pdf = lb_phase(lb_dot(from, path->ray.direction), medium->g);
    path->travelled = 0.0f;
    path->flags |= LB_PATH_ROUGH;
    path->depth++;
    return lb_path_survives(path);
}

/* What becomes of a path on its way through a medium. */
enum lb_volume_fate { LB_VOLUME_PASSES, LB_VOLUME_SCATTERS, LB_VOLUME_ENDS };

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

/* Takes the path through its medium towards the hit. */
LB_FUNCTION enum lb_volume_fate lb_volume_travel(const lb_scene *scene, lb_path *path, lb_volume *volume,
                                                 const lb_hit *hit, lb_shadow *shadow, lb_counters *counters)
{
    const lb_medium *medium = LB_ARRAY(scene, media, lb_medium) + path->medium;
    float distance = hit->primitive.shape == LB_NONE ? LB_INFINITY : hit->t, at;
    path->sampler.dimension = LB_DIMENSION_WAY + volume->ways++;
    lb_vec2 u = lb_sampler_2d(&path->sampler);
    if (medium->kind == LB_MEDIUM_BODY)
        return lb_body_travel(path, volume, u, distance, counters);
    if (medium->kind != LB_MEDIUM_HOMOGENEOUS) {
        if (lb_volume_varying(scene, medium, path, volume, u, distance, &at, counters))
            return lb_volume_scatter(scene, medium, at, path, volume, shadow, counters) ? LB_VOLUME_SCATTERS
                                                                                        : LB_VOLUME_ENDS;
        return lb_rgb_is_black(path->throughput) ? LB_VOLUME_ENDS : LB_VOLUME_PASSES;
    }
    if (path->depth < scene->integrator.max_depth && !lb_rgb_is_black(medium->emission))
        path->radiance =
            lb_rgb_add(path->radiance, lb_rgb_mul(path->throughput, lb_medium_glow(medium, distance)));
    if (lb_volume_homogeneous(lb_medium_extinction(medium), medium->sigma_s, path, volume, u, distance, &at))
        return lb_volume_scatter(scene, medium, at, path, volume, shadow, counters) ? LB_VOLUME_SCATTERS
                                                                                    : LB_VOLUME_ENDS;
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

/* Does what lb_path_shade does, in scenes where media do more than absorb. */
LB_INLINE bool lb_volume_shade(const lb_scene *scene, lb_path *path, lb_volume *volume, const lb_hit *hit,
                               lb_shadow *shadow, lb_counters *counters)
{
    shadow->active = 0;
    if (path->medium != LB_NONE) {
        enum lb_volume_fate fate = lb_volume_travel(scene, path, volume, hit, shadow, counters);
        if (fate != LB_VOLUME_PASSES)
            return fate == LB_VOLUME_SCATTERS;
    }
    volume->shadow_chances = volume->shadow_lights = lb_volume_balance(path->throughput);
    volume->depth = path->depth;
    lb_ray ray = path->ray;
    uint32_t before = path->medium;
    bool goes_on = lb_path_shade(scene, path, hit, shadow, counters);
    if (path->depth != volume->depth) /* otherwise it has passed an interface, and its way goes on */
        volume->chances = volume->lights = volume->shadow_chances;
    if (goes_on && scene->any_body)
        lb_body_turn(scene, &ray, hit, before, path, volume);
    return goes_on;
}

/* ---- shadow rays ---- */

/* Takes a shadow ray on, as lb_volume_advance does a path. `through` is what is left of its light, and the density with
 * which a path would have gone that way; `light` is that of light sampling. */
LB_FUNCTION void lb_volume_dim_by(lb_volume *volume, lb_shadow *shadow, lb_rgb through, lb_rgb light)
{
    lb_rgb chances = lb_rgb_mul(volume->shadow_chances, through);
    lb_rgb lights = lb_rgb_mul(volume->shadow_lights, light);
    float mean = lb_rgb_average(lights);
    if (!(mean > 0.0f) || !lb_is_finite(mean)) {
        shadow->contribution = lb_rgb_grey(0.0f);
        return;
    }
    shadow->contribution = lb_rgb_scale(lb_rgb_mul(shadow->contribution, through), 1.0f / mean);
    shadow->ratio *= lb_rgb_average(chances) / mean;
    volume->shadow_chances = lb_volume_balance(chances);
    volume->shadow_lights = lb_rgb_scale(lights, 1.0f / mean);
}

/* Below this part of its light a shadow ray plays Russian roulette, in which it goes on with this probability. */
#define LB_SHADOW_DIM    0.1f
#define LB_SHADOW_CHANCE 0.25f

/* Takes from a shadow ray's light what a varying medium takes (ratio tracking: Novak, Selle, Jarosz 2014). */
LB_FUNCTION void lb_volume_dim_varying(const lb_scene *scene, const lb_medium *medium, lb_volume *volume,
                                       const lb_ray *ray, float distance, lb_shadow *shadow,
                                       lb_counters *counters)
{
    lb_tracking tracking;
    lb_medium_point point;
    lb_rgb passes, most, null;
    float full = lb_rgb_max(shadow->contribution);
    lb_vec2 u = lb_random_2d(&volume->random);
    if (!lb_tracking_start(scene, medium, ray, distance, volume->shadow_lights, u, &tracking))
        return;
    while (lb_tracking_next(&tracking, &passes, counters)) {
        lb_tracking_look(scene, medium, ray, &tracking, &point, &most, &null);
        lb_volume_dim_by(volume, shadow, lb_rgb_mul(passes, null), lb_rgb_mul(passes, most));
        float left = lb_rgb_max(shadow->contribution);
        if (!(left > 0.0f) || tracking.collisions > LB_MEDIUM_COLLISIONS) {
            shadow->contribution = lb_rgb_grey(0.0f);
            return;
        }
        if (left < LB_SHADOW_DIM * full) {
            bool lives = lb_random_1d(&volume->random) < LB_SHADOW_CHANCE;
            shadow->contribution = lb_rgb_scale(shadow->contribution, lives ? 1.0f / LB_SHADOW_CHANCE : 0.0f);
            if (!lives)
                return;
        }
        tracking.left = lb_optical_depth(lb_random_1d(&volume->random));
    }
    lb_volume_dim_by(volume, shadow, passes, passes);
}

/* Takes from a shadow ray's light what the medium takes on its way along `ray`. */
LB_FUNCTION void lb_volume_dim(const lb_scene *scene, const lb_medium *medium, lb_volume *volume,
                               const lb_ray *ray, float distance, lb_shadow *shadow, lb_counters *counters)
{
    if (medium->kind == LB_MEDIUM_BODY) { /* its surface lets no shadow ray out */
        shadow->contribution = lb_rgb_grey(0.0f);
        return;
    }
    if (medium->kind != LB_MEDIUM_HOMOGENEOUS) {
        lb_volume_dim_varying(scene, medium, volume, ray, distance, shadow, counters);
        return;
    }
    lb_rgb passes = lb_beer_rgb(lb_medium_extinction(medium), distance);
    if (lb_rgb_is_black(medium->sigma_s)) /* such a medium stops no path */
        shadow->contribution = lb_rgb_mul(shadow->contribution, passes);
    else
        lb_volume_dim_by(volume, shadow, passes, lb_rgb_grey(1.0f));
}

/* Does what lb_shadow_step does, in scenes where media do more than absorb. */
LB_FUNCTION bool lb_volume_shadow_step(const lb_scene *scene, lb_volume *volume, lb_shadow *shadow,
                                       const lb_hit *hit, lb_counters *counters)
{
    lb_ray ray = shadow->ray;
    float distance = lb_shadow_distance(shadow, hit);
    uint32_t medium = shadow->medium;
    bool goes_on = lb_shadow_cross(scene, shadow, hit);
    if (!shadow->active)
        return false;
    if (medium != LB_NONE)
        lb_volume_dim(scene, LB_ARRAY(scene, media, lb_medium) + medium, volume, &ray, distance, shadow,
                      counters);
    if (!goes_on)
        shadow->contribution = lb_rgb_scale(shadow->contribution, lb_power_heuristic(1.0f, shadow->ratio));
    return goes_on && !lb_rgb_is_black(shadow->contribution);
}

#endif
