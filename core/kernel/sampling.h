/* Takes points of the unit square to disks, hemispheres and spheres. */
#ifndef LB_CORE_KERNEL_SAMPLING_H
#define LB_CORE_KERNEL_SAMPLING_H

#include "core/kernel/vec.h"

#define LB_1_4PI 0.07957747154594766788f

/* a where `first`, else b, without a branch, which would be mispredicted for half of all samples. */
LB_INLINE float lb_select(bool first, float a, float b)
{
    uint32_t mask = first ? 0xffffffffu : 0u;
    return lb_bits_float((lb_float_bits(a) & mask) | (lb_float_bits(b) & ~mask));
}

/* Sine and cosine of x eighths of a circle for |x| <= 1, within 1.5e-7, by minimax fits of our own. Samples are mapped
 * by them, as lb_sincos would be more precise than a sample. */
LB_INLINE void lb_sincos_eighths(float x, float *s, float *c)
{
    float q = x * x;
    *s = x * (0x1.921fb6p-1f + q * (-0x1.4abbbap-4f + q * (0x1.465ec6p-9f + q * -0x1.2d9bb8p-15f)));
    *c = 1.0f + q * (-0x1.3bd3ccp-2f + q * (0x1.03c1dcp-6f + q * (-0x1.55c57cp-12f + q * 0x1.d9c364p-19f)));
}

/* Sine and cosine of `turn` full circles, for `turn` from 0 to 1, within 2e-7. */
LB_INLINE void lb_sincos_turn(float turn, float *s, float *c)
{
    float eighths = 8.0f * turn;
    uint32_t quadrant = (uint32_t)(int32_t)(4.0f * lb_clamp(turn, 0.0f, 1.0f) + 0.5f);
    float sine, cosine;
    lb_sincos_eighths(eighths - 2.0f * (float)(int32_t)quadrant, &sine, &cosine);
    float a = lb_select((quadrant & 1u) != 0, cosine, sine),
          b = lb_select((quadrant & 1u) != 0, sine, cosine);
    *s = lb_bits_float(lb_float_bits(a) ^ (quadrant & 2u) << 30);
    *c = lb_bits_float(lb_float_bits(b) ^ ((quadrant + 1u) & 2u) << 30);
}

/* A point of the unit disk, uniformly: squares go to circles (Shirley, Chiu 1997). */
LB_OFTEN lb_vec2 lb_sample_disk(lb_vec2 u)
{
    float x = 2.0f * u.x - 1.0f, y = 2.0f * u.y - 1.0f;
    bool flat = lb_abs(x) > lb_abs(y);
    float radius = lb_select(flat, x, y), other = lb_select(flat, y, x), s, c;
    lb_sincos_eighths(other / lb_select(radius == 0.0f, 1.0f, radius), &s, &c);
    return lb_vec2_make(radius * lb_select(flat, c, s), radius * lb_select(flat, s, c));
}

/* A direction of the hemisphere around +z, with the density cosine / pi. */
LB_OFTEN lb_vec3 lb_sample_cosine(lb_vec2 u)
{
    lb_vec2 d = lb_sample_disk(u);
    return lb_vec3_make(d.x, d.y, lb_sqrt(lb_max(0.0f, 1.0f - d.x * d.x - d.y * d.y)));
}

/* A unit vector with the given z, turned about the axis by `turn`, 0 to 1, of a full circle. */
LB_INLINE lb_vec3 lb_vector_around(float z, float turn)
{
    float s, c;
    lb_sincos_turn(turn, &s, &c);
    float radius = lb_sqrt(lb_max(0.0f, 1.0f - z * z));
    return lb_vec3_make(radius * c, radius * s, z);
}

/* A direction of the unit sphere, uniformly. */
LB_FUNCTION lb_vec3 lb_sample_sphere(lb_vec2 u)
{
    return lb_vector_around(1.0f - 2.0f * u.x, u.y);
}

/* The power heuristic (Veach 1997): the weight of a sample that one technique drew with the density a and another,
 * which has one sample as well, would have drawn with the density b. */
LB_INLINE float lb_power_heuristic(float a, float b)
{
    if (!(b < 1e18f * a)) /* where squares would overflow, or a = 0 */
        return 0.0f;
    float ratio = b / a;
    return 1.0f / (1.0f + ratio * ratio);
}

#endif
