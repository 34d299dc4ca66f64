/* What a material is at one point, seen from one direction: all that the scattering functions of core/kernel/bsdf_*.h
 * work with. They see directions in the shading frame, where z is the shading normal and x the direction of u, and give
 * f times |cosine| of the incident direction. */
#ifndef LB_CORE_KERNEL_BSDF_TYPES_H
#define LB_CORE_KERNEL_BSDF_TYPES_H

#include "core/kernel/microfacet.h"
#include "core/kernel/scene.h"

/* What hair needs besides: core/kernel/bsdf_hair.h. */
typedef struct lb_hair {
    float h;                          /* where across the hair the ray hits it, -1 to 1 */
    float variance, scale;            /* of the lobes: along the hair, and the logistic one's around it */
    float sin_alpha[3], cos_alpha[3]; /* of the scales' tilt times 1, 2, 4 */
} lb_hair;

typedef struct lb_bsdf {
    uint32_t kind;   /* enum lb_material_kind */
    uint32_t smooth; /* conductor, dielectric: a mirror; coated: the coat is smooth */
    lb_vec3 s, t, n; /* the shading frame in world space */
    lb_vec3 wo;      /* where the light goes, in that frame; |z| >= 1e-7 */
    lb_microfacet facets;
    float eta; /* dielectrics: index of the inside over that of the outside */
    /* Diffuse: reflectance; diffuse transmission: reflectance, transmittance; conductors: eta, k, under a coat relative
     * to it; coated diffuse: reflectance, the layer's albedo. */
    lb_rgb a, b;
    float thickness, g;
    float reflected; /* coated diffuse: the probability with which its coat's reflection is sampled */
    uint32_t max_depth, samples;
    const float *coat; /* coated diffuse: the table of core/kernel/coat.h, or NULL */
    /* Coated conductor: of the metal, and of the layer above it. */
    lb_microfacet base;
    uint32_t base_smooth;
    lb_rgb albedo;
    lb_hair hair; /* whose absorption is `a` */
    /* Measured: its tables, and what their offsets count from. */
    const lb_measurement *measured;
    const float *tables;
} lb_bsdf;

/* Whether it depends on how the shading frame is turned about its normal. */
LB_INLINE bool lb_bsdf_is_anisotropic(const lb_bsdf *bsdf)
{
    if (bsdf->kind == LB_MATERIAL_DIFFUSE || bsdf->kind == LB_MATERIAL_THIN_DIELECTRIC)
        return false;
    if (bsdf->kind == LB_MATERIAL_HAIR)
        return true;
    if (bsdf->kind == LB_MATERIAL_MEASURED)
        return bsdf->measured->phis > 1;
    if (!bsdf->smooth && bsdf->facets.ax != bsdf->facets.ay)
        return true;
    return bsdf->kind == LB_MATERIAL_COATED_CONDUCTOR && !bsdf->base_smooth && bsdf->base.ax != bsdf->base.ay;
}

/* A sampled direction, in the shading frame. */
typedef struct lb_scatter {
    lb_vec3 direction;
    lb_rgb weight;    /* f |cosine| / density */
    float pdf;        /* density by solid angle of all ways to sample the direction; 0: specular */
    float eta;        /* transmitted: index of the far side over the near one's; else 1 */
    bool transmitted; /* to the other side of the surface */
} lb_scatter;

LB_INLINE lb_vec3 lb_bsdf_local(const lb_bsdf *bsdf, lb_vec3 w)
{
    return lb_vec3_make(lb_dot(w, bsdf->s), lb_dot(w, bsdf->t), lb_dot(w, bsdf->n));
}

LB_INLINE lb_vec3 lb_bsdf_world(const lb_bsdf *bsdf, lb_vec3 w)
{
    return lb_add(lb_add(lb_scale(bsdf->s, w.x), lb_scale(bsdf->t, w.y)), lb_scale(bsdf->n, w.z));
}

LB_INLINE void lb_scatter_set(lb_scatter *scatter, lb_vec3 direction, lb_rgb weight, float pdf)
{
    scatter->direction = direction;
    scatter->weight = weight;
    scatter->pdf = pdf;
    scatter->eta = 1.0f;
    scatter->transmitted = false;
}

/* w mirrored at the unit vector n. */
LB_INLINE lb_vec3 lb_reflect(lb_vec3 w, lb_vec3 n)
{
    return lb_sub(lb_scale(n, 2.0f * lb_dot(w, n)), w);
}

/* G(wo, wi) / G1(wo) of Smith's height-correlated masking and shadowing. */
LB_INLINE float lb_masking_ratio(float lambda_o, float lambda_i)
{
    return (1.0f + lambda_o) / (1.0f + lambda_o + lambda_i);
}

#endif
