/* How much light the lobes of the metallic material reflect in all, by roughness and direction: A and B, with which
 * microfacets whose Fresnel factor is Schlick's reflect f0 A + f90 B, and S of sheen. These tables are the same for all
 * materials, and made when a scene is loaded that has one. */
#ifndef LB_CORE_KERNEL_MATERIALS_ALBEDO_TABLE_H
#define LB_CORE_KERNEL_MATERIALS_ALBEDO_TABLE_H

#include "core/kernel/elementary.h"
#include "core/kernel/materials/bsdf_types.h"
#include "core/kernel/materials/coat_table.h"

/* The parts of the table. A, B and S are float[row][column], with the root of alpha i / (LB_ALBEDO_STEPS - 1) in row i,
 * and the cosine in column i. The means over all directions, weighted by the cosine, are float[row]. */
#define LB_ALBEDO_CELLS  (LB_ALBEDO_STEPS * LB_ALBEDO_STEPS)
#define LB_ALBEDO_A      0
#define LB_ALBEDO_B      LB_ALBEDO_CELLS
#define LB_ALBEDO_S      (2 * LB_ALBEDO_CELLS)
#define LB_ALBEDO_MEAN_A (3 * LB_ALBEDO_CELLS)
#define LB_ALBEDO_MEAN_B (3 * LB_ALBEDO_CELLS + LB_ALBEDO_STEPS)

/* Where an alpha stands among the rows. */
LB_INLINE float lb_albedo_row(float alpha)
{
    return lb_sqrt(lb_clamp(alpha, 0.0f, 1.0f)) * (float)(LB_ALBEDO_STEPS - 1);
}

/* The value between those of four cells of one of the parts A, B and S. */
LB_INLINE float lb_albedo_at(const float *part, float row, float cosine)
{
    float place = lb_clamp(cosine, 0.0f, 1.0f) * (float)(LB_ALBEDO_STEPS - 1);
    int32_t y = lb_to_int(row), x = lb_to_int(place);
    y = y > LB_ALBEDO_STEPS - 2 ? LB_ALBEDO_STEPS - 2 : y;
    x = x > LB_ALBEDO_STEPS - 2 ? LB_ALBEDO_STEPS - 2 : x;
    const float *cell = part + y * LB_ALBEDO_STEPS + x;
    float right = place - (float)x, down = row - (float)y;
    float above = lb_mix(right, cell[0], cell[1]),
          below = lb_mix(right, cell[LB_ALBEDO_STEPS], cell[LB_ALBEDO_STEPS + 1]);
    return lb_mix(down, above, below);
}

/* A mean between those of two rows. */
LB_INLINE float lb_albedo_mean(const float *means, float row)
{
    int32_t y = lb_to_int(row);
    y = y > LB_ALBEDO_STEPS - 2 ? LB_ALBEDO_STEPS - 2 : y;
    return lb_mix(row - (float)y, means[y], means[y + 1]);
}

/* The fifth power in Schlick's approximation of the Fresnel factor. */
LB_INLINE float lb_schlick(float cosine)
{
    float x = 1.0f - lb_clamp(cosine, 0.0f, 1.0f), square = x * x;
    return square * square * x;
}

/* ---- sheen: the distribution of Estevez and Kulla 2017, as KHR_materials_sheen has it ---- */

/* Sheen that is less rough than this cannot be told from none. */
LB_INLINE float lb_sheen_alpha(float alpha)
{
    return lb_clamp(alpha, 0.005f, 1.0f);
}

/* The curve that their Lambda follows, by its numbers for alpha = 0 and 1. */
LB_INLINE float lb_sheen_curve(float x, float alpha)
{
    float part = (1.0f - alpha) * (1.0f - alpha);
    float a = lb_mix(part, 21.5473f, 25.3245f), b = lb_mix(part, 3.82987f, 3.32435f),
          c = lb_mix(part, 0.19823f, 0.16801f), d = lb_mix(part, -1.97760f, -1.27393f),
          e = lb_mix(part, -4.32054f, -4.85967f);
    return a / (1.0f + b * lb_pow(x, c)) + d * x + e;
}

LB_INLINE float lb_sheen_lambda(float cosine, float alpha)
{
    if (cosine < 0.5f)
        return lb_exp(lb_sheen_curve(cosine, alpha));
    return lb_exp(2.0f * lb_sheen_curve(0.5f, alpha) - lb_sheen_curve(1.0f - cosine, alpha));
}

/* f times the cosine of wi, for a white sheen. Both directions are above the surface. */
LB_INLINE float lb_sheen(float alpha, lb_vec3 wo, lb_vec3 wi)
{
    lb_vec3 h = lb_add(wo, wi);
    float square = lb_dot(h, h);
    if (!(square > 0.0f))
        return 0.0f;
    float sine2 = lb_clamp((h.x * h.x + h.y * h.y) / square, 0.0f, 1.0f), exponent = 1.0f / alpha;
    float d = (2.0f + exponent) * lb_pow(sine2, 0.5f * exponent) * (0.5f * LB_1_PI);
    float shadow = 1.0f + lb_sheen_lambda(wo.z, alpha) + lb_sheen_lambda(wi.z, alpha);
    return d / (4.0f * wo.z * shadow);
}

/* ---- making the table ---- */

/* So many draws, each with its weight (lb_coat_weight), leave errors of 0.006 (A), 0.0034 (B) and 0.002 (S) at most.
 * With equal weights half as many left 0.015, 0.006 and 0.037, and A was 0.006 too small on average. */
#define LB_ALBEDO_DRAWS 512u

/* A direction in a column. */
LB_INLINE lb_vec3 lb_albedo_direction(uint32_t column)
{
    float cosine = lb_max((float)column / (float)(LB_ALBEDO_STEPS - 1), 1e-3f);
    return lb_vec3_make(lb_sqrt(1.0f - cosine * cosine), 0.0f, cosine);
}

LB_FUNCTION void lb_albedo_facets(uint32_t row, uint32_t column, float *a, float *b)
{
    lb_vec3 wo = lb_albedo_direction(column);
    float root = (float)row / (float)(LB_ALBEDO_STEPS - 1);
    lb_microfacet facets = lb_microfacet_make(root * root, root * root);
    *a = *b = 0.0f;
    if (row == 0) {
        *b = lb_schlick(wo.z);
        *a = 1.0f - *b;
        return;
    }
    float lambda_o = lb_microfacet_lambda(facets, wo);
    for (uint32_t i = 0; i < LB_ALBEDO_DRAWS; i++) {
        lb_vec3 h = lb_microfacet_sample(facets, wo, lb_coat_point(i, 0)), wi = lb_reflect(wo, h);
        if (!(wi.z > 0.0f))
            continue;
        float ratio = lb_masking_ratio(lambda_o, lb_microfacet_lambda(facets, wi));
        float rises = lb_schlick(lb_dot(wo, h)), weight = lb_coat_weight(i, LB_ALBEDO_DRAWS);
        *a += weight * ratio * (1.0f - rises);
        *b += weight * ratio * rises;
    }
}

LB_FUNCTION float lb_albedo_sheen(uint32_t row, uint32_t column)
{
    lb_vec3 wo = lb_albedo_direction(column);
    float root = (float)row / (float)(LB_ALBEDO_STEPS - 1), sum = 0.0f;
    float alpha = lb_sheen_alpha(root * root);
    for (uint32_t i = 0; i < LB_ALBEDO_DRAWS; i++) {
        lb_vec2 u = lb_coat_point(i, 0);
        sum += lb_coat_weight(i, LB_ALBEDO_DRAWS) *
               lb_sheen(alpha, wo, lb_vector_around(lb_max(u.x, 1e-6f), u.y));
    }
    return lb_min(1.0f, sum * 2.0f * LB_PI);
}

/* The mean of a row, weighted by the cosine: exactly that of the straight lines between its columns. */
LB_FUNCTION float lb_albedo_row_mean(const float *row)
{
    const float step = 1.0f / (float)(LB_ALBEDO_STEPS - 1);
    float sum = 0.0f;
    for (uint32_t i = 0; i + 1 < LB_ALBEDO_STEPS; i++) {
        float at = (float)i * step;
        sum += step * (at * (row[i] + row[i + 1]) + step * (row[i] + 2.0f * row[i + 1]) * (1.0f / 3.0f));
    }
    return sum;
}

/* Fills table[LB_ALBEDO_FLOATS]. It takes some hundredths of a second. */
LB_FUNCTION void lb_albedo_tabulate(float *table)
{
    for (uint32_t row = 0; row < LB_ALBEDO_STEPS; row++) {
        float *a = table + LB_ALBEDO_A + row * LB_ALBEDO_STEPS,
              *b = table + LB_ALBEDO_B + row * LB_ALBEDO_STEPS;
        for (uint32_t column = 0; column < LB_ALBEDO_STEPS; column++) {
            lb_albedo_facets(row, column, &a[column], &b[column]);
            table[LB_ALBEDO_S + row * LB_ALBEDO_STEPS + column] = lb_albedo_sheen(row, column);
        }
        table[LB_ALBEDO_MEAN_A + row] = lb_albedo_row_mean(a);
        table[LB_ALBEDO_MEAN_B + row] = lb_albedo_row_mean(b);
    }
}

#endif
