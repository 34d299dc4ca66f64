/* What lies below a subsurface material: a dense medium whose coefficients are those of the point where light went in,
 * so that textures may give them. Light is followed from one scattering to the next, as in any medium, but these do not
 * count as vertices, and no light is sampled at them, as none would come through the surface. What goes in scatters at
 * least once, also where the body is thin: pbrt's profiles, too, let no light straight through. */
#ifndef LB_CORE_KERNEL_BODY_H
#define LB_CORE_KERNEL_BODY_H

#include "core/kernel/material.h"

typedef struct lb_body {
    lb_rgb sigma_a, sigma_s;
    float g;
    uint32_t fresh; /* the path went in, and has not scattered yet */
} lb_body;

/* Mean free paths below this would leave floats no room between a surface and the scatterings behind it. */
#define LB_BODY_SHORTEST 1e-6f

/* The part of light that one scattering leaves, for a body that sends back `reflectance` of what goes in. */
LB_FUNCTION float lb_body_albedo(const float *albedos, float reflectance)
{
    float at = lb_clamp(reflectance, 0.0f, 1.0f) * (float)(LB_BODY_ALBEDOS - 1);
    float cell = lb_min(lb_floor(at), (float)(LB_BODY_ALBEDOS - 2));
    uint32_t i = (uint32_t)lb_to_int(cell);
    return lb_mix(at - cell, albedos[i], albedos[i + 1]);
}

LB_FUNCTION void lb_body_by_reflectance(const float *albedos, float scale, lb_rgb reflectance, lb_rgb mfp,
                                        lb_body *body)
{
    lb_rgb sigma = lb_rgb_make(1.0f / lb_max(mfp.r * scale, LB_BODY_SHORTEST),
                               1.0f / lb_max(mfp.g * scale, LB_BODY_SHORTEST),
                               1.0f / lb_max(mfp.b * scale, LB_BODY_SHORTEST));
    body->sigma_s = lb_rgb_make(sigma.r * lb_body_albedo(albedos, reflectance.r),
                                sigma.g * lb_body_albedo(albedos, reflectance.g),
                                sigma.b * lb_body_albedo(albedos, reflectance.b));
    body->sigma_a = lb_rgb_sub(sigma, body->sigma_s);
}

LB_INLINE lb_rgb lb_body_coefficient(lb_rgb sigma, float scale)
{
    sigma = lb_rgb_scale(sigma, scale);
    return lb_rgb_make(lb_clamp(sigma.r, 0.0f, 1.0f / LB_BODY_SHORTEST),
                       lb_clamp(sigma.g, 0.0f, 1.0f / LB_BODY_SHORTEST),
                       lb_clamp(sigma.b, 0.0f, 1.0f / LB_BODY_SHORTEST));
}

/* The body that `ray`, which hit a shape of a subsurface material, goes into. */
LB_FUNCTION void lb_body_look(const lb_scene *scene, const lb_ray *ray, const lb_hit *hit, lb_body *body)
{
    const lb_shape *shape = LB_ARRAY(scene, shapes, lb_shape) + hit->primitive.shape;
    const lb_material *material = LB_ARRAY(scene, materials, lb_material) + shape->material;
    lb_surface surface;
    lb_surface_make(scene, shape, ray, hit, &surface);
    lb_texture_place place = lb_material_place(scene, material, shape, &surface, ray, hit);
    body->g = material->g.value.r;
    body->fresh = 1;
    if (material->by_reflectance) {
        lb_rgb reflectance = lb_texture_rgb(scene, &material->reflectance, &place);
        lb_rgb mfp = lb_texture_rgb(scene, &material->mfp, &place);
        lb_body_by_reflectance(LB_ARRAY(scene, tables, float) + material->albedos, material->scale,
                               reflectance, mfp, body);
        return;
    }
    body->sigma_a = lb_body_coefficient(lb_texture_rgb(scene, &material->sigma_a, &place), material->scale);
    body->sigma_s = lb_body_coefficient(lb_texture_rgb(scene, &material->sigma_s, &place), material->scale);
}

#endif
