/* Coated diffuse: a dielectric coat, a thin layer below it that may absorb and scatter, and a diffuse base: pbrt-v4's
 * layered material, which it estimates by random walks. What those converge to is computed here as directly as it can be.
 * Where the layer does not scatter, the diffuse base forgets directions, so that
 *     f(wo, wi) = coat's reflection + T(wo) T(wi) / eta^2 * R / pi * sum over k of (R G)^k,
 * with T(w) the part of the light from w that reaches the base, R the base's reflectance and G the part of what leaves
 * the base that the coat sends back to it. T and G are tabulated when a scene is loaded (lb_coat_tabulate); for what
 * changes over a surface they are estimated by one sample each, which keeps the expectation. Where the layer scatters,
 * there is a random walk. All random numbers are hashes of the two directions, so that f is a function of these.
 *
 * Under light that is sampled, pbrt's rough coats look up to some 6 % brighter than that: the light that leaves through
 * a rough coat is found in two ways there, whose weights do not sum to one, because the density of the second is that
 * of the way in for the one and of the way out for the other. Its pictures are the measure, so S(wi), in which T is
 * weighted so, stands for T(wi) there. Directions that are sampled are not affected, there as here. */
#ifndef LB_CORE_KERNEL_COAT_H
#define LB_CORE_KERNEL_COAT_H

#include "core/kernel/bsdf_conductor.h"
#include "core/kernel/bsdf_types.h"
#include "core/kernel/fresnel.h"
#include "core/kernel/sampler.h"

/* The table: T, then S, each at cosines (i / (LB_COAT_STEPS - 1))^2, then G, then the roughness that it is for. */
#define LB_COAT_STEPS 64
#define LB_COAT_BACK  (2 * LB_COAT_STEPS)
#define LB_COAT_ALPHA (2 * LB_COAT_STEPS + 1)

/* What f is asked for: the weighting of pbrt's light sampling, or none. */
enum lb_coat_use { LB_COAT_SAMPLED, LB_COAT_LIT };

typedef struct lb_coat {
    lb_microfacet facets;
    bool smooth;
    float eta, thickness;
} lb_coat;

LB_INLINE lb_coat lb_coat_of(const lb_bsdf *bsdf)
{
    lb_coat coat;
    coat.facets = bsdf->facets;
    coat.smooth = bsdf->smooth != 0;
    coat.eta = bsdf->eta;
    coat.thickness = bsdf->thickness;
    return coat;
}

/* What a layer of this thickness, in units of the mean free path, lets through along w. */
LB_INLINE float lb_layer_passes(float thickness, lb_vec3 w)
{
    return lb_exp(-lb_abs(thickness / w.z));
}

LB_INLINE lb_vec2 lb_random_2d(lb_random *random)
{
    lb_vec2 u;
    u.x = lb_random_1d(random);
    u.y = lb_random_1d(random);
    return u;
}

/* A way through the coat: the directions on both sides, the normal of the facet, and its weight: the part of the light
 * that goes this way over the density (without the 1 / eta^2 of radiance). */
typedef struct lb_coat_way {
    lb_vec3 w, inside, h;
    float weight;
} lb_coat_way;

/* From w above through the coat. False: nothing goes there. */
LB_FUNCTION bool lb_coat_enter(const lb_coat *coat, lb_vec3 w, lb_vec2 u, lb_coat_way *way)
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

/* What pbrt weighs light with that leaves through a rough coat on this way, having been scattered below with the given
 * density: 1 were its two densities of the way the same. */
LB_FUNCTION float lb_coat_weighting(const lb_coat *coat, const lb_coat_way *way, float scattered)
{
    if (coat->smooth)
        return 1.0f;
    float w_h = lb_dot(way->w, way->h), in_h = lb_dot(way->inside, way->h), bend = in_h + w_h / coat->eta;
    float both = lb_microfacet_d(coat->facets, way->h) * lb_abs(w_h * in_h) / (bend * bend);
    float in = both * lb_microfacet_g1(coat->facets, way->w) / lb_abs(way->w.z);
    float out =
        both * lb_microfacet_g1(coat->facets, way->inside) / (lb_abs(way->inside.z) * coat->eta * coat->eta);
    return lb_power_heuristic(in, scattered) + lb_power_heuristic(scattered, out);
}

/* From w below the coat (w.z < 0, pointing to where the light comes from) back down: likewise. */
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

/* ---- a layer that does not scatter ---- */

/* An estimate of T(w), w.z > 0, or of S(w); exact for a smooth coat. */
LB_FUNCTION float lb_coat_pass(const lb_coat *coat, lb_vec3 w, lb_vec2 u, enum lb_coat_use use)
{
    lb_coat_way way;
    if (!lb_coat_enter(coat, w, u, &way))
        return 0.0f;
    if (use == LB_COAT_LIT)
        way.weight *= lb_coat_weighting(coat, &way, lb_abs(way.inside.z) * LB_1_PI);
    return way.weight * lb_layer_passes(coat->thickness, way.inside);
}

/* An estimate of G from a direction that the base's light takes, drawn by `base`. */
LB_FUNCTION float lb_coat_back(const lb_coat *coat, lb_vec2 base, lb_vec2 u)
{
    lb_vec3 from_base = lb_negate(lb_sample_cosine(base)), down;
    float weight;
    if (!(from_base.z < 0.0f) || !lb_coat_return(coat, from_base, u, &down, &weight))
        return 0.0f;
    return weight * lb_layer_passes(coat->thickness, from_base) * lb_layer_passes(coat->thickness, down);
}

/* Number i of an additive recurrence of points that fill the unit square evenly; `first` 0 or 1: two independent ones
 * (Roberts 2018: powers of the root of x^5 = x + 1). */
LB_INLINE lb_vec2 lb_coat_point(uint32_t i, uint32_t first)
{
    uint32_t x = i * (first == 0 ? 3679390609u : 2700274805u),
             y = i * (first == 0 ? 3152041523u : 2313257605u);
    return lb_vec2_make(lb_unit_float(x), lb_unit_float(y));
}

/* Fills table[LB_COAT_CELLS] for a coat of equal roughness along u and v, `alpha`; some 10 ms. */
LB_FUNCTION void lb_coat_tabulate(float alpha, float eta, float thickness, float *table)
{
    lb_coat coat;
    coat.facets = lb_microfacet_make(alpha, alpha);
    coat.smooth = lb_microfacet_is_smooth(coat.facets) || lb_index_is_matched(eta);
    coat.eta = eta;
    coat.thickness = thickness;
    uint32_t count = coat.smooth ? 1u : 1024u;
    for (uint32_t i = 0; i < LB_COAT_STEPS; i++) {
        float root = (float)i / (float)(LB_COAT_STEPS - 1), cosine = lb_max(root * root, 1e-6f);
        float sum = 0.0f, lit = 0.0f;
        lb_vec3 w = lb_vec3_make(lb_sqrt(1.0f - cosine * cosine), 0.0f, cosine);
        for (uint32_t k = 0; k < count; k++) {
            sum += lb_coat_pass(&coat, w, lb_coat_point(k, 0), LB_COAT_SAMPLED);
            lit += lb_coat_pass(&coat, w, lb_coat_point(k, 0), LB_COAT_LIT);
        }
        table[i] = sum / (float)count;
        table[LB_COAT_STEPS + i] = lit / (float)count;
    }
    float back = 0.0f;
    for (uint32_t k = 0; k < 16384u; k++)
        back += lb_coat_back(&coat, lb_coat_point(k, 0), lb_coat_point(k, 1));
    table[LB_COAT_BACK] = back / 16384.0f;
    table[LB_COAT_ALPHA] = coat.facets.ax;
}

/* T or S at a cosine, from its part of the table. */
LB_INLINE float lb_coat_table_pass(const float *table, float cosine)
{
    float place = lb_sqrt(lb_clamp(cosine, 0.0f, 1.0f)) * (float)(LB_COAT_STEPS - 1);
    int32_t cell = lb_to_int(place);
    cell = cell > LB_COAT_STEPS - 2 ? LB_COAT_STEPS - 2 : cell;
    float part = place - (float)cell;
    return table[cell] + (table[cell + 1] - table[cell]) * part;
}

/* The base's light through the coat, without cosine. */
LB_FUNCTION lb_rgb lb_coat_base(const lb_bsdf *bsdf, lb_vec3 wo, lb_vec3 wi, enum lb_coat_use use,
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
    lb_rgb sum = lb_rgb_grey(0.0f), term = lb_rgb_scale(bsdf->a, both * LB_1_PI / (bsdf->eta * bsdf->eta));
    /* The walk reaches the base at every second step. */
    for (uint32_t step = 0; step < bsdf->max_depth && lb_rgb_max(term) > 0.0f; step += 2) {
        sum = lb_rgb_add(sum, term);
        float back;
        if (tabulated) {
            back = table[LB_COAT_BACK];
        } else {
            lb_vec2 base = lb_random_2d(random);
            back = lb_coat_back(&coat, base, lb_random_2d(random));
        }
        term = lb_rgb_mul(lb_rgb_scale(term, back), bsdf->a);
    }
    return sum;
}

/* ---- a layer that scatters ---- */

/* Henyey and Greenstein's phase function; `cosine` is that between the directions of travel before and after. */
LB_INLINE float lb_phase(float cosine, float g)
{
    float base = 1.0f + g * g - 2.0f * g * cosine;
    return LB_1_4PI * (1.0f - g * g) / (base * lb_sqrt(lb_max(base, 1e-12f)));
}

/* A direction of travel after travelling along w. */
LB_FUNCTION lb_vec3 lb_phase_sample(lb_vec3 w, float g, lb_vec2 u)
{
    float cosine = 1.0f - 2.0f * u.x;
    if (lb_abs(g) >= 1e-3f) {
        float ratio = (1.0f - g * g) / (1.0f + g - 2.0f * g * u.x);
        cosine = lb_clamp((1.0f + g * g - ratio * ratio) / (2.0f * g), -1.0f, 1.0f);
    }
    lb_vec3 local = lb_vector_around(cosine, u.y), s, t;
    lb_basis(w, &s, &t);
    return lb_add(lb_add(lb_scale(s, local.x), lb_scale(t, local.y)), lb_scale(w, local.z));
}

/* A walk below the coat. */
typedef struct lb_coat_walker {
    lb_vec3 w;    /* its direction of travel */
    float height; /* above the base */
    lb_rgb beta, sum;
    lb_coat_way out; /* the way to wi */
    enum lb_coat_use use;
} lb_coat_walker;

/* Adds the light that leaves towards wi from where the walk is; `scattered` is the density with which light scatters
 * from there into that way, `rest` what else it is to be multiplied with. */
LB_INLINE void lb_coat_leave(const lb_coat *coat, lb_coat_walker *walker, float scattered, float rest)
{
    float arrives = rest * lb_layer_passes(coat->thickness - walker->height, walker->out.inside);
    if (walker->use == LB_COAT_LIT)
        arrives *= lb_coat_weighting(coat, &walker->out, scattered);
    walker->sum = lb_rgb_add(walker->sum, lb_rgb_scale(walker->beta, arrives));
}

/* The next event of the walk. False: it ends. */
LB_FUNCTION bool lb_coat_event(const lb_bsdf *bsdf, const lb_coat *coat, lb_coat_walker *walker,
                               lb_random *random)
{
    float free_path = -lb_log(1.0f - lb_random_1d(random));
    float next = walker->height + free_path * walker->w.z;
    lb_vec3 in = walker->out.inside;
    if (next > 0.0f && next < coat->thickness) {
        float phase = lb_phase(-lb_dot(walker->w, in), bsdf->g);
        walker->height = next;
        walker->beta = lb_rgb_mul(walker->beta, bsdf->b);
        lb_coat_leave(coat, walker, phase, phase / lb_abs(in.z));
        walker->w = lb_phase_sample(walker->w, bsdf->g, lb_random_2d(random));
    } else if (next <= 0.0f) {
        walker->height = 0.0f;
        walker->beta = lb_rgb_mul(walker->beta, bsdf->a);
        lb_coat_leave(coat, walker, lb_abs(in.z) * LB_1_PI, LB_1_PI);
        walker->w = lb_sample_cosine(lb_random_2d(random));
    } else {
        lb_vec3 down;
        float weight;
        walker->height = coat->thickness;
        if (!lb_coat_return(coat, lb_negate(walker->w), lb_random_2d(random), &down, &weight))
            return false;
        walker->beta = lb_rgb_scale(walker->beta, weight);
        walker->w = down;
    }
    return true;
}

/* One walk: light is followed back from wo, into the coat and about, and at every event that scatters in all
 * directions what arrives there from wi is added. Without cosine. */
LB_FUNCTION lb_rgb lb_coat_walk(const lb_bsdf *bsdf, lb_vec3 wo, lb_vec3 wi, enum lb_coat_use use,
                                lb_random *random)
{
    lb_coat coat = lb_coat_of(bsdf);
    lb_coat_walker walker;
    lb_coat_way in;
    walker.sum = lb_rgb_grey(0.0f);
    lb_vec2 u = lb_random_2d(random), v = lb_random_2d(random);
    if (!lb_coat_enter(&coat, wo, u, &in) || !lb_coat_enter(&coat, wi, v, &walker.out))
        return walker.sum;
    walker.use = use;
    walker.w = in.inside;
    walker.height = coat.thickness;
    walker.beta = lb_rgb_grey(in.weight * walker.out.weight / (coat.eta * coat.eta));
    for (uint32_t step = 0; step < bsdf->max_depth; step++) {
        float largest = lb_rgb_max(walker.beta);
        if (!(largest > 0.0f) || walker.w.z == 0.0f)
            break;
        if (step > 3 && largest < 0.25f) {
            if (lb_random_1d(random) >= largest)
                break;
            walker.beta = lb_rgb_scale(walker.beta, 1.0f / largest);
        }
        if (!lb_coat_event(bsdf, &coat, &walker, random))
            break;
    }
    return walker.sum;
}

/* ---- the whole ---- */

LB_INLINE uint64_t lb_hash_direction(uint64_t seed, lb_vec3 w)
{
    seed = lb_hash_combine(seed, (uint64_t)lb_float_bits(w.x) << 32 | lb_float_bits(w.y));
    return lb_hash_combine(seed, lb_float_bits(w.z));
}

/* All but a smooth coat's mirror image. Directions above. */
LB_FUNCTION lb_rgb lb_coat_evaluate_above(const lb_bsdf *bsdf, lb_vec3 wo, lb_vec3 wi, enum lb_coat_use use,
                                          float *pdf)
{
    lb_rgb sum;
    lb_random random;
    bool walks = lb_rgb_max(bsdf->b) > 0.0f && bsdf->thickness > 0.0f;
    lb_random_start(&random, walks || bsdf->coat == NULL ? lb_hash_direction(lb_hash_direction(0, wo), wi)
                                                         : (uint64_t)0);
    if (walks) {
        sum = lb_rgb_grey(0.0f);
        for (uint32_t i = 0; i < bsdf->samples; i++)
            sum = lb_rgb_add(sum, lb_coat_walk(bsdf, wo, wi, use, &random));
        sum = lb_rgb_scale(sum, 1.0f / (float)bsdf->samples);
    } else {
        sum = lb_coat_base(bsdf, wo, wi, use, &random);
    }
    sum = lb_rgb_scale(sum, wi.z);
    *pdf = (1.0f - bsdf->reflected) * wi.z * LB_1_PI;
    lb_vec3 h;
    if (!bsdf->smooth && lb_half_vector(wo, wi, &h)) {
        float lambda_o = lb_microfacet_lambda(bsdf->facets, wo),
              lambda_i = lb_microfacet_lambda(bsdf->facets, wi);
        float facets = lb_microfacet_d(bsdf->facets, h) / (4.0f * wo.z);
        float fresnel = lb_fresnel_dielectric(lb_dot(wo, h), bsdf->eta);
        *pdf += bsdf->reflected * facets / (1.0f + lambda_o);
        sum = lb_rgb_add(sum, lb_rgb_grey(fresnel * facets / (1.0f + lambda_o + lambda_i)));
    }
    return sum;
}

/* For light sampling. */
LB_FUNCTION lb_rgb lb_coat_evaluate(const lb_bsdf *bsdf, lb_vec3 wi, float *pdf)
{
    *pdf = 0.0f;
    if (!(bsdf->wo.z * wi.z > 0.0f))
        return lb_rgb_grey(0.0f);
    /* Both sides are coated alike: seen from below, all is turned over. */
    if (bsdf->wo.z < 0.0f)
        return lb_coat_evaluate_above(bsdf, lb_negate(bsdf->wo), lb_negate(wi), LB_COAT_LIT, pdf);
    return lb_coat_evaluate_above(bsdf, bsdf->wo, wi, LB_COAT_LIT, pdf);
}

/* The coat's reflection with probability bsdf->reflected, else the diffuse lobe. */
LB_FUNCTION bool lb_coat_sample(const lb_bsdf *bsdf, float lobe, lb_vec2 u, lb_scatter *scatter)
{
    lb_vec3 wo = bsdf->wo, wi;
    bool below = wo.z < 0.0f;
    if (below)
        wo = lb_negate(wo);
    bool reflects = lobe < bsdf->reflected;
    if (reflects && bsdf->smooth) {
        float fresnel = lb_fresnel_dielectric(wo.z, bsdf->eta);
        wi = lb_vec3_make(-wo.x, -wo.y, wo.z);
        lb_scatter_set(scatter, below ? lb_negate(wi) : wi, lb_rgb_grey(fresnel / bsdf->reflected), 0.0f);
        return fresnel > 0.0f;
    }
    wi = reflects ? lb_reflect(wo, lb_microfacet_sample(bsdf->facets, wo, u)) : lb_sample_cosine(u);
    if (!(wi.z > 0.0f))
        return false;
    float pdf;
    lb_rgb f = lb_coat_evaluate_above(bsdf, wo, wi, LB_COAT_SAMPLED, &pdf);
    if (!(pdf > 0.0f))
        return false;
    lb_scatter_set(scatter, below ? lb_negate(wi) : wi, lb_rgb_scale(f, 1.0f / pdf), pdf);
    return true;
}

/* Sets `reflected`, from how much light the coat reflects and the rest may at most. */
LB_FUNCTION void lb_coat_prepare(lb_bsdf *bsdf)
{
    float cosine = lb_abs(bsdf->wo.z);
    float coat = lb_fresnel_dielectric(cosine, bsdf->eta);
    if (bsdf->coat != NULL && bsdf->coat[LB_COAT_ALPHA] != bsdf->facets.ax)
        bsdf->coat = NULL; /* roughened since */
    if (bsdf->coat != NULL && !bsdf->smooth)
        coat = 1.0f - lb_coat_table_pass(bsdf->coat, cosine);
    float rest = (1.0f - coat) * lb_max(lb_rgb_max(bsdf->a), lb_rgb_max(bsdf->b));
    bsdf->reflected = rest > 0.0f ? lb_clamp(coat / (coat + rest), 0.05f, 0.9f) : 1.0f;
    if (bsdf->smooth && coat == 0.0f)
        bsdf->reflected = 0.0f;
}

#endif
