/* Metals reflect by microfacets, or as a mirror. */
#ifndef LB_CORE_KERNEL_MATERIALS_BSDF_CONDUCTOR_H
#define LB_CORE_KERNEL_MATERIALS_BSDF_CONDUCTOR_H

#include "core/kernel/materials/bsdf_types.h"
#include "core/kernel/materials/fresnel.h"

/* Sets h to the normal of the facets that reflect between wo and wi, on the upper side. False: there is none. */
LB_INLINE bool lb_half_vector(lb_vec3 wo, lb_vec3 wi, lb_vec3 *h)
{
    *h = lb_add(wo, wi);
    if (!(wo.z * wi.z > 0.0f) || !(lb_dot(*h, *h) > 0.0f))
        return false;
    *h = lb_normalize(*h);
    if (h->z < 0.0f)
        *h = lb_negate(*h);
    return true;
}

/* What lb_bsdf_evaluate does, with wi in the shading frame. So do all functions of this name in bsdf_*.h and
 * coat*.h. */
LB_OFTEN lb_color lb_conductor_evaluate(const lb_bsdf *bsdf, lb_vec3 wi, float *pdf)
{
    lb_vec3 wo = bsdf->wo, h;
    *pdf = 0.0f;
    if (bsdf->smooth || !lb_half_vector(wo, wi, &h))
        return lb_color_grey(0.0f);
    float lambda_o = lb_microfacet_lambda(bsdf->facets, wo),
          lambda_i = lb_microfacet_lambda(bsdf->facets, wi);
    float reflected = lb_microfacet_d(bsdf->facets, h) / (4.0f * lb_abs(wo.z));
    *pdf = reflected / (1.0f + lambda_o); /* the density of visible normals over 4 |wo.h| */
    return lb_color_scale(lb_fresnel_conductor_lanes(lb_abs(lb_dot(wo, h)), bsdf->a, bsdf->b),
                          reflected / (1.0f + lambda_o + lambda_i));
}

/* What lb_bsdf_sample does, with the direction in the shading frame. So do all functions of this name in bsdf_*.h and
 * coat*.h. */
LB_OFTEN bool lb_conductor_sample(const lb_bsdf *bsdf, lb_vec2 u, lb_scatter *scatter)
{
    lb_vec3 wo = bsdf->wo;
    if (bsdf->smooth) {
        lb_scatter_set(scatter, lb_vec3_make(-wo.x, -wo.y, wo.z),
                       lb_fresnel_conductor_lanes(lb_abs(wo.z), bsdf->a, bsdf->b), 0.0f);
        return true;
    }
    lb_vec3 h = lb_microfacet_sample(bsdf->facets, wo, u);
    lb_vec3 wi = lb_reflect(wo, h);
    if (!(wo.z * wi.z > 0.0f))
        return false;
    float lambda_o = lb_microfacet_lambda(bsdf->facets, wo),
          lambda_i = lb_microfacet_lambda(bsdf->facets, wi);
    lb_color fresnel = lb_fresnel_conductor_lanes(lb_abs(lb_dot(wo, h)), bsdf->a, bsdf->b);
    lb_scatter_set(scatter, wi, lb_color_scale(fresnel, lb_masking_ratio(lambda_o, lambda_i)),
                   lb_microfacet_d(bsdf->facets, h) / (4.0f * lb_abs(wo.z) * (1.0f + lambda_o)));
    return true;
}

#endif
