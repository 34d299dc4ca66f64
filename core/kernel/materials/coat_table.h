/* How much light goes through a coat, and how much comes back from it below, over a layer that does not scatter: T, S
 * and G of core/kernel/materials/coat.h, and a table of them. */
#ifndef LB_CORE_KERNEL_MATERIALS_COAT_TABLE_H
#define LB_CORE_KERNEL_MATERIALS_COAT_TABLE_H

#include "core/kernel/materials/coat_interface.h"

/* The table holds T and then S, each at the cosines (i / (LB_COAT_STEPS - 1))^2, then G, then the roughness that it was
 * made for. */
#define LB_COAT_STEPS 64
#define LB_COAT_BACK  (2 * LB_COAT_STEPS)
#define LB_COAT_ALPHA (2 * LB_COAT_STEPS + 1)

/* Estimates T(w), or S(w), for w.z > 0; for a smooth coat it is exact. */
LB_FUNCTION float lb_coat_pass(const lb_coat *coat, lb_vec3 w, lb_vec2 u, enum lb_coat_use use)
{
    lb_coat_way way;
    if (!lb_coat_enter(coat, w, u, &way))
        return 0.0f;
    if (use == LB_COAT_LIT)
        way.weight *= lb_coat_weighting(coat, &way, lb_abs(way.inside.z) * LB_1_PI);
    return way.weight * lb_layer_passes(coat->thickness, way.inside);
}

/* Estimates G from one direction, drawn by `base`, of the light that leaves the base. */
LB_FUNCTION float lb_coat_back(const lb_coat *coat, lb_vec2 base, lb_vec2 u)
{
    lb_vec3 from_base = lb_negate(lb_sample_cosine(base)), down;
    float weight;
    if (!(from_base.z < 0.0f) || !lb_coat_return(coat, from_base, u, &down, &weight))
        return 0.0f;
    return weight * lb_layer_passes(coat->thickness, from_base) * lb_layer_passes(coat->thickness, down);
}

/* Point number i of a sequence that fills the unit square evenly (an additive recurrence: Roberts 2018, powers of the
 * root of x^5 = x + 1). `first` is 0 or 1, for two independent sequences. */
LB_INLINE lb_vec2 lb_coat_point(uint32_t i, uint32_t first)
{
    uint32_t x = i * (first == 0 ? 3679390609u : 2700274805u),
             y = i * (first == 0 ? 3152041523u : 2313257605u);
    return lb_vec2_make(lb_unit_float(x), lb_unit_float(y));
}

/* The weight of point i of n: up to the middle and down again, which sum to 1. Points that count alike would leave the
 * sequence's end as an error of 0.25 % of T, nearly always downwards; these leave 0.06 % with as many. */
LB_INLINE float lb_coat_weight(uint32_t i, uint32_t n)
{
    uint32_t half = n / 2u, rank = i < half ? i + 1u : n - i;
    return (float)rank / (float)(n % 2u == 0u ? half * (half + 1u) : (half + 1u) * (half + 1u));
}

/* Fills table[LB_COAT_CELLS] for a coat of the roughness `alpha` along both u and v. It takes some 10 ms. */
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
            lb_vec2 u = lb_coat_point(k, 0);
            sum += lb_coat_weight(k, count) * lb_coat_pass(&coat, w, u, LB_COAT_SAMPLED);
            lit += lb_coat_weight(k, count) * lb_coat_pass(&coat, w, u, LB_COAT_LIT);
        }
        table[i] = sum;
        table[LB_COAT_STEPS + i] = lit;
    }
    float back = 0.0f;
    for (uint32_t k = 0; k < 16384u; k++)
        back += lb_coat_weight(k, 16384u) * lb_coat_back(&coat, lb_coat_point(k, 0), lb_coat_point(k, 1));
    table[LB_COAT_BACK] = back;
    table[LB_COAT_ALPHA] = coat.facets.ax;
}

/* T or S at a cosine, from the part of the table that holds it. */
LB_INLINE float lb_coat_table_pass(const float *table, float cosine)
{
    float place = lb_sqrt(lb_clamp(cosine, 0.0f, 1.0f)) * (float)(LB_COAT_STEPS - 1);
    int32_t cell = lb_to_int(place);
    cell = cell > LB_COAT_STEPS - 2 ? LB_COAT_STEPS - 2 : cell;
    float part = place - (float)cell;
    return table[cell] + (table[cell + 1] - table[cell]) * part;
}

#endif
