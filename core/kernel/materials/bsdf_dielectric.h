/* Glass: an interface that reflects and refracts, smooth or of microfacets (Walter et al. 2007), and a thin pane of it.
 * What is carried is radiance, which refraction divides by the square of the relative index. */
#ifndef LB_CORE_KERNEL_MATERIALS_BSDF_DIELECTRIC_H
#define LB_CORE_KERNEL_MATERIALS_BSDF_DIELECTRIC_H

#include "core/kernel/materials/bsdf_types.h"
#include "core/kernel/materials/fresnel.h"

LB_FUNCTION lb_color lb_dielectric_evaluate(const lb_bsdf *bsdf, lb_vec3 wi, float *pdf)
{
    lb_vec3 wo = bsdf->wo;
    *pdf = 0.0f;
    if (bsdf->smooth || wi.z == 0.0f)
        return lb_color_grey(0.0f);
    bool reflects = wi.z * wo.z > 0.0f;
    float relative = reflects ? 1.0f : wo.z > 0.0f ? bsdf->eta : 1.0f / bsdf->eta;
    lb_vec3 h = lb_add_scaled(wo, wi, relative);
    if (!(lb_dot(h, h) > 0.0f))
        return lb_color_grey(0.0f);
    h = lb_normalize(h);
    if (h.z < 0.0f)
        h = lb_negate(h);
    float cosine_o = lb_dot(wo, h), cosine_i = lb_dot(wi, h);
    if (cosine_o * wo.z < 0.0f || cosine_i * wi.z < 0.0f) /* the facet would be seen from behind */
        return lb_color_grey(0.0f);
    float fresnel = lb_fresnel_dielectric(cosine_o, bsdf->eta);
    float lambda_o = lb_microfacet_lambda(bsdf->facets, wo),
          lambda_i = lb_microfacet_lambda(bsdf->facets, wi);
    float facets = lb_microfacet_d(bsdf->facets, h) / lb_abs(wo.z);
    float all; /* all factors but masking */
    if (reflects) {
        all = fresnel * facets * 0.25f;
        *pdf = all / (1.0f + lambda_o);
    } else {
        float bend = cosine_i + cosine_o / relative;
        all = (1.0f - fresnel) * facets * lb_abs(cosine_i * cosine_o) / (bend * bend);
        *pdf = all / (1.0f + lambda_o);
        all /= relative * relative;
    }
    return lb_color_grey(all / (1.0f + lambda_o + lambda_i));
}

LB_FUNCTION bool lb_dielectric_sample_smooth(const lb_bsdf *bsdf, float lobe, lb_scatter *scatter)
{
    lb_vec3 wo = bsdf->wo;
    if (lobe < lb_fresnel_dielectric(wo.z, bsdf->eta)) {
        lb_scatter_set(scatter, lb_vec3_make(-wo.x, -wo.y, wo.z), lb_color_grey(1.0f), 0.0f);
        return true;
    }
    lb_vec3 wi;
    float relative;
    if (!lb_refract(wo, lb_vec3_make(0.0f, 0.0f, 1.0f), bsdf->eta, &relative, &wi))
        return false;
    lb_scatter_set(scatter, wi, lb_color_grey(1.0f / (relative * relative)), 0.0f);
    scatter->eta = relative;
    scatter->transmitted = true;
    return true;
}

/* `lobe` in [0, 1) decides between reflection and refraction. */
LB_OFTEN bool lb_dielectric_sample(const lb_bsdf *bsdf, float lobe, lb_vec2 u, lb_scatter *scatter)
{
    if (bsdf->smooth)
        return lb_dielectric_sample_smooth(bsdf, lobe, scatter);
    lb_vec3 wo = bsdf->wo;
    lb_vec3 h = lb_microfacet_sample(bsdf->facets, wo, u);
    float cosine_o = lb_dot(wo, h);
    float fresnel = lb_fresnel_dielectric(cosine_o, bsdf->eta);
    float lambda_o = lb_microfacet_lambda(bsdf->facets, wo);
    float facets = lb_microfacet_d(bsdf->facets, h) / (lb_abs(wo.z) * (1.0f + lambda_o));
    if (lobe < fresnel) {
        lb_vec3 wi = lb_reflect(wo, h);
        if (!(wo.z * wi.z > 0.0f))
            return false;
        float ratio = lb_masking_ratio(lambda_o, lb_microfacet_lambda(bsdf->facets, wi));
        lb_scatter_set(scatter, wi, lb_color_grey(ratio), fresnel * facets * 0.25f);
        return true;
    }
    lb_vec3 wi;
    float relative;
    if (!lb_refract(wo, h, bsdf->eta, &relative, &wi) || !(wo.z * wi.z < 0.0f))
        return false;
    float cosine_i = lb_dot(wi, h), bend = cosine_i + cosine_o / relative;
    float ratio = lb_masking_ratio(lambda_o, lb_microfacet_lambda(bsdf->facets, wi));
    lb_scatter_set(scatter, wi, lb_color_grey(ratio / (relative * relative)),
                   (1.0f - fresnel) * facets * lb_abs(cosine_i * cosine_o) / (bend * bend));
    scatter->eta = relative;
    scatter->transmitted = true;
    return true;
}

/* A pane so thin that its thickness does not show. What bounces between its faces is summed up. */
LB_FUNCTION bool lb_thin_dielectric_sample(const lb_bsdf *bsdf, float lobe, lb_scatter *scatter)
{
    lb_vec3 wo = bsdf->wo;
    float reflected = lb_fresnel_dielectric(lb_abs(wo.z), bsdf->eta);
    if (reflected < 1.0f) {
        float passed = 1.0f - reflected;
        reflected += passed * passed * reflected / (1.0f - reflected * reflected);
    }
    bool mirrors = lobe < reflected;
    lb_scatter_set(scatter, mirrors ? lb_vec3_make(-wo.x, -wo.y, wo.z) : lb_negate(wo), lb_color_grey(1.0f),
                   0.0f);
    scatter->transmitted = !mirrors;
    return true;
}

#endif
