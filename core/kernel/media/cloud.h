/* The density of clouds, which is made of noise, as pbrt-v4 makes it. */
#ifndef LB_CORE_KERNEL_MEDIA_CLOUD_H
#define LB_CORE_KERNEL_MEDIA_CLOUD_H

#include "core/kernel/noise.h"
#include "core/kernel/scene/scene.h"

/* The gradient of the noise at p, by finite differences. */
LB_FUNCTION lb_vec3 lb_cloud_drift(const unsigned char *permutation, lb_vec3 p)
{
    const float delta = 0.01f;
    float here = lb_noise(permutation, p);
    return lb_vec3_make((lb_noise(permutation, lb_vec3_make(p.x + delta, p.y, p.z)) - here) / delta,
                        (lb_noise(permutation, lb_vec3_make(p.x, p.y + delta, p.z)) - here) / delta,
                        (lb_noise(permutation, lb_vec3_make(p.x, p.y, p.z + delta)) - here) / delta);
}

/* The density of a cloud, from 0 to 1, at a point of its space, where y is the height: from 1 below 0 to nothing above
 * 1. It is noise of five octaves, at points that two octaves of another noise have moved. */
LB_FUNCTION float lb_cloud_density(const lb_scene *scene, const lb_medium *medium, lb_vec3 p)
{
    const unsigned char *permutation = LB_ARRAY(scene, texels, unsigned char) + medium->permutation;
    lb_vec3 moved = lb_scale(p, medium->frequency);
    float weight = 0.05f * medium->wispiness, frequency = 10.0f, sum = 0.0f;
    uint32_t i;
    if (medium->wispiness > 0.0f)
        for (i = 0; i < 2; i++) {
            moved = lb_add_scaled(moved, lb_cloud_drift(permutation, lb_scale(moved, frequency)), weight);
            weight *= 0.5f;
            frequency *= 1.99f;
        }
    weight = 0.5f;
    frequency = 1.0f;
    for (i = 0; i < 5; i++) {
        sum += weight * lb_noise(permutation, lb_scale(moved, frequency));
        weight *= 0.5f;
        frequency *= 1.99f;
    }
    float density = lb_clamp((1.0f - p.y) * 4.5f * medium->amount * sum, 0.0f, 1.0f);
    return lb_clamp(density + 2.0f * lb_max(0.0f, 0.5f - p.y), 0.0f, 1.0f);
}

#endif
