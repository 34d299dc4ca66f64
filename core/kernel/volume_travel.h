/* Ways through media: where a path collides, and what is left of its light. */
#ifndef LB_CORE_KERNEL_VOLUME_TRAVEL_H
#define LB_CORE_KERNEL_VOLUME_TRAVEL_H

#include "core/kernel/medium.h"
#include "core/kernel/volume_state.h"

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

/* What becomes of a path on its way through a medium. */
enum lb_volume_fate { LB_VOLUME_PASSES, LB_VOLUME_SCATTERS, LB_VOLUME_ENDS };

#endif
