/* Trowbridge and Reitz's distribution of microfacets (GGX), which may be anisotropic, with Smith's height-correlated
 * masking and shadowing. Directions are in a frame whose z axis is the surface's normal. */
#ifndef LB_CORE_KERNEL_MATERIALS_MICROFACET_H
#define LB_CORE_KERNEL_MATERIALS_MICROFACET_H

#include "core/kernel/sampling.h"

typedef struct lb_microfacet {
    float ax, ay; /* roughness alpha along x and y */
} lb_microfacet;

/* A surface of a smaller roughness alpha than this is a mirror, as in pbrt. */
#define LB_SMOOTH_ALPHA 1e-3f

LB_INLINE bool lb_microfacet_is_smooth(lb_microfacet m)
{
    return lb_max(m.ax, m.ay) < LB_SMOOTH_ALPHA;
}

/* Does an interface of this index not bend light? Then it counts as smooth whatever its roughness. pbrt does so for an
 * index of exactly 1, around which the densities of refracted directions grow without bound. */
LB_INLINE bool lb_index_is_matched(float eta)
{
    return lb_abs(eta - 1.0f) < 1e-4f;
}

/* Microfacets of this roughness, in which no alpha of a rough surface is too small to calculate with. */
LB_INLINE lb_microfacet lb_microfacet_make(float ax, float ay)
{
    lb_microfacet m;
    m.ax = ax;
    m.ay = ay;
    if (!lb_microfacet_is_smooth(m)) {
        m.ax = lb_max(ax, 1e-4f);
        m.ay = lb_max(ay, 1e-4f);
    }
    return m;
}

/* Microfacets that are roughened, for a path that has scattered diffusely before (pbrt's `regularize`). */
LB_INLINE lb_microfacet lb_microfacet_regularize(lb_microfacet m)
{
    if (m.ax < 0.3f)
        m.ax = lb_clamp(2.0f * m.ax, 0.1f, 0.3f);
    if (m.ay < 0.3f)
        m.ay = lb_clamp(2.0f * m.ay, 0.1f, 0.3f);
    return m;
}

/* The distribution D(h): the area of the facets with the normal h, by solid angle, on a unit of surface. */
LB_FUNCTION float lb_microfacet_d(lb_microfacet m, lb_vec3 h)
{
    float x = h.x / m.ax, y = h.y / m.ay;
    float s = x * x + y * y + h.z * h.z;
    return 1.0f / (LB_PI * m.ax * m.ay * s * s);
}

/* Smith's Lambda, which is infinite along the surface. */
LB_FUNCTION float lb_microfacet_lambda(lb_microfacet m, lb_vec3 w)
{
    float x = m.ax * w.x, y = m.ay * w.y, z2 = w.z * w.z;
    return 0.5f * (lb_sqrt(1.0f + (x * x + y * y) / z2) - 1.0f);
}

/* Smith's G1: the part of the facets that is visible from w. */
LB_INLINE float lb_microfacet_g1(lb_microfacet m, lb_vec3 w)
{
    return 1.0f / (1.0f + lb_microfacet_lambda(m, w));
}

/* Draws a normal that is visible from w, on the upper side (Dupuy, Benyoub 2023: the visible normals of a hemisphere
 * lie halfway to a spherical cap). */
LB_FUNCTION lb_vec3 lb_microfacet_sample(lb_microfacet m, lb_vec3 w, lb_vec2 u)
{
    if (w.z < 0.0f)
        w = lb_negate(w);
    lb_vec3 stretched = lb_normalize(lb_vec3_make(m.ax * w.x, m.ay * w.y, w.z));
    float z = (1.0f - u.x) * (1.0f + stretched.z) - stretched.z;
    lb_vec3 h = lb_add(lb_vector_around(z, u.y), stretched);
    return lb_normalize(lb_vec3_make(m.ax * h.x, m.ay * h.y, lb_max(1e-6f, h.z)));
}

#endif
