/* Where light comes out again of what lies below a subsurface material: evenly, but for what the surface reflects. The
 * material itself is glass (core/kernel/materials/bsdf_dielectric.h); this is the second half of the light's way
 * through it. */
#ifndef LB_CORE_KERNEL_MATERIALS_BSDF_LEAVING_H
#define LB_CORE_KERNEL_MATERIALS_BSDF_LEAVING_H

#include "core/kernel/materials/bsdf_types.h"
#include "core/kernel/materials/fresnel.h"

/* The scattering function where light comes out at a surface of this shading normal, on whose side it comes out. */
LB_FUNCTION void lb_leaving_make(const lb_material *material, lb_vec3 n, lb_bsdf *bsdf)
{
    bsdf->kind = LB_MATERIAL_SUBSURFACE;
    bsdf->smooth = 0;
    bsdf->n = n;
    lb_basis(n, &bsdf->s, &bsdf->t);
    bsdf->wo = lb_vec3_make(0.0f, 0.0f, 1.0f);
    bsdf->eta = material->eta.value.r;
    bsdf->a = lb_color_grey(material->leaving);
}

LB_INLINE lb_color lb_leaving_part(const lb_bsdf *bsdf, lb_vec3 wi)
{
    return lb_color_scale(bsdf->a, 1.0f - lb_fresnel_dielectric(wi.z, bsdf->eta));
}

LB_SELDOM lb_color lb_leaving_evaluate(const lb_bsdf *bsdf, lb_vec3 wi, float *pdf)
{
    if (!(wi.z > 0.0f))
        return lb_color_grey(0.0f);
    *pdf = wi.z * LB_1_PI;
    return lb_color_scale(lb_leaving_part(bsdf, wi), *pdf);
}

LB_SELDOM bool lb_leaving_sample(const lb_bsdf *bsdf, lb_vec2 u, lb_scatter *scatter)
{
    lb_vec3 wi = lb_sample_cosine(u);
    lb_scatter_set(scatter, wi, lb_leaving_part(bsdf, wi), wi.z * LB_1_PI);
    return wi.z > 0.0f;
}

#endif
