/* Shadow rays through media: what is left of a light's way to a path's vertex. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_VOLUME_SHADOW_H
#define LB_CORE_KERNEL_INTEGRATORS_VOLUME_SHADOW_H

#include "core/kernel/integrators/volume_tracking.h"

/* Takes a shadow ray on, as lb_volume_advance does a path. `through` is what is left of its light, and the density with
 * which a path would have gone that way; `light` is that of light sampling. */
LB_FUNCTION void lb_volume_dim_by(lb_volume *volume, lb_shadow *shadow, lb_color through, lb_color light)
{
    lb_color chances = lb_color_mul(volume->shadow_chances, through);
    lb_color lights = lb_color_mul(volume->shadow_lights, light);
    float mean = lb_color_average(lights);
    if (!(mean > 0.0f) || !lb_is_finite(mean)) {
        shadow->contribution = lb_color_grey(0.0f);
        return;
    }
    shadow->contribution = lb_color_scale(lb_color_mul(shadow->contribution, through), 1.0f / mean);
    shadow->ratio *= lb_color_average(chances) / mean;
    volume->shadow_chances = lb_volume_balance(chances);
    volume->shadow_lights = lb_color_scale(lights, 1.0f / mean);
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
    lb_color passes, most, null;
    float full = lb_color_max(shadow->contribution);
    lb_vec2 u = lb_random_2d(&volume->random);
    if (!lb_tracking_start(scene, medium, ray, distance, volume->shadow_lights, u, &tracking))
        return;
    while (lb_tracking_next(&tracking, &passes, counters)) {
        lb_tracking_look(scene, medium, ray, &tracking, &point, &most, &null);
        lb_volume_dim_by(volume, shadow, lb_color_mul(passes, null), lb_color_mul(passes, most));
        float left = lb_color_max(shadow->contribution);
        if (!(left > 0.0f) || tracking.collisions > LB_MEDIUM_COLLISIONS) {
            shadow->contribution = lb_color_grey(0.0f);
            return;
        }
        if (left < LB_SHADOW_DIM * full) {
            bool lives = lb_random_1d(&volume->random) < LB_SHADOW_CHANCE;
            shadow->contribution =
                lb_color_scale(shadow->contribution, lives ? 1.0f / LB_SHADOW_CHANCE : 0.0f);
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
    if (medium->kind != LB_MEDIUM_HOMOGENEOUS) {
        lb_volume_dim_varying(scene, medium, volume, ray, distance, shadow, counters);
        return;
    }
    lb_color passes =
        lb_beer_lanes(lb_medium_extinction(medium LB_AND_QUAD(scene) LB_AND_QUAD(ray->quad)), distance);
    if (lb_rgb_is_black(medium->sigma_s)) /* such a medium stops no path */
        shadow->contribution = lb_color_mul(shadow->contribution, passes);
    else
        lb_volume_dim_by(volume, shadow, passes, lb_color_grey(1.0f));
}

/* Does a shadow ray that met nothing end in a medium, at the place from which a light at infinity shines? A path that
 * scatters towards such a light never gets there through a medium without an end. pbrt weighs the light's sample
 * against that path's density all the same, without what the medium takes. So light is lost, and here too. */
LB_INLINE bool lb_shadow_ends_beyond(const lb_scene *scene, uint32_t medium, const lb_ray *ray,
                                     const lb_hit *hit)
{
    return hit->primitive.shape == LB_NONE && medium != LB_NONE &&
           ray->t_max == scene->light_distance * LB_SHADOW_END;
}

/* Does what lb_shadow_step does, in scenes where media do more than absorb. */
LB_FUNCTION bool lb_volume_shadow_step(const lb_scene *scene, lb_volume *volume, lb_shadow *shadow,
                                       const lb_hit *hit, lb_counters *counters)
{
    lb_ray ray = shadow->ray;
    float distance = lb_shadow_distance(shadow, hit);
    float ratio = shadow->ratio;
    uint32_t medium = shadow->medium;
    bool goes_on = lb_shadow_cross(scene, shadow, hit);
    if (!shadow->active)
        return false;
    if (medium != LB_NONE)
        lb_volume_dim(scene, LB_ARRAY(scene, media, lb_medium) + medium, volume, &ray, distance, shadow,
                      counters);
    if (!goes_on)
        shadow->contribution =
            lb_color_scale(shadow->contribution, lb_shadow_ends_beyond(scene, medium, &ray, hit)
                                                     ? 1.0f / (1.0f + ratio)
                                                     : lb_power_heuristic(1.0f, shadow->ratio));
    return goes_on && !lb_color_is_black(shadow->contribution);
}

#endif
