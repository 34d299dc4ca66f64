/* What lies below the surface of a subsurface material: a dense medium, here called a body. Its coefficients are those
 * of the point where light went in, so that textures may give them. Light is followed from one scattering to the next,
 * as in any medium, but these scatterings do not count as vertices of the path, and no light is sampled at them, as
 * none would come through the surface. Light that goes in scatters at least once, even where the body is thin, as
 * pbrt's profiles do not let light straight through either. */
#ifndef LB_CORE_KERNEL_BODY_H
#define LB_CORE_KERNEL_BODY_H

#include "core/kernel/material.h"

/* The medium of one body, for the light that went in at one point. */
typedef struct lb_body {
    lb_rgb sigma_a, sigma_s; /* absorption and scattering per unit of length */
    float g;                 /* of the phase function, core/kernel/phase.h */
    uint32_t fresh;          /* 1: the path went in and has not scattered yet */
} lb_body;

/* The shortest mean free path, in units of the scene. Below it, floats have no room between a surface and the
 * scatterings behind it. */
#define LB_BODY_SHORTEST 1e-6f

/* The part of light that each scattering leaves, for a body that sends back `reflectance` of the light that goes in.
 * `albedos` is the table of LB_BODY_ALBEDOS entries that the loader made. */
LB_FUNCTION float lb_body_albedo(const float *albedos, float reflectance)
{
    float at = lb_clamp(reflectance, 0.0f, 1.0f) * (float)(LB_BODY_ALBEDOS - 1);
    float cell = lb_min(lb_floor(at), (float)(LB_BODY_ALBEDOS - 2));
    uint32_t i = (uint32_t)lb_to_int(cell);
    return lb_mix(at - cell, albedos[i], albedos[i + 1]);
}

/* Sets the coefficients from a reflectance and a mean free path, which `scale` multiplies. */
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

/* A coefficient that the scene gives, scaled, and kept in the range that LB_BODY_SHORTEST allows. */
LB_INLINE lb_rgb lb_body_coefficient(lb_rgb sigma, float scale)
{
    sigma = lb_rgb_scale(sigma, scale);
    return lb_rgb_make(lb_clamp(sigma.r, 0.0f, 1.0f / LB_BODY_SHORTEST),
                       lb_clamp(sigma.g, 0.0f, 1.0f / LB_BODY_SHORTEST),
                       lb_clamp(sigma.b, 0.0f, 1.0f / LB_BODY_SHORTEST));
}

/* Finds the body that light goes into where `ray` hit a shape of a subsurface material. */
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
