/* Sends paths through media: until they collide with something that scatters them, or are through. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_VOLUME_TRAVEL_H
#define LB_CORE_KERNEL_INTEGRATORS_VOLUME_TRAVEL_H

#include "core/kernel/integrators/volume_tracking.h"

/* ---- homogeneous media ---- */

/* The light that a medium that glows adds on a way through it. */
LB_FUNCTION lb_color lb_medium_glow(const lb_medium *medium, float distance LB_AND_QUAD(const lb_scene *scene)
                                                                 LB_AND_QUAD(uint32_t quad))
{
    lb_color sigma = lb_medium_extinction(medium LB_AND_QUAD(scene) LB_AND_QUAD(quad)),
             passes = lb_beer_lanes(sigma, distance);
    lb_color sigma_a = lb_color_of(scene, quad, medium->sigma_a);
#define LB_LANE(l) sigma.l > 0.0f ? sigma_a.l / sigma.l : 0.0f
    lb_color part = LB_LANES(LB_LANE);
#undef LB_LANE
    return lb_color_mul(lb_color_mul(lb_color_of(scene, quad, medium->emission), part),
                        lb_color_sub(lb_color_grey(1.0f), passes));
}

/* Sends the path through a homogeneous medium of the extinction `sigma`, towards something at `distance`. True: it
 * collides at the distance `*at` with something that scatters it. */
LB_FUNCTION bool lb_volume_homogeneous(lb_color sigma, lb_color sigma_s, lb_path *path, lb_volume *volume,
                                       lb_vec2 u, float distance, float *at)
{
    if (lb_color_is_black(sigma_s)) {
        path->throughput = lb_color_mul(path->throughput, lb_beer_lanes(sigma, distance));
        return false;
    }
    /* The least of the three extinctions is subtracted, as it cancels; otherwise all three could be too small for
     * floats. */
    float least = lb_color_min(sigma);
    lb_color more = lb_color_sub(sigma, lb_color_grey(least));
    float extinction = lb_color_lane(sigma, lb_color_choose(volume->chances, u.y));
    *at = extinction > 0.0f ? -lb_log(1.0f - u.x) / extinction : LB_INFINITY;
    if (*at < distance) {
        lb_color passes = lb_beer_lanes(more, *at);
        lb_volume_advance(path, volume, lb_color_mul(passes, sigma_s), lb_color_mul(passes, sigma),
                          lb_color_grey(1.0f));
        return true;
    }
    lb_color passes = lb_beer_lanes(more, distance);
    lb_volume_advance(path, volume, passes, passes, lb_color_grey(lb_beer(-least, distance)));
    return false;
}

/* ---- media that vary ---- */

/* Adds the light that the medium sends from where the path has collided with the bound. */
LB_FUNCTION void lb_volume_glow(lb_path *path, const lb_volume *volume, const lb_medium_point *point,
                                lb_color passes, lb_color most)
{
    float mean = lb_color_average(lb_color_mul(volume->chances, lb_color_mul(passes, most)));
    if (!(mean > 0.0f))
        return;
    lb_color sent =
        lb_color_scale(lb_color_mul(point->sigma_a, lb_color_mul(passes, point->emission)), 1.0f / mean);
    lb_color glow = lb_color_mul(path->throughput, sent);
    path->radiance = lb_color_add(path->radiance, glow);
    LB_GROUP_ADD(path, 0, glow);
}

/* Does what lb_volume_homogeneous does, for a medium that varies. */
LB_FUNCTION bool lb_volume_varying(const lb_scene *scene, const lb_medium *medium, lb_path *path,
                                   lb_volume *volume, lb_vec2 u, float distance, float *at,
                                   lb_counters *counters)
{
    lb_tracking tracking;
    lb_medium_point point;
    lb_color passes, most, null;
    bool glows = path->depth < scene->integrator.max_depth;
    if (!lb_tracking_start(scene, medium, &path->ray, distance, volume->chances, u, &tracking))
        return false;
    while (lb_tracking_next(&tracking, &passes, counters)) {
        lb_tracking_look(scene, medium, &path->ray, &tracking, &point, &most, &null);
        if (glows && !lb_color_is_black(point.emission))
            lb_volume_glow(path, volume, &point, passes, most);
        lb_color found = lb_color_add(point.sigma_a, point.sigma_s);
        float whole = lb_color_lane(found, tracking.band), part = lb_color_lane(null, tracking.band);
        *at = tracking.walk.t;
        if (lb_random_1d(&volume->random) * (whole + part) < whole) {
            lb_volume_advance(path, volume, lb_color_mul(passes, point.sigma_s), lb_color_mul(passes, found),
                              lb_color_grey(1.0f));
            return true;
        }
        lb_color missed = lb_color_mul(passes, null);
        if (!lb_volume_advance(path, volume, missed, missed, lb_color_mul(passes, most)))
            return false;
        if (tracking.collisions > LB_MEDIUM_COLLISIONS) {
            path->throughput = lb_color_grey(0.0f);
            return false;
        }
        tracking.left = lb_optical_depth(lb_random_1d(&volume->random));
    }
    lb_volume_advance(path, volume, passes, passes, passes);
    return false;
}

#endif
