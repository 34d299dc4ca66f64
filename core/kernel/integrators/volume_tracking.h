/* Draws where a way through a medium that varies collides (delta tracking: Woodcock et al. 1965). Collisions with a
 * bound are drawn as if the medium were as dense as the bound everywhere; each then is real only with the probability
 * that the true density has in it. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_VOLUME_TRACKING_H
#define LB_CORE_KERNEL_INTEGRATORS_VOLUME_TRACKING_H

#include "core/kernel/beer.h"
#include "core/kernel/media/medium_walk.h"
#include "core/kernel/integrators/volume_state.h"

/* A way on which a path or shadow ray collides more often than this ends: the bounds are then far above the
 * densities. */
#define LB_MEDIUM_COLLISIONS 100000u

/* A walk through bounds on which collisions are drawn by one band. */
typedef struct lb_tracking {
    lb_walk walk;
    lb_color unit; /* the extinction where the bound is 1 */
    lb_color more; /* the same less the least of its bands */
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
                                   float distance, lb_color chances, lb_vec2 u, lb_tracking *tracking)
{
    tracking->unit = lb_medium_unit(medium LB_AND_QUAD(scene) LB_AND_QUAD(ray->quad));
    tracking->more = lb_color_sub(tracking->unit, lb_color_grey(lb_color_min(tracking->unit)));
    tracking->band = lb_color_choose(chances, u.y);
    tracking->drawn = lb_color_lane(tracking->unit, tracking->band);
    tracking->left = lb_optical_depth(u.x);
    tracking->depth = 0.0f;
    tracking->collisions = 0;
    return lb_walk_start(scene, medium, ray, distance, &tracking->walk);
}

/* Goes on to the next collision with the bound, at walk.t: true. False: the way has come to its end. `*passes` is what
 * each band has left of the way since the last collision, in a unit that all bands share. */
LB_FUNCTION bool lb_tracking_next(lb_tracking *tracking, lb_color *passes, lb_counters *counters)
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
    *passes = lb_beer_lanes(tracking->more, tracking->depth);
    tracking->depth = 0.0f;
    tracking->collisions++;
    return collides;
}

/* Looks what the medium is where a walk has collided. `most` becomes the extinction that it was taken for, and `null`
 * the part of that which is not there. */
LB_FUNCTION void lb_tracking_look(const lb_scene *scene, const lb_medium *medium, const lb_ray *ray,
                                  const lb_tracking *tracking, lb_medium_point *point, lb_color *most,
                                  lb_color *null)
{
    lb_medium_at(scene, medium,
                 lb_add_scaled(ray->origin, ray->direction, tracking->walk.t) LB_AND_QUAD(ray->quad), point);
    *most = lb_color_scale(tracking->unit, lb_walk_bound(&tracking->walk));
    lb_color rest = lb_color_sub(*most, lb_color_add(point->sigma_a, point->sigma_s));
    *null = lb_color_clamp_low(rest);
}

#endif
