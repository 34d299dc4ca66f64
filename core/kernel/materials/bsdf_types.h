/* What a material is at one point, seen from one direction: all that the scattering functions of
 * core/kernel/materials/bsdf_*.h work with. They take directions in the shading frame, where z is the shading normal
 * and x the direction of u, and they return f times |cosine| of the direction of incident light. */
#ifndef LB_CORE_KERNEL_MATERIALS_BSDF_TYPES_H
#define LB_CORE_KERNEL_MATERIALS_BSDF_TYPES_H

#include "core/kernel/color.h"
#include "core/kernel/materials/microfacet.h"
#include "core/kernel/scene/scene.h"

/* What hair needs beyond that (core/kernel/materials/bsdf_hair.h). */
typedef struct lb_hair {
    float h;                          /* where across the hair the ray hits it, -1 to 1 */
    float variance, scale;            /* how wide the lobes are: along the hair, and around it */
    float sin_alpha[3], cos_alpha[3]; /* of 1, 2 and 4 times the tilt of the scales */
} lb_hair;

/* What the metallic material needs beyond that (core/kernel/materials/bsdf_metallic.h). It is as large as lb_hair:
 * where lb_bsdf is larger, shading needs more registers on GPUs than there are. */
typedef struct lb_metallic {
    float sheen_alpha;
    float coat;          /* the part of the surface that a clear coat covers, 0 to 1 */
    lb_vec3 coat_normal; /* in the shading frame */
    float chances[4];    /* the probability of each lobe (enum lb_metallic_lobe) */
} lb_metallic;

/* A material at a point. Members that a comment gives to some materials mean nothing for the others. */
typedef struct lb_bsdf {
    uint32_t kind; /* enum lb_material_kind */
    /* 1: a conductor, dielectric or the base of a metallic material is a mirror, or the coat of a coated one smooth */
    uint32_t smooth;
    lb_vec3 s, t, n; /* the shading frame in world space */
    lb_vec3 wo;      /* the direction that the light goes to, in that frame */
    lb_microfacet facets;
    float eta; /* dielectrics, metallic: the refractive index inside over the one outside */
    /* Diffuse: `a` is the reflectance. Diffuse transmission: reflectance and transmittance. Conductors: eta and k,
     * under a coat relative to its index. Coated diffuse: reflectance, and albedo of the layer. Metallic: base colour,
     * and what the dielectric part reflects at normal incidence. */
    lb_color a, b;
    union {
        float thickness; /* coated: of the layer, in mean free paths */
        float f90;       /* metallic: what the dielectric part reflects along the surface */
    };
    union {
        float g;     /* coated: of the layer's phase function */
        float metal; /* metallic: the part of it that is metal */
    };
    union {
        float reflected;    /* coated diffuse: the probability with which the coat's reflection is sampled */
        float transmission; /* metallic: the part of the dielectric that lets light through */
    };
    union {
        uint32_t max_depth; /* coated: the most events of a random walk */
        uint32_t thin;      /* metallic: 1: it is a thin wall */
    };
    uint32_t samples; /* coated: how many walks there are */
    union {
        const float *coat;    /* coated diffuse: the table of core/kernel/materials/coat.h, or NULL */
        const float *albedos; /* metallic: that of core/kernel/materials/albedo_table.h */
    };
    /* Coated conductor: the metal's facets, and whether these are a mirror. Metallic: the facets of the clear coat. */
    lb_microfacet base;
    uint32_t base_smooth;
    lb_color albedo; /* coated conductor: of the layer above the metal; metallic: the colour of sheen */
    union {
        lb_hair hair;         /* hair; its absorption is `a` */
        lb_metallic metallic; /* metallic */
    };
    union {
        const lb_measurement *measured; /* measured: where its tables are */
        const lb_material *material;    /* all others: what it was made of, which is no mix */
    };
    union {
        const float *tables; /* measured: the array that its tables' offsets count from */
        /* all others, in kernels where guides draw directions (core/kernel/guiding/led.h): the cell that does; NULL:
         * none does */
        const lb_guide_cell *cell;
    };
#ifdef LB_SPECTRAL
    const float *lanes; /* measured: of the path's wavelengths the numbers of lb_measurement.lanes */
#endif
} lb_bsdf;

/* Does it matter how the shading frame is turned about its normal? */
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

/* A direction that was sampled, in the shading frame. */
typedef struct lb_scatter {
    lb_vec3 direction;
    lb_color weight; /* f |cosine| / density */
    float pdf;       /* density by solid angle with which any lobe draws the direction; 0: it is specular */
    float eta; /* where it was transmitted: the index of the far side over that of the near one; else 1 */
    bool transmitted; /* did it go to the other side of the surface? */
} lb_scatter;

/* From world space to the shading frame. */
LB_INLINE lb_vec3 lb_bsdf_local(const lb_bsdf *bsdf, lb_vec3 w)
{
    return lb_vec3_make(lb_dot(w, bsdf->s), lb_dot(w, bsdf->t), lb_dot(w, bsdf->n));
}

/* From the shading frame to world space. */
LB_INLINE lb_vec3 lb_bsdf_world(const lb_bsdf *bsdf, lb_vec3 w)
{
    return lb_add(lb_add(lb_scale(bsdf->s, w.x), lb_scale(bsdf->t, w.y)), lb_scale(bsdf->n, w.z));
}

/* Sets a direction that was reflected. */
LB_INLINE void lb_scatter_set(lb_scatter *scatter, lb_vec3 direction, lb_color weight, float pdf)
{
    scatter->direction = direction;
    scatter->weight = weight;
    scatter->pdf = pdf;
    scatter->eta = 1.0f;
    scatter->transmitted = false;
}

/* Mirrors w at the unit vector n. */
LB_INLINE lb_vec3 lb_reflect(lb_vec3 w, lb_vec3 n)
{
    return lb_sub(lb_scale(n, 2.0f * lb_dot(w, n)), w);
}

/* G(wo, wi) / G1(wo) of Smith's height-correlated masking and shadowing, from the two lambdas. */
LB_INLINE float lb_masking_ratio(float lambda_o, float lambda_i)
{
    return (1.0f + lambda_o) / (1.0f + lambda_o + lambda_i);
}

#endif
