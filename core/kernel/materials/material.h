/* Makes the scattering function of a material at a hit. Every texture is evaluated here, once for each vertex. */
#ifndef LB_CORE_KERNEL_MATERIALS_MATERIAL_H
#define LB_CORE_KERNEL_MATERIALS_MATERIAL_H

#include "core/kernel/materials/bsdf.h"
#include "core/kernel/materials/relief.h"

/* Returns k of a metal that is given by its reflectance at normal incidence; its eta is 1, as in pbrt. */
LB_INLINE float lb_conductor_k(float reflectance)
{
    return 2.0f * lb_sqrt(reflectance) / lb_sqrt(lb_max(0.0f, 1.0f - reflectance));
}

/* The microfacets that two inputs for roughness give. `regularize`: the path has scattered diffusely before. */
LB_OFTEN lb_microfacet lb_material_facets(const lb_scene *scene, const lb_material *material,
                                          const lb_input *uroughness, const lb_input *vroughness,
                                          const lb_texture_place *place, bool regularize)
{
    float u = lb_texture_float(scene, uroughness, place);
    float v = lb_texture_float(scene, vroughness, place);
    if (material->remap_roughness) {
        u = lb_sqrt(lb_max(0.0f, u));
        v = lb_sqrt(lb_max(0.0f, v));
    }
    lb_microfacet facets = lb_microfacet_make(u, v);
    return regularize ? lb_microfacet_regularize(facets) : facets;
}

/* Sets bsdf->a and b to eta and k of a metal. */
LB_OFTEN void lb_material_metal(const lb_scene *scene, const lb_material *material,
                                const lb_texture_place *place, lb_bsdf *bsdf)
{
    if (material->by_reflectance) {
        lb_color c = lb_color_clamp(lb_texture_color(scene, &material->reflectance, place), 0.0f, 0.9999f);
        bsdf->a = lb_color_grey(1.0f);
#define LB_LANE(l) lb_conductor_k(c.l)
        bsdf->b = LB_LANES(LB_LANE);
#undef LB_LANE
    } else {
        bsdf->a = lb_texture_color(scene, &material->eta, place);
        bsdf->b = lb_texture_color(scene, &material->k, place);
    }
}

/* Sets what is known of the layer under a coat. */
LB_OFTEN void lb_material_layer(const lb_scene *scene, const lb_material *material,
                                const lb_texture_place *place, lb_bsdf *bsdf)
{
    bsdf->thickness = lb_max(0.0f, lb_texture_float(scene, &material->thickness, place));
    bsdf->g = lb_clamp(lb_texture_float(scene, &material->g, place), -0.999f, 0.999f);
    bsdf->max_depth = material->max_depth;
    bsdf->samples = material->samples > 0 ? material->samples : 1u;
}

/* The absorption of eumelanin and pheomelanin. */
#ifdef LB_SPECTRAL
#define LB_EUMELANIN(scene, place, material)   lb_color_of(scene, (place)->quad, (material)->sigma_a.value)
#define LB_PHEOMELANIN(scene, place, material) lb_color_of(scene, (place)->quad, (material)->sigma_s.value)
#else
#define LB_EUMELANIN(scene, place, material)   lb_rgb_make(0.419f, 0.697f, 1.37f)
#define LB_PHEOMELANIN(scene, place, material) lb_rgb_make(0.187f, 0.4f, 1.05f)
#endif

/* The absorption in a hair over the length of its radius. */
LB_SELDOM lb_color lb_material_absorption(const lb_scene *scene, const lb_material *material,
                                          const lb_texture_place *place, float beta_n)
{
    if (material->hair_color == LB_HAIR_ABSORPTION)
        return lb_texture_color(scene, &material->sigma_a, place);
    if (material->hair_color == LB_HAIR_REFLECTANCE) {
        lb_color c = lb_texture_color(scene, &material->reflectance, place);
#define LB_LANE(l) lb_hair_absorption(c.l, beta_n)
        return LB_LANES(LB_LANE);
#undef LB_LANE
    }
    float eumelanin = lb_max(0.0f, lb_texture_float(scene, &material->eumelanin, place));
    float pheomelanin = lb_max(0.0f, lb_texture_float(scene, &material->pheomelanin, place));
    return lb_color_add(lb_color_scale(LB_EUMELANIN(scene, place, material), eumelanin),
                        lb_color_scale(LB_PHEOMELANIN(scene, place, material), pheomelanin));
}

LB_SELDOM void lb_material_hair(const lb_scene *scene, const lb_material *material,
                                const lb_texture_place *place, lb_bsdf *bsdf)
{
    float beta_n = lb_clamp(lb_texture_float(scene, &material->vroughness, place), 0.01f, 1.0f);
    float tilt = lb_texture_float(scene, &material->tilt, place) * (LB_PI / 180.0f);
    lb_hair_make(bsdf, 2.0f * place->uv.y - 1.0f, lb_texture_float(scene, &material->uroughness, place),
                 beta_n, tilt);
    bsdf->eta = lb_max(lb_texture_float(scene, &material->eta, place), 1e-3f);
    bsdf->a = lb_material_absorption(scene, material, place, beta_n);
}

/* Alpha of a roughness of the metallic material. */
LB_INLINE float lb_material_alpha(const lb_material *material, float roughness)
{
    float r = lb_clamp(roughness, 0.0f, 1.0f);
    return material->remap_roughness ? r * r : r;
}

/* The metallic material's facets, of an input for roughness. */
LB_INLINE lb_microfacet lb_material_round(const lb_scene *scene, const lb_material *material,
                                          const lb_input *roughness, const lb_texture_place *place,
                                          bool regularize)
{
    float alpha = lb_material_alpha(material, lb_texture_float(scene, roughness, place));
    lb_microfacet facets = lb_microfacet_make(alpha, alpha);
    return regularize ? lb_microfacet_regularize(facets) : facets;
}

/* A number from 0 to 1. */
LB_INLINE float lb_material_part(const lb_scene *scene, const lb_input *input, const lb_texture_place *place)
{
    return lb_clamp(lb_texture_float(scene, input, place), 0.0f, 1.0f);
}

/* The metallic material, but for its layers. What is known stands in memory, as above (lb_metallic_view). */
LB_SELDOM_JOINED void lb_material_metallic(const lb_scene *scene, const lb_material *material,
                                           const lb_texture_place *place, bool regularize, lb_bsdf *bsdf)
{
    bsdf->facets = lb_material_round(scene, material, &material->uroughness, place, regularize);
    bsdf->smooth = lb_microfacet_is_smooth(bsdf->facets);
    bsdf->a = lb_color_clamp(lb_texture_color(scene, &material->reflectance, place), 0.0f, 1.0f);
    bsdf->metal = lb_material_part(scene, &material->metallic, place);
    bsdf->transmission = lb_material_part(scene, &material->transmission, place);
    bsdf->f90 = lb_material_part(scene, &material->specular, place);
    bsdf->b = lb_texture_color(scene, &material->specular_color, place);
    bsdf->b = lb_metallic_f0(material->eta.value.r, bsdf->b, bsdf->f90);
    bsdf->eta = material->eta.value.r;
    bsdf->thin = material->thin;
    bsdf->albedos = LB_ARRAY(scene, tables, float) + material->albedos;
}

/* The layers above it. */
LB_SELDOM_JOINED void lb_material_layers(const lb_scene *scene, const lb_material *material,
                                         const lb_texture_place *place, bool regularize, lb_bsdf *bsdf)
{
    bsdf->base = lb_material_round(scene, material, &material->clearcoat_roughness, place, regularize);
    bsdf->metallic.coat = lb_material_part(scene, &material->clearcoat, place);
    bsdf->albedo = lb_color_clamp(lb_texture_color(scene, &material->sheen_color, place), 0.0f, 1.0f);
    bsdf->metallic.sheen_alpha = lb_sheen_alpha(
        lb_material_alpha(material, lb_texture_float(scene, &material->sheen_roughness, place)));
}

/* Does what lb_material_evaluate does, for kinds that few scenes have. */
LB_SELDOM void lb_material_evaluate_seldom(const lb_scene *scene, const lb_material *material,
                                           const lb_texture_place *place, bool regularize, lb_bsdf *bsdf)
{
    if (material->kind == LB_MATERIAL_HAIR) {
        lb_material_hair(scene, material, place, bsdf);
        return;
    }
    if (material->kind == LB_MATERIAL_METALLIC) {
        lb_material_metallic(scene, material, place, regularize, bsdf);
        lb_material_layers(scene, material, place, regularize, bsdf);
        return;
    }
    if (material->kind == LB_MATERIAL_SUBSURFACE) {
        bsdf->kind = LB_MATERIAL_DIELECTRIC;
        bsdf->eta = material->eta.value.r;
        bsdf->facets = lb_material_facets(scene, material, &material->uroughness, &material->vroughness,
                                          place, regularize);
        bsdf->smooth = lb_microfacet_is_smooth(bsdf->facets) || lb_index_is_matched(bsdf->eta);
        return;
    }
    if (material->kind == LB_MATERIAL_MEASURED) {
        bsdf->measured = LB_ARRAY(scene, measured, lb_measurement) + material->measured;
        bsdf->tables = LB_ARRAY(scene, tables, float);
#ifdef LB_SPECTRAL
        bsdf->lanes = bsdf->tables + bsdf->measured->lanes + 4 * place->quad;
#endif
        return;
    }
    if (material->kind == LB_MATERIAL_DIFFUSE_TRANSMISSION) {
        float scale = material->scale;
        bsdf->a = lb_color_clamp(
            lb_color_scale(lb_texture_color(scene, &material->reflectance, place), scale), 0.0f, 1.0f);
        bsdf->b = lb_color_clamp(
            lb_color_scale(lb_texture_color(scene, &material->transmittance, place), scale), 0.0f, 1.0f);
        bsdf->facets = lb_microfacet_make(1.0f, 1.0f);
        return;
    }
    lb_material_metal(scene, material, place, bsdf);
    bsdf->eta = material->coat_eta;
    bsdf->a = lb_color_scale(bsdf->a, 1.0f / bsdf->eta);
    bsdf->b = lb_color_scale(bsdf->b, 1.0f / bsdf->eta);
    bsdf->facets =
        lb_material_facets(scene, material, &material->uroughness, &material->vroughness, place, regularize);
    bsdf->smooth = lb_microfacet_is_smooth(bsdf->facets) || lb_index_is_matched(bsdf->eta);
    bsdf->base = lb_material_facets(scene, material, &material->base_uroughness, &material->base_vroughness,
                                    place, regularize);
    bsdf->base_smooth = lb_microfacet_is_smooth(bsdf->base);
    bsdf->albedo = lb_color_clamp(lb_texture_color(scene, &material->albedo, place), 0.0f, 1.0f);
    lb_material_layer(scene, material, place, bsdf);
}

/* Evaluates the material's textures at a place, all but those that turn the shading normal. */
LB_OFTEN void lb_material_evaluate(const lb_scene *scene, const lb_material *material,
                                   const lb_texture_place *place, bool regularize, lb_bsdf *bsdf)
{
    bsdf->kind = material->kind;
    bsdf->material = material;
    bsdf->smooth = 0;
    if (material->kind == LB_MATERIAL_DIFFUSE) {
        bsdf->a = lb_color_clamp(lb_texture_color(scene, &material->reflectance, place), 0.0f, 1.0f);
        return;
    }
    if (material->kind >= LB_MATERIAL_COATED_CONDUCTOR) {
        lb_material_evaluate_seldom(scene, material, place, regularize, bsdf);
        return;
    }
    if (material->kind == LB_MATERIAL_CONDUCTOR) {
        lb_material_metal(scene, material, place, bsdf);
    } else {
        bsdf->eta = material->eta.value.r > 0.0f ? material->eta.value.r : 1.0f;
    }
    if (material->kind == LB_MATERIAL_THIN_DIELECTRIC)
        return;
    bsdf->facets =
        lb_material_facets(scene, material, &material->uroughness, &material->vroughness, place, regularize);
    bsdf->smooth = lb_microfacet_is_smooth(bsdf->facets) ||
                   (material->kind != LB_MATERIAL_CONDUCTOR && lb_index_is_matched(bsdf->eta));
    if (material->kind == LB_MATERIAL_COATED_DIFFUSE) {
        bsdf->a = lb_color_clamp(lb_texture_color(scene, &material->reflectance, place), 0.0f, 1.0f);
        bsdf->b = lb_color_clamp(lb_texture_color(scene, &material->albedo, place), 0.0f, 1.0f);
        lb_material_layer(scene, material, place, bsdf);
        bsdf->coat =
            material->coat.count != 0 ? LB_ARRAY(scene, tables, float) + material->coat.offset : NULL;
    }
}

/* Sets the shading frame from bsdf->n. Its x axis matters only where roughness depends on it. `tangent` is the
 * direction of u where relief has turned it, else NULL. */
LB_FUNCTION void lb_material_frame(const lb_scene *scene, const lb_shape *shape, const lb_ray *ray,
                                   const lb_hit *hit, const lb_vec3 *tangent, lb_bsdf *bsdf)
{
    if (lb_bsdf_is_anisotropic(bsdf)) {
        bsdf->t = lb_cross(bsdf->n, tangent != NULL ? *tangent : lb_surface_dpdu(scene, shape, ray, hit));
        float length = lb_length(bsdf->t);
        if (length > 0.0f) {
            bsdf->t = lb_scale(bsdf->t, 1.0f / length);
            bsdf->s = lb_cross(bsdf->t, bsdf->n);
            return;
        }
    }
    lb_basis(bsdf->n, &bsdf->s, &bsdf->t);
}

/* The place where the material's textures are looked up. */
LB_INLINE lb_texture_place lb_material_place(const lb_scene *scene, const lb_material *material,
                                             const lb_shape *shape, const lb_surface *surface,
                                             const lb_ray *ray, const lb_hit *hit)
{
    lb_texture_place place;
    place.position = surface->position;
    place.normal = surface->ng;
    place.footprint = NULL;
    LB_QUAD_COPY(&place, ray);
    place.uv = lb_vec2_make(0.0f, 0.0f);
    if (scene->textures.count != 0 || material->flags != 0 || material->kind == LB_MATERIAL_HAIR)
        place.uv = lb_surface_uv(scene, shape, ray, hit);
    return place;
}

/* Makes the footprint where `ray` hit, with surface coordinates for a material that needs them. */
LB_SELDOM void lb_material_footprint(const lb_scene *scene, const lb_material *material,
                                     const lb_shape *shape, const lb_surface *surface, const lb_ray *ray,
                                     const lb_hit *hit, lb_footprint *footprint)
{
    lb_tangents tangents;
    *footprint = lb_footprint_make(scene, surface->position, surface->ng, ray->time);
    if ((material->flags & LB_MATERIAL_FILTERED) == 0)
        return;
    lb_surface_tangents(scene, shape, ray, hit, &tangents);
    footprint->duvdx.x = lb_tangent_change(tangents.dpdu, tangents.dpdv, footprint->dpdx);
    footprint->duvdx.y = lb_tangent_change(tangents.dpdv, tangents.dpdu, footprint->dpdx);
    footprint->duvdy.x = lb_tangent_change(tangents.dpdu, tangents.dpdv, footprint->dpdy);
    footprint->duvdy.y = lb_tangent_change(tangents.dpdv, tangents.dpdu, footprint->dpdy);
}

/* Fills in the second coordinates of a footprint that is made, which are `uv` again where a shape has none. */
LB_SELDOM void lb_material_second_uv(const lb_scene *scene, const lb_material *material,
                                     const lb_shape *shape, const lb_surface *surface, const lb_ray *ray,
                                     const lb_hit *hit, lb_vec2 uv, lb_footprint *footprint)
{
    lb_footprint other = *footprint;
    if ((shape->flags & LB_SHAPE_HAS_SECOND_UV) != 0) {
        lb_shape seen = *shape;
        seen.flags |= LB_SHAPE_HAS_UV;
        seen.first_uv = shape->first_second_uv;
        lb_material_footprint(scene, material, &seen, surface, ray, hit, &other);
        uv =
            lb_mesh_uv_from(scene, shape, shape->first_second_uv, hit->primitive.primitive, hit->b1, hit->b2);
    }
    footprint->second_uv = uv;
    footprint->second_dx = other.duvdx;
    footprint->second_dy = other.duvdy;
}

/* What is needed beyond that for a material with flags (enum lb_material_flags). */
typedef struct lb_material_extra {
    lb_footprint footprint;
    lb_vec3 tangent; /* the direction of u where relief has turned it */
    bool turned;     /* has it? */
} lb_material_extra;

/* Turns the shading normal n by the material's relief at a place whose footprint is known, and the direction of u; and
 * the normal of its clearcoat by that one's map, but on GPUs, whose kernels would spill registers then (unfit.c). */
LB_SELDOM_JOINED void lb_material_prepare(const lb_scene *scene, const lb_material *material,
                                          const lb_shape *shape, const lb_surface *surface, const lb_ray *ray,
                                          const lb_hit *hit, lb_material_extra *extra,
                                          const lb_texture_place *place, lb_vec3 *n, lb_vec3 *coat)
{
#ifdef __CUDA_ARCH__
    (void)coat;
#else
    if ((material->flags & LB_MATERIAL_COAT_MAPPED) != 0)
        lb_relief_coat(scene, material->coat_map, shape, surface, ray, hit, place, coat);
#endif
    if ((material->flags & (LB_MATERIAL_BUMPED | LB_MATERIAL_NORMAL_MAPPED)) == 0)
        return;
    lb_relief_turn(scene, material, shape, surface, ray, hit, place, n, &extra->tangent);
    extra->turned = true;
}

/* Chooses the one of a mix's materials that is seen here along `ray`; they may be mixes too. It does so by a hash, so
 * that the part of each is what `amount` says. `footprint` is the mix's. */
LB_SELDOM const lb_material *lb_material_choose(const lb_scene *scene, const lb_material *material,
                                                const lb_shape *shape, const lb_surface *surface,
                                                const lb_ray *ray, const lb_hit *hit,
                                                const lb_footprint *footprint)
{
    const lb_material *materials = LB_ARRAY(scene, materials, lb_material);
    lb_texture_place place = lb_material_place(scene, material, shape, surface, ray, hit);
    place.footprint = footprint;
    while (material->kind == LB_MATERIAL_MIX) {
        float amount = lb_texture_float(scene, &material->amount, &place);
        uint64_t hash = lb_hash_direction((uint64_t)(material - materials), surface->position);
        float part = (float)(lb_hash_direction(hash, ray->direction) >> 40) * 0x1p-24f;
        material = materials + material->mixed[part < amount ? 1 : 0];
    }
    return material;
}

/* What a path remembers of its way (lb_path.flags). */
enum lb_path_flags {
    /* It has scattered at something that is no mirror, so `regularize` takes effect. */
    LB_PATH_ROUGH = 1,
    /* It has scouts, which meet the lights that the camera sees (core/kernel/integrators/path_start.h). */
    LB_PATH_SCOUTED = 2,
    /* Times how many of them, at most LB_PATH_SCOUTS_MOST, are still to come. */
    LB_PATH_SCOUT = 4,
    LB_PATH_SCOUTS_MOST = 15,
    /* Times 1 + the number of its wavelength, where it has one (lb_path_wavelength). */
    LB_PATH_WAVELENGTH = 64
};

/* Prepares the kinds that need it, once frame and wo are known: by one call for all, as wave_shade spills registers
 * where there are two. */
LB_SELDOM void lb_bsdf_prepare(lb_bsdf *bsdf)
{
    if (bsdf->kind == LB_MATERIAL_METALLIC)
        lb_metallic_prepare(bsdf, bsdf->material->coat_is_bent ? bsdf->n : bsdf->metallic.coat_normal);
    else
        lb_coat_prepare(bsdf);
}

/* Makes the scattering function where `ray` hit, for light that goes towards where the ray comes from. `flags` are the
 * path's, or NULL for one at its start. False: the surface is seen edge-on and scatters nothing. */
LB_INLINE bool lb_bsdf_make(const lb_scene *scene, const lb_shape *shape, const lb_surface *surface,
                            const lb_ray *ray, const lb_hit *hit, const uint32_t *flags, lb_bsdf *bsdf)
{
    const lb_material *material = LB_ARRAY(scene, materials, lb_material) + shape->material;
    lb_material_extra extra;
    /* Footprints are made here, not in what uses them, and the path's flags are looked at late, as on GPUs less is live
     * across calls so. */
    if (material->kind == LB_MATERIAL_MIX) {
        lb_material_footprint(scene, material, shape, surface, ray, hit, &extra.footprint);
        material = lb_material_choose(scene, material, shape, surface, ray, hit, &extra.footprint);
    }
    lb_texture_place place = lb_material_place(scene, material, shape, surface, ray, hit);
    bsdf->n = surface->ns;
    bsdf->metallic.coat_normal = surface->ns; /* as it is before relief turns it */
    extra.turned = false;
    if (material->flags != 0) {
        lb_material_footprint(scene, material, shape, surface, ray, hit, &extra.footprint);
        if (LB_ON_CPUS((material->flags & LB_MATERIAL_SECOND_UV) != 0))
            lb_material_second_uv(scene, material, shape, surface, ray, hit, place.uv, &extra.footprint);
        place.footprint = &extra.footprint;
        lb_material_prepare(scene, material, shape, surface, ray, hit, &extra, &place, &bsdf->n,
                            &bsdf->metallic.coat_normal);
    }
    bool regularize = flags != NULL && scene->integrator.regularize && (*flags & LB_PATH_ROUGH) != 0;
    lb_material_evaluate(scene, material, &place, regularize, bsdf);
    lb_material_frame(scene, shape, ray, hit, extra.turned ? &extra.tangent : NULL, bsdf);
    bsdf->wo = lb_bsdf_local(bsdf, lb_negate(ray->direction));
    if (lb_abs(bsdf->wo.z) < 1e-7f)
        return false;
    if (bsdf->kind == LB_MATERIAL_COATED_DIFFUSE || bsdf->kind == LB_MATERIAL_METALLIC)
        lb_bsdf_prepare(bsdf);
    return true;
}

#endif
