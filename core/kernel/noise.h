/* Perlin's improved gradient noise (2002), and sums of its octaves that have no more detail than pixels can show. */
#ifndef LB_CORE_KERNEL_NOISE_H
#define LB_CORE_KERNEL_NOISE_H

#include "core/kernel/vec.h"

/* How far apart the points lie that two neighbouring pixels show of a surface, along x and along y of the picture; both
 * are 0 where that is not known. */
typedef struct lb_footprint {
    lb_vec3 dpdx, dpdy;
    lb_vec2 duvdx, duvdy; /* the same in surface coordinates, for materials with LB_MATERIAL_FILTERED alone */
    /* The second coordinates of the surface, and the same in these, for materials with LB_MATERIAL_SECOND_UV alone. */
    lb_vec2 second_uv, second_dx, second_dy;
} lb_footprint;

/* The gradient at a corner of the lattice, times the way from there to the point. It is one of twelve, by the low bits
 * of a hash. */
LB_INLINE float lb_noise_gradient(const unsigned char *permutation, int32_t x, int32_t y, int32_t z,
                                  lb_vec3 way)
{
    uint32_t h = permutation[x & 255];
    h = permutation[(h + (uint32_t)y) & 255u];
    h = permutation[(h + (uint32_t)z) & 255u] & 15u;
    float u = h < 8 || h == 12 || h == 13 ? way.x : way.y;
    float v = h < 4 || h == 12 || h == 13 ? way.y : way.z;
    return ((h & 1u) != 0 ? -u : u) + ((h & 2u) != 0 ? -v : v);
}

/* Perlin's quintic weight, whose first two derivatives are 0 at 0 and 1. */
LB_INLINE float lb_noise_weight(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

/* Noise from about -1 to 1, which is 0 at the corners of the lattice. `permutation` holds 256 bytes. Beyond 2^30 it no
 * longer follows the lattice, of whose corners only every 64th is a float there. */
LB_FUNCTION float lb_noise(const unsigned char *permutation, lb_vec3 p)
{
    float x = lb_abs(p.x) < 0x1p30f ? p.x : 0.0f, y = lb_abs(p.y) < 0x1p30f ? p.y : 0.0f,
          z = lb_abs(p.z) < 0x1p30f ? p.z : 0.0f;
    int32_t ix = lb_to_int(lb_floor(x)), iy = lb_to_int(lb_floor(y)), iz = lb_to_int(lb_floor(z));
    lb_vec3 d = lb_vec3_make(x - (float)ix, y - (float)iy, z - (float)iz);
    float corners[8];
    for (int32_t i = 0; i < 8; i++) {
        int32_t right = i & 1, up = i >> 1 & 1, far = i >> 2;
        lb_vec3 way = lb_vec3_make(d.x - (float)right, d.y - (float)up, d.z - (float)far);
        corners[i] = lb_noise_gradient(permutation, ix + right, iy + up, iz + far, way);
    }
    float wx = lb_noise_weight(d.x), wy = lb_noise_weight(d.y), wz = lb_noise_weight(d.z);
    float near = lb_mix(wy, lb_mix(wx, corners[0], corners[1]), lb_mix(wx, corners[2], corners[3]));
    float far = lb_mix(wy, lb_mix(wx, corners[4], corners[5]), lb_mix(wx, corners[6], corners[7]));
    return lb_mix(wz, near, far);
}

/* A step from 0 below a to 1 above b, smooth in between. */
LB_INLINE float lb_smooth_step(float x, float a, float b)
{
    float t = lb_clamp((x - a) / (b - a), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/* How many octaves can be seen with pixels this far apart: with one more, the lattice would be finer than two
 * pixels. */
LB_FUNCTION float lb_noise_octaves(const lb_footprint *footprint, uint32_t most)
{
    float square = lb_max(lb_dot(footprint->dpdx, footprint->dpdx), lb_dot(footprint->dpdy, footprint->dpdy));
    if (!(square > 0.0f))
        return (float)most;
    return lb_clamp(-1.0f - 0.5f * lb_log(square) * 1.44269504088896340736f, 0.0f, (float)most);
}

/* The sum of several octaves. Each is 1.99 times as fine as the one before and has `roughness` times its weight, and
 * the last comes in gradually. `folded`: it is the sum of their absolute values, in which octaves that pixels cannot
 * show count with their mean. */
LB_FUNCTION float lb_noise_sum(const unsigned char *permutation, lb_vec3 p, const lb_footprint *footprint,
                               float roughness, uint32_t octaves, bool folded)
{
    float shown = lb_noise_octaves(footprint, octaves), sum = 0.0f, frequency = 1.0f, weight = 1.0f;
    uint32_t whole = (uint32_t)lb_to_int(lb_floor(shown)), i;
    for (i = 0; i < whole; i++) {
        float noise = lb_noise(permutation, lb_scale(p, frequency));
        sum += weight * (folded ? lb_abs(noise) : noise);
        frequency *= 1.99f;
        weight *= roughness;
    }
    float part = lb_smooth_step(shown - (float)whole, 0.3f, 0.7f);
    float noise = lb_noise(permutation, lb_scale(p, frequency));
    if (!folded)
        return sum + weight * part * noise;
    sum += weight * lb_mix(part, 0.2f, lb_abs(noise));
    for (i = whole; i < octaves; i++) {
        sum += weight * 0.2f;
        weight *= roughness;
    }
    return sum;
}

#endif
