/* Reconstruction filters, as pbrt-v4 defines them: their values, of which the scene's tables are made, and how a
 * sample's place is drawn from them. */
#ifndef LB_CORE_KERNEL_FILM_FILTER_H
#define LB_CORE_KERNEL_FILM_FILTER_H

#include "core/kernel/scene/scene.h"

/* Mitchell and Netravali's filter (1988) with the parameters b and c, for |x| <= 2. */
LB_FUNCTION float lb_filter_mitchell(float x, float b, float c)
{
    x = lb_abs(x);
    if (x <= 1.0f)
        return (((12.0f - 9.0f * b - 6.0f * c) * x + (-18.0f + 12.0f * b + 6.0f * c)) * x * x +
                (6.0f - 2.0f * b)) *
               (1.0f / 6.0f);
    if (x <= 2.0f)
        return ((((-b - 6.0f * c) * x + (6.0f * b + 30.0f * c)) * x + (-12.0f * b - 48.0f * c)) * x +
                (8.0f * b + 24.0f * c)) *
               (1.0f / 6.0f);
    return 0.0f;
}

LB_FUNCTION float lb_filter_sinc(float x)
{
    float angle = LB_PI * x;
    return lb_abs(angle) < 1e-4f ? 1.0f : lb_sin(angle) / angle;
}

/* The filter's factor for one axis, at distance x from the pixel's centre, in pixels. */
LB_FUNCTION float lb_filter_axis(const lb_filter *filter, float x, float radius)
{
    float size = lb_abs(x);
    if (size > radius)
        return 0.0f;
    switch ((enum lb_filter_kind)filter->kind) {
    case LB_FILTER_TRIANGLE:
        return radius - size;
    case LB_FILTER_GAUSSIAN: {
        float scale = -0.5f / (filter->a * filter->a);
        return lb_max(0.0f, lb_exp(x * x * scale) - lb_exp(radius * radius * scale));
    }
    case LB_FILTER_MITCHELL:
        return lb_filter_mitchell(2.0f * x / radius, filter->a, filter->b);
    case LB_FILTER_SINC:
        return lb_filter_sinc(x) * lb_filter_sinc(x / filter->a);
    case LB_FILTER_BOX:
        break;
    }
    return 1.0f;
}

/* The filter's value at (x, y) from the pixel's centre, in pixels; 0 outside its rectangle. */
LB_FUNCTION float lb_filter_evaluate(const lb_filter *filter, float x, float y)
{
    return lb_filter_axis(filter, x, filter->xradius) * lb_filter_axis(filter, y, filter->yradius);
}

/* The middle of one of the `count` cells of a filter's table on an axis, in pixels from the pixel's centre. */
LB_INLINE float lb_filter_middle(uint32_t cell, uint32_t count, float radius)
{
    return (2.0f * ((float)cell + 0.5f) / (float)count - 1.0f) * radius;
}

/* In which of these cells a place lies. */
LB_INLINE uint32_t lb_filter_cell(float offset, uint32_t count, float radius)
{
    float place = (offset / radius * 0.5f + 0.5f) * (float)count;
    return (uint32_t)lb_to_int(lb_clamp(place, 0.0f, (float)count - 0.5f));
}

/* Returns the last of `count` cells with cdf[cell] <= u. cdf has count + 1 values that rise, or stay, from 0 to 1. It
 * is never a cell of no width, unless u lies outside [0, 1). */
LB_FUNCTION uint32_t lb_cdf_find(const float *cdf, uint32_t count, float u)
{
    uint32_t low = 0, high = count; /* cdf[low] <= u < cdf[high] */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (cdf[middle] <= u)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Of each row of values a table of steps has the first, and those that follow at this distance. */
#define LB_CDF_STEP 16u

/* How many values of a row of `count` cells stand in a table of steps. */
LB_INLINE uint32_t lb_cdf_step_count(uint32_t count)
{
    return (count + LB_CDF_STEP - 1) / LB_CDF_STEP;
}

/* The same as lb_cdf_find. `steps` has each LB_CDF_STEP-th value: so the search looks at values that stand side by
 * side, and few of them are not in a cache. It is inlined, as a call more would take registers that GPUs' paths
 * lack. */
LB_INLINE uint32_t lb_cdf_find_by_steps(const float *cdf, const float *steps, uint32_t count, float u)
{
    uint32_t first = lb_cdf_find(steps, lb_cdf_step_count(count), u) * LB_CDF_STEP;
    uint32_t rest = count - first < LB_CDF_STEP ? count - first : LB_CDF_STEP;
    return first + lb_cdf_find(cdf + first, rest, u);
}

/* The point of [0, 1) that u stands for, if it is in this cell. */
LB_INLINE float lb_cdf_place(const float *cdf, uint32_t count, uint32_t cell, float u)
{
    float width = cdf[cell + 1] - cdf[cell];
    float within = width > 0.0f ? (u - cdf[cell]) / width : 0.5f;
    return ((float)cell + lb_clamp(within, 0.0f, 1.0f)) / (float)count;
}

/* Draws a point of [0, 1): a cell by the cells' probabilities, which `*cell` tells, and uniformly within it. */
LB_FUNCTION float lb_cdf_sample(const float *cdf, uint32_t count, float u, uint32_t *cell)
{
    *cell = lb_cdf_find(cdf, count, u);
    return lb_cdf_place(cdf, count, *cell, u);
}

/* Maps u, uniform in [0, 1), to [-1, 1] with the density of a triangle. */
LB_FUNCTION float lb_filter_tent(float u)
{
    float side =
        u - 0.5f; /* its sign chooses the half; a branch would be mispredicted for half of all samples */
    return lb_copysign(1.0f - lb_sqrt(1.0f - 2.0f * lb_abs(side)), side);
}

/* Where a sample lies, in pixels from its pixel's centre, and its weight: 1, or -1 where the filter is negative. */
typedef struct lb_filter_place {
    lb_vec2 offset;
    float weight;
} lb_filter_place;

/* Draws where a sample lies, in proportion to the filter's magnitude. */
LB_FUNCTION lb_filter_place lb_filter_sample(const lb_scene *scene, lb_vec2 u)
{
    const lb_filter *filter = &scene->film.filter;
    lb_filter_place place;
    place.weight = 1.0f;
    if (filter->kind == LB_FILTER_BOX) {
        place.offset =
            lb_vec2_make((2.0f * u.x - 1.0f) * filter->xradius, (2.0f * u.y - 1.0f) * filter->yradius);
    } else if (filter->kind == LB_FILTER_TRIANGLE) {
        place.offset =
            lb_vec2_make(lb_filter_tent(u.x) * filter->xradius, lb_filter_tent(u.y) * filter->yradius);
    } else {
        const float *tables = LB_ARRAY(scene, tables, float);
        uint32_t row, column;
        float y = lb_cdf_sample(tables + filter->marginal.offset, filter->ny, u.y, &row);
        float x = lb_cdf_sample(tables + filter->conditional.offset + (uint64_t)row * (filter->nx + 1u),
                                filter->nx, u.x, &column);
        place.offset = lb_vec2_make((2.0f * x - 1.0f) * filter->xradius, (2.0f * y - 1.0f) * filter->yradius);
        if (tables[filter->values.offset + (uint64_t)row * filter->nx + column] < 0.0f)
            place.weight = -1.0f;
    }
    return place;
}

#endif
