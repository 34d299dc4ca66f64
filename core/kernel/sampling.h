/* Points of the unit square taken to disks, hemispheres and spheres. */
#ifndef LB_CORE_KERNEL_SAMPLING_H
#define LB_CORE_KERNEL_SAMPLING_H

#include "core/kernel/vec.h"

#define LB_1_4PI 0.07957747154594766788f

/* The unit disk, uniformly: squares go to circles (Shirley, Chiu 1997). */
LB_FUNCTION lb_vec2 lb_sample_disk(lb_vec2 u)
{
    float x = 2.0f * u.x - 1.0f, y = 2.0f * u.y - 1.0f;
    if (x == 0.0f && y == 0.0f)
        return lb_vec2_make(0.0f, 0.0f);
    bool flat = lb_abs(x) > lb_abs(y);
    float radius = flat ? x : y;
    float angle = flat ? (LB_PI / 4.0f) * (y / x) : LB_PI / 2.0f - (LB_PI / 4.0f) * (x / y);
    float s, c;
    lb_sincos(angle, &s, &c);
    return lb_vec2_make(radius * c, radius * s);
}

/* The hemisphere around +z with density cos / pi. */
LB_FUNCTION lb_vec3 lb_sample_cosine(lb_vec2 u)
{
    lb_vec2 d = lb_sample_disk(u);
    return lb_vec3_make(d.x, d.y, lb_sqrt(lb_max(0.0f, 1.0f - d.x * d.x - d.y * d.y)));
}

/* A unit vector with the given z, turned about the axis by `turn` of a full circle. */
LB_INLINE lb_vec3 lb_vector_around(float z, float turn)
{
    float s, c;
    lb_sincos(2.0f * LB_PI * turn, &s, &c);
    float radius = lb_sqrt(lb_max(0.0f, 1.0f - z * z));
    return lb_vec3_make(radius * c, radius * s, z);
}

/* The unit sphere, uniformly. */
LB_FUNCTION lb_vec3 lb_sample_sphere(lb_vec2 u)
{
    return lb_vector_around(1.0f - 2.0f * u.x, u.y);
}

/* The power heuristic of two techniques with one sample each (Veach 1997); a, b >= 0 are their densities. */
LB_INLINE float lb_power_heuristic(float a, float b)
{
    if (!(b < 1e18f * a)) /* squares that would overflow, or a = 0 */
        return 0.0f;
    float ratio = b / a;
    return 1.0f / (1.0f + ratio * ratio);
}

#endif
