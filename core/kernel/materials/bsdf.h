/* Scattering at a surface: calls the functions of core/kernel/materials/bsdf_*.h and coat*.h that belong to the
 * material. */
#ifndef LB_CORE_KERNEL_MATERIALS_BSDF_H
#define LB_CORE_KERNEL_MATERIALS_BSDF_H

#include "core/kernel/materials/bsdf_conductor.h"
#include "core/kernel/materials/bsdf_dielectric.h"
#include "core/kernel/materials/bsdf_hair.h"
#include "core/kernel/materials/bsdf_leaving.h"
#include "core/kernel/materials/bsdf_measured.h"
#include "core/kernel/materials/bsdf_metallic.h"
#include "core/kernel/materials/bsdf_transmission.h"
#include "core/kernel/materials/coat.h"
#include "core/kernel/materials/coat_conductor.h"

/* Does the material scatter into single directions only? Then sampling lights is of no use. */
LB_INLINE bool lb_bsdf_is_specular(const lb_bsdf *bsdf)
{
    return bsdf->kind == LB_MATERIAL_THIN_DIELECTRIC ||
           (bsdf->smooth &&
            (bsdf->kind == LB_MATERIAL_CONDUCTOR || bsdf->kind == LB_MATERIAL_DIELECTRIC ||
             (bsdf->kind == LB_MATERIAL_COATED_CONDUCTOR && bsdf->base_smooth && !lb_coated_scatters(bsdf)) ||
             (bsdf->kind == LB_MATERIAL_METALLIC && lb_metallic_is_specular(bsdf))));
}

/* Which light the scattering function counts, as far as its normal tells. */
LB_INLINE uint32_t lb_bsdf_sides(const lb_bsdf *bsdf)
{
    switch ((enum lb_material_kind)bsdf->kind) {
    case LB_MATERIAL_DIFFUSE:
    case LB_MATERIAL_CONDUCTOR:
    case LB_MATERIAL_COATED_DIFFUSE:
    case LB_MATERIAL_COATED_CONDUCTOR:
    case LB_MATERIAL_MEASURED:
    case LB_MATERIAL_SUBSURFACE:
        return LB_LIGHT_ONE_SIDE;
    case LB_MATERIAL_DIELECTRIC:
    case LB_MATERIAL_THIN_DIELECTRIC:
    case LB_MATERIAL_DIFFUSE_TRANSMISSION:
        return LB_LIGHT_BOTH_SIDES;
    case LB_MATERIAL_METALLIC:
        return bsdf->transmission > 0.0f ? LB_LIGHT_BOTH_SIDES : LB_LIGHT_ONE_SIDE;
    case LB_MATERIAL_HAIR:
    case LB_MATERIAL_INTERFACE: /* these two scatter nothing themselves */
    case LB_MATERIAL_MIX:
        break;
    }
    return LB_LIGHT_ALL_ROUND;
}

/* Returns f(wo, wi) times |cosine of wi|, and in `*pdf` the density by solid angle with which lb_bsdf_sample draws wi,
 * both without what is specular. `world` is wi, a unit vector in world space, to a light that was sampled. */
LB_OFTEN lb_color lb_bsdf_evaluate(const lb_bsdf *bsdf, lb_vec3 world, float *pdf)
{
    lb_vec3 wi = lb_bsdf_local(bsdf, world);
    *pdf = 0.0f;
    switch ((enum lb_material_kind)bsdf->kind) {
    case LB_MATERIAL_DIFFUSE:
        if (!(bsdf->wo.z * wi.z > 0.0f))
            return lb_color_grey(0.0f);
        *pdf = lb_abs(wi.z) * LB_1_PI;
        return lb_color_scale(bsdf->a, *pdf);
    case LB_MATERIAL_CONDUCTOR:
        return lb_conductor_evaluate(bsdf, wi, pdf);
    case LB_MATERIAL_DIELECTRIC:
        return lb_dielectric_evaluate(bsdf, wi, pdf);
    case LB_MATERIAL_COATED_DIFFUSE:
        return lb_coat_evaluate(bsdf, wi, LB_COAT_LIT, pdf);
    case LB_MATERIAL_COATED_CONDUCTOR:
        return lb_coated_evaluate(bsdf, wi, pdf);
    case LB_MATERIAL_DIFFUSE_TRANSMISSION:
        return lb_transmission_evaluate(bsdf, wi, pdf);
    case LB_MATERIAL_HAIR:
        return lb_hair_evaluate(bsdf, wi, pdf);
    case LB_MATERIAL_MEASURED:
        return lb_measured_evaluate(bsdf, wi, pdf);
    case LB_MATERIAL_SUBSURFACE:
        return lb_leaving_evaluate(bsdf, wi, pdf);
    case LB_MATERIAL_METALLIC:
        return lb_metallic_evaluate(bsdf, wi, pdf);
    case LB_MATERIAL_THIN_DIELECTRIC: /* all of it is specular */
    case LB_MATERIAL_INTERFACE:       /* this one and the next scatter nothing themselves */
    case LB_MATERIAL_MIX:
        break;
    }
    return lb_color_grey(0.0f);
}

/* The same for a direction in which the path is to go on: there a coat is as bright as where the material draws. */
LB_INLINE lb_color lb_bsdf_evaluate_path(const lb_bsdf *bsdf, lb_vec3 world, float *pdf)
{
    if (bsdf->kind == LB_MATERIAL_COATED_DIFFUSE)
        return lb_coat_evaluate(bsdf, lb_bsdf_local(bsdf, world), LB_COAT_SAMPLED, pdf);
    return lb_bsdf_evaluate(bsdf, world, pdf);
}

/* Draws a direction, in world space, by the random numbers `lobe` and `u` in [0, 1). False: there is none, and the path
 * ends. */
LB_OFTEN bool lb_bsdf_sample(const lb_bsdf *bsdf, float lobe, lb_vec2 u, lb_scatter *scatter)
{
    bool sampled = false;
    switch ((enum lb_material_kind)bsdf->kind) {
    case LB_MATERIAL_DIFFUSE: {
        lb_vec3 wi = lb_sample_cosine(u);
        sampled = wi.z > 0.0f;
        lb_scatter_set(scatter, bsdf->wo.z < 0.0f ? lb_negate(wi) : wi, bsdf->a, wi.z * LB_1_PI);
        break;
    }
    case LB_MATERIAL_CONDUCTOR:
        sampled = lb_conductor_sample(bsdf, u, scatter);
        break;
    case LB_MATERIAL_DIELECTRIC:
        sampled = lb_dielectric_sample(bsdf, lobe, u, scatter);
        break;
    case LB_MATERIAL_THIN_DIELECTRIC:
        sampled = lb_thin_dielectric_sample(bsdf, lobe, scatter);
        break;
    case LB_MATERIAL_COATED_DIFFUSE:
        sampled = lb_coat_sample(bsdf, lobe, u, scatter);
        break;
    case LB_MATERIAL_COATED_CONDUCTOR:
        sampled = lb_coated_sample(bsdf, lobe, u, scatter);
        break;
    case LB_MATERIAL_DIFFUSE_TRANSMISSION:
        sampled = lb_transmission_sample(bsdf, lobe, u, scatter);
        break;
    case LB_MATERIAL_HAIR:
        sampled = lb_hair_sample(bsdf, lobe, u, scatter);
        break;
    case LB_MATERIAL_MEASURED:
        sampled = lb_measured_sample(bsdf, u, scatter);
        break;
    case LB_MATERIAL_SUBSURFACE:
        sampled = lb_leaving_sample(bsdf, u, scatter);
        break;
    case LB_MATERIAL_METALLIC:
        sampled = lb_metallic_sample(bsdf, lobe, u, scatter);
        break;
    case LB_MATERIAL_INTERFACE:
    case LB_MATERIAL_MIX:
        break;
    }
    if (sampled)
        scatter->direction = lb_bsdf_world(bsdf, scatter->direction);
    return sampled;
}

#endif
