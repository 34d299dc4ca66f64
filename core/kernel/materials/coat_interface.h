/* The dielectric coat of coated materials (core/kernel/materials/coat.h, coat_conductor.h): ways of light through it
 * and back from it. */
#ifndef LB_CORE_KERNEL_MATERIALS_COAT_INTERFACE_H
#define LB_CORE_KERNEL_MATERIALS_COAT_INTERFACE_H

#include "core/kernel/materials/bsdf_types.h"
#include "core/kernel/materials/fresnel.h"
#include "core/kernel/sampler.h"

/* What f is asked for: a direction that the material sampled, or one to a sampled light, for which pbrt weighs
 * otherwise (core/kernel/materials/coat.h). */
enum lb_coat_use { LB_COAT_SAMPLED, LB_COAT_LIT };

/* A coat and the layer below it. */
typedef struct lb_coat {
    lb_microfacet facets;
    bool smooth;
    float eta, thickness;
} lb_coat;

/* The coat of a material at a point. */
LB_INLINE lb_coat lb_coat_of(const lb_bsdf *bsdf)
{
    lb_coat coat;
    coat.facets = bsdf->facets;
    coat.smooth = bsdf->smooth != 0;
    coat.eta = bsdf->eta;
    coat.thickness = bsdf->thickness;
    return coat;
}

/* The part of light that a layer of this thickness, in mean free paths, lets through along w. */
LB_INLINE float lb_layer_passes(float thickness, lb_vec3 w)
{
    return lb_exp(-lb_abs(thickness / w.z));
}

/* Two random numbers in [0, 1). */
LB_INLINE lb_vec2 lb_random_2d(lb_random *random)
{
    lb_vec2 u;
    u.x = lb_random_1d(random);
    u.y = lb_random_1d(random);
    return u;
}

/* A way through the coat: the directions on both sides, the normal of the facet, and a weight, which is the part of the
 * light that goes this way over the density of drawing it. The factor 1 / eta^2 of radiance is left out. */
typedef struct lb_coat_way {
    lb_vec3 w, inside, h;
    float weight;
} lb_coat_way;

/* Draws a way through the coat for light from w above it. False: no light goes that way. */
LB_OFTEN bool lb_coat_enter(const lb_coat *coat, lb_vec3 w, lb_vec2 u, lb_coat_way *way)
{
    float relative;
    way->w = w;
    way->h = coat->smooth ? lb_vec3_make(0.0f, 0.0f, 1.0f) : lb_microfacet_sample(coat->facets, w, u);
    way->weight = 1.0f - lb_fresnel_dielectric(lb_dot(w, way->h), coat->eta);
    if (!(way->weight > 0.0f) || !lb_refract(w, way->h, coat->eta, &relative, &way->inside) ||
        !(way->inside.z * w.z < 0.0f))
        return false;
    if (!coat->smooth)
        way->weight *= lb_masking_ratio(lb_microfacet_lambda(coat->facets, w),
                                        lb_microfacet_lambda(coat->facets, way->inside));
    return true;
}

/* The factors that the densities of a way through rough facets have in common, seen from either side. */
LB_INLINE float lb_coat_way_facets(const lb_coat *coat, const lb_coat_way *way)
{
    float w_h = lb_dot(way->w, way->h), in_h = lb_dot(way->inside, way->h), bend = in_h + w_h / coat->eta;
    return lb_microfacet_d(coat->facets, way->h) * lb_abs(w_h * in_h) / (bend * bend);
}

/* The density with which lb_coat_enter draws a way through rough facets, by solid angle inside. */
LB_INLINE float lb_coat_way_pdf(const lb_coat *coat, const lb_coat_way *way)
{
    return lb_coat_way_facets(coat, way) * lb_microfacet_g1(coat->facets, way->w) / lb_abs(way->w.z);
}

/* pbrt's weight for sampled light that leaves through a rough coat on this way, after it was scattered below with the
 * density `scattered`. It would be 1 if pbrt's two densities of the way were the same. */
LB_FUNCTION float lb_coat_weighting(const lb_coat *coat, const lb_coat_way *way, float scattered)
{
    if (coat->smooth)
        return 1.0f;
    float both = lb_coat_way_facets(coat, way);
    float in = lb_coat_way_pdf(coat, way);
    float out =
        both * lb_microfacet_g1(coat->facets, way->inside) / (lb_abs(way->inside.z) * coat->eta * coat->eta);
    return lb_power_heuristic(in, scattered) + lb_power_heuristic(scattered, out);
}

/* Draws a direction into which the coat reflects light from below. w points to where the light comes from, so w.z < 0.
 * False: no light goes that way. */
LB_FUNCTION bool lb_coat_return(const lb_coat *coat, lb_vec3 w, lb_vec2 u, lb_vec3 *down, float *weight)
{
    lb_vec3 h = coat->smooth ? lb_vec3_make(0.0f, 0.0f, 1.0f) : lb_microfacet_sample(coat->facets, w, u);
    *weight = lb_fresnel_dielectric(lb_dot(w, h), coat->eta);
    *down = lb_reflect(w, h);
    if (!(down->z < 0.0f))
        return false;
    if (!coat->smooth)
        *weight *= lb_masking_ratio(lb_microfacet_lambda(coat->facets, w),
                                    lb_microfacet_lambda(coat->facets, *down));
    return true;
}

#endif
