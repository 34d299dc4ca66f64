/* Coated diffuse: a dielectric coat, a thin layer below it that may absorb and scatter, and a diffuse base. This is
 * pbrt-v4's layered material, which pbrt estimates by random walks. Here, what those converge to is computed as
 * directly as it can be. Where the layer does not scatter, the diffuse base forgets directions, so that
 *     f(wo, wi) = coat's reflection + T(wo) T(wi) / eta^2 * R / pi * sum over k of (R G)^k,
 * with T(w) the part of the light from w that reaches the base, R the base's reflectance, and G the part of what leaves
 * the base that the coat sends back to it. T and G are tabulated when a scene is loaded (lb_coat_tabulate). Where they
 * change over a surface they are estimated by one sample each, which keeps the expectation. Where the layer scatters,
 * there is a random walk. All random numbers are hashes of the two directions, so that f is a function of these.
 *
 * Light that is sampled makes pbrt's rough coats up to some 6 % brighter than that. The light that leaves through a
 * rough coat is found in two ways there, whose weights do not sum to one: the density of the second way is taken once
 * as that of the way in and once as that of the way out. pbrt's pictures are the measure, so for sampled light S(wi),
 * which is T weighted as there, stands in place of T(wi). Directions that the material itself samples are not affected,
 * there as here. */
#ifndef LB_CORE_KERNEL_MATERIALS_COAT_H
#define LB_CORE_KERNEL_MATERIALS_COAT_H

#include "core/kernel/materials/bsdf_conductor.h"
#include "core/kernel/materials/coat_table.h"
#include "core/kernel/materials/coat_walk.h"

/* Returns f of the light that the base scatters and the coat lets out, without the cosine. */
LB_OFTEN lb_color lb_coat_base(const lb_bsdf *bsdf, lb_vec3 wo, lb_vec3 wi, enum lb_coat_use use,
                               lb_random *random)
{
    lb_coat coat = lb_coat_of(bsdf);
    const float *table = bsdf->coat;
    bool tabulated = table != NULL;
    float both;
    if (tabulated && !coat.smooth) {
        both = lb_coat_table_pass(table, wo.z) *
               lb_coat_table_pass(use == LB_COAT_LIT ? table + LB_COAT_STEPS : table, wi.z);
    } else {
        lb_vec2 u = coat.smooth ? lb_vec2_make(0.0f, 0.0f) : lb_random_2d(random);
        lb_vec2 v = coat.smooth ? u : lb_random_2d(random);
        both = lb_coat_pass(&coat, wo, u, LB_COAT_SAMPLED) * lb_coat_pass(&coat, wi, v, use);
    }
    lb_color sum = lb_color_grey(0.0f),
             term = lb_color_scale(bsdf->a, both * LB_1_PI / (bsdf->eta * bsdf->eta));
    /* pbrt's walk, whose depth is limited, reaches the base at every second step. */
    for (uint32_t step = 0; step < bsdf->max_depth && lb_color_max(term) > 0.0f; step += 2) {
        sum = lb_color_add(sum, term);
        float back;
        if (tabulated) {
            back = table[LB_COAT_BACK];
        } else {
            lb_vec2 base = lb_random_2d(random);
            back = lb_coat_back(&coat, base, lb_random_2d(random));
        }
        term = lb_color_mul(lb_color_scale(term, back), bsdf->a);
    }
    return sum;
}

/* Mixes a direction's bits into a hash. */
LB_INLINE uint64_t lb_hash_direction(uint64_t seed, lb_vec3 w)
{
    seed = lb_hash_combine(seed, (uint64_t)lb_float_bits(w.x) << 32 | lb_float_bits(w.y));
    return lb_hash_combine(seed, lb_float_bits(w.z));
}

/* Returns f |cosine of wi| and sets the density of drawing wi, both without the mirror image in a smooth coat. Both
 * directions are above the coat. */
LB_FUNCTION lb_color lb_coat_evaluate_above(const lb_bsdf *bsdf, lb_vec3 wo, lb_vec3 wi, enum lb_coat_use use,
                                            float *pdf)
{
    lb_color sum;
    lb_random random;
    bool walks = lb_color_max(bsdf->b) > 0.0f && bsdf->thickness > 0.0f;
    lb_random_start(&random, walks || bsdf->coat == NULL ? lb_hash_direction(lb_hash_direction(0, wo), wi)
                                                         : (uint64_t)0);
    if (walks) {
        sum = lb_color_grey(0.0f);
        for (uint32_t i = 0; i < bsdf->samples; i++)
            sum = lb_color_add(sum, lb_coat_walk(bsdf, wo, wi, use, &random));
        sum = lb_color_scale(sum, 1.0f / (float)bsdf->samples);
    } else {
        sum = lb_coat_base(bsdf, wo, wi, use, &random);
    }
    sum = lb_color_scale(sum, wi.z);
    *pdf = (1.0f - bsdf->reflected) * wi.z * LB_1_PI;
    lb_vec3 h;
    if (!bsdf->smooth && lb_half_vector(wo, wi, &h)) {
        float lambda_o = lb_microfacet_lambda(bsdf->facets, wo),
              lambda_i = lb_microfacet_lambda(bsdf->facets, wi);
        float facets = lb_microfacet_d(bsdf->facets, h) / (4.0f * wo.z);
        float fresnel = lb_fresnel_dielectric(lb_dot(wo, h), bsdf->eta);
        *pdf += bsdf->reflected * facets / (1.0f + lambda_o);
        sum = lb_color_add(sum, lb_color_grey(fresnel * facets / (1.0f + lambda_o + lambda_i)));
    }
    return sum;
}

/* The same for a direction that the material did not draw, on either side. */
LB_FUNCTION lb_color lb_coat_evaluate(const lb_bsdf *bsdf, lb_vec3 wi, enum lb_coat_use use, float *pdf)
{
    *pdf = 0.0f;
    if (!(bsdf->wo.z * wi.z > 0.0f))
        return lb_color_grey(0.0f);
    /* Both sides are coated alike: seen from below, everything is turned over. */
    if (bsdf->wo.z < 0.0f)
        return lb_coat_evaluate_above(bsdf, lb_negate(bsdf->wo), lb_negate(wi), use, pdf);
    return lb_coat_evaluate_above(bsdf, bsdf->wo, wi, use, pdf);
}

/* Samples the coat's reflection with the probability bsdf->reflected, else the diffuse lobe. */
LB_OFTEN bool lb_coat_sample(const lb_bsdf *bsdf, float lobe, lb_vec2 u, lb_scatter *scatter)
{
    lb_vec3 wo = bsdf->wo, wi;
    bool below = wo.z < 0.0f;
    if (below)
        wo = lb_negate(wo);
    bool reflects = lobe < bsdf->reflected;
    if (reflects && bsdf->smooth) {
        float fresnel = lb_fresnel_dielectric(wo.z, bsdf->eta);
        wi = lb_vec3_make(-wo.x, -wo.y, wo.z);
        lb_scatter_set(scatter, below ? lb_negate(wi) : wi, lb_color_grey(fresnel / bsdf->reflected), 0.0f);
        return fresnel > 0.0f;
    }
    wi = reflects ? lb_reflect(wo, lb_microfacet_sample(bsdf->facets, wo, u)) : lb_sample_cosine(u);
    if (!(wi.z > 0.0f))
        return false;
    float pdf;
    lb_color f = lb_coat_evaluate_above(bsdf, wo, wi, LB_COAT_SAMPLED, &pdf);
    if (!(pdf > 0.0f))
        return false;
    lb_scatter_set(scatter, below ? lb_negate(wi) : wi, lb_color_scale(f, 1.0f / pdf), pdf);
    return true;
}

/* Sets bsdf->reflected, from how much light the coat reflects, and how much everything below it may reflect at most. */
LB_FUNCTION void lb_coat_prepare(lb_bsdf *bsdf)
{
    float cosine = lb_abs(bsdf->wo.z);
    float coat = lb_fresnel_dielectric(cosine, bsdf->eta);
    if (bsdf->coat != NULL && bsdf->coat[LB_COAT_ALPHA] != bsdf->facets.ax)
        bsdf->coat = NULL; /* the table is for another roughness: this vertex was roughened */
    if (bsdf->coat != NULL && !bsdf->smooth)
        coat = 1.0f - lb_coat_table_pass(bsdf->coat, cosine);
    float rest = (1.0f - coat) * lb_max(lb_color_max(bsdf->a), lb_color_max(bsdf->b));
    bsdf->reflected = rest > 0.0f ? lb_clamp(coat / (coat + rest), 0.05f, 0.9f) : 1.0f;
    if (bsdf->smooth && coat == 0.0f)
        bsdf->reflected = 0.0f;
}

#endif
