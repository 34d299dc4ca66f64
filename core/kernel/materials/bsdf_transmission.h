/* Diffuse transmission: a sheet that scatters light evenly to both of its sides. */
#ifndef LB_CORE_KERNEL_MATERIALS_BSDF_TRANSMISSION_H
#define LB_CORE_KERNEL_MATERIALS_BSDF_TRANSMISSION_H

#include "core/kernel/materials/bsdf_types.h"

/* The probability with which reflection is sampled, and not transmission. */
LB_INLINE float lb_transmission_reflects(const lb_bsdf *bsdf)
{
    float reflected = lb_color_max(bsdf->a), transmitted = lb_color_max(bsdf->b);
    return reflected > 0.0f ? reflected / (reflected + transmitted) : 0.0f;
}

LB_SELDOM lb_color lb_transmission_evaluate(const lb_bsdf *bsdf, lb_vec3 wi, float *pdf)
{
    float side = lb_transmission_reflects(bsdf), cosine = lb_abs(wi.z) * LB_1_PI;
    bool reflects = bsdf->wo.z * wi.z > 0.0f;
    lb_color part = reflects ? bsdf->a : bsdf->b;
    *pdf = 0.0f;
    if (!(lb_color_max(part) > 0.0f))
        return lb_color_grey(0.0f);
    *pdf = cosine * (reflects ? side : 1.0f - side);
    return lb_color_scale(part, cosine);
}

LB_SELDOM bool lb_transmission_sample(const lb_bsdf *bsdf, float lobe, lb_vec2 u, lb_scatter *scatter)
{
    float side = lb_transmission_reflects(bsdf);
    bool reflects = lobe < side;
    float probability = reflects ? side : 1.0f - side;
    lb_color part = reflects ? bsdf->a : bsdf->b;
    lb_vec3 wi = lb_sample_cosine(u);
    if (!(wi.z > 0.0f) || !(lb_color_max(part) > 0.0f))
        return false;
    float pdf = wi.z * LB_1_PI * probability;
    bool above = (bsdf->wo.z > 0.0f) == reflects;
    lb_scatter_set(scatter, above ? wi : lb_negate(wi), lb_color_scale(part, 1.0f / probability), pdf);
    scatter->transmitted = !reflects;
    return true;
}

#endif
