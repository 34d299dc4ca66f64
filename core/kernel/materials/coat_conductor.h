/* Coated conductor: a dielectric coat, a thin layer below it that may absorb and scatter, and a metal. This is
 * pbrt-v4's layered material, estimated by random walks as it is there, as pbrt's pictures are the measure. Light that
 * leaves through a rough coat is found in two ways, by a direction that was drawn beforehand from wi (`out`) and by the
 * walk's own, which are weighted against each other. All random numbers are hashes of the directions, so that f is a
 * function of these. */
#ifndef LB_CORE_KERNEL_MATERIALS_COAT_CONDUCTOR_H
#define LB_CORE_KERNEL_MATERIALS_COAT_CONDUCTOR_H

#include "core/kernel/materials/bsdf_conductor.h"
#include "core/kernel/materials/bsdf_dielectric.h"
#include "core/kernel/materials/coat.h"

/* Light that goes from below the coat through its facets to wi above. */
typedef struct lb_coat_exit {
    float f;      /* the scattering function of that way, times |cosine of wi| */
    float pdf;    /* density of wi among the directions of what passes */
    float passed; /* the part of the light that the facet lets pass */
} lb_coat_exit;

/* `below` points to where the light comes from, so z < 0. Light that does not get out has f 0. */
LB_FUNCTION lb_coat_exit lb_coat_leave_rough(const lb_coat *coat, lb_vec3 below, lb_vec3 wi)
{
    lb_coat_exit way;
    lb_vec3 h = lb_add_scaled(below, wi, 1.0f / coat->eta);
    way.f = way.pdf = way.passed = 0.0f;
    if (!(lb_dot(h, h) > 0.0f) || below.z == 0.0f)
        return way;
    h = lb_normalize(h);
    if (h.z < 0.0f)
        h = lb_negate(h);
    float cosine_o = lb_dot(below, h), cosine_i = lb_dot(wi, h);
    if (!(cosine_o < 0.0f) || !(cosine_i > 0.0f)) /* the facets would be seen from behind */
        return way;
    float lambda_o = lb_microfacet_lambda(coat->facets, below),
          lambda_i = lb_microfacet_lambda(coat->facets, wi);
    float bend = cosine_i + cosine_o * coat->eta;
    float all =
        lb_microfacet_d(coat->facets, h) / lb_abs(below.z) * lb_abs(cosine_i * cosine_o) / (bend * bend);
    way.passed = 1.0f - lb_fresnel_dielectric(cosine_o, coat->eta);
    way.pdf = all / (1.0f + lambda_o);
    way.f = way.passed * all * coat->eta * coat->eta / (1.0f + lambda_o + lambda_i);
    return way;
}

/* The scattering function of the metal alone, without its coat. */
LB_INLINE lb_bsdf lb_coated_base(const lb_bsdf *bsdf)
{
    lb_bsdf base = *bsdf;
    base.kind = LB_MATERIAL_CONDUCTOR;
    base.facets = bsdf->base;
    base.smooth = bsdf->base_smooth;
    return base;
}

/* Does the layer scatter light? */
LB_INLINE bool lb_coated_scatters(const lb_bsdf *bsdf)
{
    return lb_color_max(bsdf->albedo) > 0.0f;
}

/* A walk below the coat, which gathers light from wi. */
typedef struct lb_coated_walk {
    lb_coat coat;
    lb_bsdf base;
    lb_vec3 wi;
    lb_coat_way out; /* a way from wi through the coat */
    float out_pdf;   /* the density of that way; it has none where the coat is smooth */
    /* The part that passes along it, over that density, times |cosine of wi| over the one inside. */
    float out_weight;
    lb_vec3 w;          /* the walk's direction of travel */
    float height;       /* its height above the metal, in mean free paths */
    lb_color beta, sum; /* its throughput, and the light gathered so far */
} lb_coated_walk;

/* Adds the light that comes down along `out` to where the walk is. There `part` of it is scattered into the walk's
 * direction, which is drawn with this density. */
LB_INLINE void lb_coated_add_out(lb_coated_walk *walk, float density, lb_color part)
{
    float weight = walk->coat.smooth ? 1.0f : lb_power_heuristic(walk->out_pdf, density);
    float passes = lb_layer_passes(walk->coat.thickness - walk->height, walk->out.inside);
    walk->sum = lb_color_add(
        walk->sum, lb_color_scale(lb_color_mul(walk->beta, part), weight * passes * walk->out_weight));
}

/* Adds the light that comes down against the walk's new direction. `density` is that with which it was drawn, 0 for a
 * mirror. */
LB_INLINE void lb_coated_add_own(lb_coated_walk *walk, float density)
{
    if (walk->coat.smooth || !(walk->w.z > 0.0f))
        return;
    lb_coat_exit way = lb_coat_leave_rough(&walk->coat, lb_negate(walk->w), walk->wi);
    if (!(way.f > 0.0f))
        return;
    float weight = density > 0.0f ? lb_power_heuristic(density, way.pdf) : 1.0f;
    float passes = lb_layer_passes(walk->coat.thickness - walk->height, walk->w);
    walk->sum = lb_color_add(walk->sum, lb_color_scale(walk->beta, weight * passes * way.f));
}

/* Goes on to the next border of the layer (false), or to a place where the layer's medium scatters (true). */
LB_FUNCTION bool lb_coated_advance(const lb_bsdf *bsdf, float *height, lb_vec3 w, lb_color *beta,
                                   lb_random *random)
{
    if (!lb_coated_scatters(bsdf)) {
        *beta = lb_color_scale(*beta, lb_layer_passes(bsdf->thickness, w));
        *height = w.z > 0.0f ? bsdf->thickness : 0.0f;
        return false;
    }
    float next = *height - lb_log(1.0f - lb_random_1d(random)) * w.z;
    if (next > 0.0f && next < bsdf->thickness) {
        *height = next;
        return true;
    }
    *height = w.z > 0.0f ? bsdf->thickness : 0.0f;
    return false;
}

/* Handles the walk's next event, which is a border of the layer or a scattering in it. False: the walk ends. */
LB_FUNCTION bool lb_coated_event(const lb_bsdf *bsdf, lb_coated_walk *walk, lb_random *random)
{
    lb_scatter scatter;
    if (lb_coated_advance(bsdf, &walk->height, walk->w, &walk->beta, random)) {
        float phase = lb_phase(-lb_dot(walk->w, walk->out.inside), bsdf->g);
        lb_coated_add_out(walk, phase, lb_color_scale(bsdf->albedo, phase));
        lb_vec3 before = walk->w;
        walk->w = lb_phase_sample(before, bsdf->g, lb_random_2d(random));
        walk->beta = lb_color_mul(walk->beta, bsdf->albedo);
        lb_coated_add_own(walk, lb_phase(lb_dot(before, walk->w), bsdf->g));
        return true;
    }
    if (walk->w.z > 0.0f) {
        lb_vec3 down;
        float weight;
        if (!lb_coat_return(&walk->coat, lb_negate(walk->w), lb_random_2d(random), &down, &weight))
            return false;
        walk->beta = lb_color_scale(walk->beta, weight);
        walk->w = down;
        return true;
    }
    walk->base.wo = lb_negate(walk->w);
    if (!walk->base.smooth) {
        float pdf;
        lb_color part = lb_conductor_evaluate(&walk->base, lb_negate(walk->out.inside), &pdf);
        lb_coated_add_out(walk, pdf, part);
    }
    if (!lb_conductor_sample(&walk->base, lb_random_2d(random), &scatter))
        return false;
    walk->beta = lb_color_mul(walk->beta, scatter.weight);
    walk->w = scatter.direction;
    lb_coated_add_own(walk, scatter.pdf);
    return true;
}

/* Plays Russian roulette with the walk's throughput, from its fifth event on. False: the walk ends. */
LB_INLINE bool lb_coated_survives(uint32_t step, lb_color *beta, lb_random *random)
{
    float largest = lb_color_max(*beta);
    if (!(largest > 0.0f))
        return false;
    if (step <= 3 || largest >= 0.25f)
        return true;
    if (lb_random_1d(random) >= largest)
        return false;
    *beta = lb_color_scale(*beta, 1.0f / largest);
    return true;
}

/* Estimates by one walk f |cosine of wi| of the light that enters the coat. Both directions are above the coat. */
LB_FUNCTION lb_color lb_coated_walk_once(const lb_bsdf *bsdf, lb_vec3 wo, lb_vec3 wi, lb_random *random)
{
    lb_coated_walk walk;
    lb_coat_way in;
    walk.sum = lb_color_grey(0.0f);
    walk.coat = lb_coat_of(bsdf);
    lb_vec2 u = lb_random_2d(random), v = lb_random_2d(random);
    if (!lb_coat_enter(&walk.coat, wo, u, &in) || !lb_coat_enter(&walk.coat, wi, v, &walk.out))
        return walk.sum;
    walk.base = lb_coated_base(bsdf);
    walk.wi = wi;
    walk.out_pdf = walk.coat.smooth ? 0.0f : lb_coat_way_pdf(&walk.coat, &walk.out);
    walk.out_weight = walk.out.weight * lb_abs(wi.z / walk.out.inside.z);
    walk.w = in.inside;
    walk.height = bsdf->thickness;
    walk.beta = lb_color_grey(in.weight / (bsdf->eta * bsdf->eta));
    for (uint32_t step = 0; step < bsdf->max_depth; step++)
        if (walk.w.z == 0.0f || !lb_coated_survives(step, &walk.beta, random) ||
            !lb_coated_event(bsdf, &walk, random))
            break;
    return walk.sum;
}

/* Estimates the density with which lb_coated_sample draws wi, as pbrt does: by ways with one reflection at the metal,
 * mixed with a tenth of an even density over the sphere. */
LB_FUNCTION float lb_coated_pdf(const lb_bsdf *bsdf, lb_vec3 wo, lb_vec3 wi)
{
    lb_coat coat = lb_coat_of(bsdf);
    lb_bsdf base = lb_coated_base(bsdf);
    lb_random random;
    lb_vec3 h;
    float sum = 0.0f;
    lb_random_start(&random, lb_hash_direction(lb_hash_direction(1, wi), wo));
    for (uint32_t i = 0; i < bsdf->samples; i++) {
        lb_coat_way in, out;
        lb_scatter scatter;
        lb_vec2 u = lb_random_2d(&random), v = lb_random_2d(&random), x = lb_random_2d(&random);
        if (!lb_coat_enter(&coat, wo, u, &in) || !lb_coat_enter(&coat, wi, v, &out))
            continue;
        float metal = 0.0f;
        base.wo = lb_negate(in.inside);
        lb_conductor_evaluate(&base, lb_negate(out.inside), &metal);
        if (coat.smooth) {
            sum += metal;
            continue;
        }
        if (!lb_conductor_sample(&base, x, &scatter))
            continue;
        lb_coat_exit way = lb_coat_leave_rough(&coat, lb_negate(scatter.direction), wi);
        float leaves = way.pdf * way.passed;
        if (base.smooth)
            sum += leaves;
        else
            sum += lb_power_heuristic(lb_coat_way_pdf(&coat, &out), metal) * metal +
                   lb_power_heuristic(scatter.pdf, leaves) * leaves;
    }
    sum /= (float)bsdf->samples;
    if (!coat.smooth && lb_half_vector(wo, wi, &h))
        sum +=
            lb_microfacet_d(coat.facets, h) / (4.0f * wo.z) / (1.0f + lb_microfacet_lambda(coat.facets, wo));
    return lb_mix(0.9f, LB_1_4PI, sum);
}

/* Returns f |cosine of wi| and sets the density of drawing wi. Both directions are above the coat. */
LB_FUNCTION lb_color lb_coated_evaluate_above(const lb_bsdf *bsdf, lb_vec3 wo, lb_vec3 wi, float *pdf)
{
    lb_color sum = lb_color_grey(0.0f);
    lb_random random;
    lb_vec3 h;
    lb_random_start(&random, lb_hash_direction(lb_hash_direction(0, wo), wi));
    for (uint32_t i = 0; i < bsdf->samples; i++)
        sum = lb_color_add(sum, lb_coated_walk_once(bsdf, wo, wi, &random));
    sum = lb_color_scale(sum, 1.0f / (float)bsdf->samples);
    *pdf = lb_coated_pdf(bsdf, wo, wi);
    if (!bsdf->smooth && lb_half_vector(wo, wi, &h)) {
        float lambdas = lb_microfacet_lambda(bsdf->facets, wo) + lb_microfacet_lambda(bsdf->facets, wi);
        float facets = lb_microfacet_d(bsdf->facets, h) / (4.0f * wo.z);
        float fresnel = lb_fresnel_dielectric(lb_dot(wo, h), bsdf->eta);
        sum = lb_color_add(sum, lb_color_grey(fresnel * facets / (1.0f + lambdas)));
    }
    return sum;
}

/* The same for a direction that the sampling of lights chose, on either side. */
LB_SELDOM lb_color lb_coated_evaluate(const lb_bsdf *bsdf, lb_vec3 wi, float *pdf)
{
    *pdf = 0.0f;
    /* Edge-on; lb_bsdf_make has the same limit for wo. */
    if (!(bsdf->wo.z * wi.z > 0.0f) || lb_abs(wi.z) < 1e-7f)
        return lb_color_grey(0.0f);
    /* Both sides are coated alike: seen from below, everything is turned over. */
    if (bsdf->wo.z < 0.0f)
        return lb_coated_evaluate_above(bsdf, lb_negate(bsdf->wo), lb_negate(wi), pdf);
    return lb_coated_evaluate_above(bsdf, bsdf->wo, wi, pdf);
}

/* Follows light from wo through the layers until it leaves them. False: it does not leave. The density in `scatter` is
 * 0 where it has met only mirrors, and has no other meaning yet. */
LB_FUNCTION bool lb_coated_follow(const lb_bsdf *bsdf, lb_vec3 wo, float lobe, lb_vec2 u, lb_scatter *scatter)
{
    lb_bsdf top = *bsdf, base = lb_coated_base(bsdf);
    lb_random random;
    top.kind = LB_MATERIAL_DIELECTRIC;
    top.wo = wo;
    if (!lb_dielectric_sample(&top, lobe, u, scatter) || lb_abs(scatter->direction.z) < 1e-7f)
        return false;
    if (!scatter->transmitted)
        return true;
    lb_color beta = scatter->weight;
    lb_vec3 w = scatter->direction;
    bool specular = scatter->pdf == 0.0f;
    float height = bsdf->thickness;
    uint64_t seed = (uint64_t)lb_float_bits(u.x) << 32 | lb_float_bits(u.y);
    lb_random_start(&random, lb_hash_combine(lb_hash_direction(lb_float_bits(lobe), wo), seed));
    for (uint32_t step = 0; step < bsdf->max_depth; step++) {
        if (w.z == 0.0f || !lb_coated_survives(step, &beta, &random))
            return false;
        if (lb_coated_advance(bsdf, &height, w, &beta, &random)) {
            w = lb_phase_sample(w, bsdf->g, lb_random_2d(&random));
            beta = lb_color_mul(beta, bsdf->albedo);
            specular = false;
            continue;
        }
        bool rises = w.z > 0.0f;
        float side = lb_random_1d(&random);
        lb_vec2 v = lb_random_2d(&random);
        top.wo = base.wo = lb_negate(w);
        if (rises ? !lb_dielectric_sample(&top, side, v, scatter) : !lb_conductor_sample(&base, v, scatter))
            return false;
        beta = lb_color_mul(beta, scatter->weight);
        w = scatter->direction;
        specular = specular && scatter->pdf == 0.0f;
        if (!rises || !scatter->transmitted)
            continue;
        lb_scatter_set(scatter, w, beta, specular ? 0.0f : 1.0f);
        return w.z >= 1e-7f;
    }
    return false;
}

LB_SELDOM bool lb_coated_sample(const lb_bsdf *bsdf, float lobe, lb_vec2 u, lb_scatter *scatter)
{
    bool below = bsdf->wo.z < 0.0f;
    lb_vec3 wo = below ? lb_negate(bsdf->wo) : bsdf->wo;
    if (!lb_coated_follow(bsdf, wo, lobe, u, scatter))
        return false;
    if (scatter->pdf > 0.0f)
        scatter->pdf = lb_coated_pdf(bsdf, wo, scatter->direction);
    if (below)
        scatter->direction = lb_negate(scatter->direction);
    return true;
}

#endif
