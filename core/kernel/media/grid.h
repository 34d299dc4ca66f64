/* Looks up values that are given on a grid of points in space. */
#ifndef LB_CORE_KERNEL_MEDIA_GRID_H
#define LB_CORE_KERNEL_MEDIA_GRID_H

#include "core/kernel/scene/spectral.h"

/* The value of one sample of a grid, 0 outside the grid. */
LB_INLINE float lb_grid_sample(const float *values, const lb_grid *grid, int32_t x, int32_t y, int32_t z,
                               uint32_t channel)
{
    if ((uint32_t)x >= grid->size[0] || (uint32_t)y >= grid->size[1] || (uint32_t)z >= grid->size[2])
        return 0.0f;
    uint64_t at = ((uint64_t)z * grid->size[1] + (uint32_t)y) * grid->size[0] + (uint32_t)x;
    return values[at * grid->channels + channel];
}

/* The value of each channel at a point of the medium's space, trilinear between samples. A grid of one channel gives
 * its value three times. */
LB_FUNCTION lb_rgb lb_grid_lookup(const lb_scene *scene, const lb_grid *grid, lb_vec3 p)
{
    const float *values = LB_ARRAY(scene, tables, float) + grid->first;
    lb_vec3 at = lb_transform_point(&grid->index_from_medium, p);
    if (!(lb_abs(at.x) < 1e9f && lb_abs(at.y) < 1e9f && lb_abs(at.z) < 1e9f))
        return lb_rgb_grey(0.0f);
    float x = lb_floor(at.x), y = lb_floor(at.y), z = lb_floor(at.z);
    int32_t ix = lb_to_int(x), iy = lb_to_int(y), iz = lb_to_int(z);
    float dx = at.x - x, dy = at.y - y, dz = at.z - z, found[3];
    uint32_t channels = grid->channels;
    for (uint32_t c = 0; c < channels; c++) {
        float edges[4];
        for (int32_t i = 0; i < 4; i++)
            edges[i] = lb_mix(dx, lb_grid_sample(values, grid, ix, iy + (i & 1), iz + (i >> 1), c),
                              lb_grid_sample(values, grid, ix + 1, iy + (i & 1), iz + (i >> 1), c));
        found[c] = lb_mix(dz, lb_mix(dy, edges[0], edges[1]), lb_mix(dy, edges[2], edges[3]));
    }
    return channels == 3 ? lb_rgb_make(found[0], found[1], found[2]) : lb_rgb_grey(found[0]);
}

/* The same as light: a grid of one channel is grey, and one of four is of spectra, between which the light is
 * trilinear. */
#ifdef LB_SPECTRAL
#define LB_GRID_COLOR(scene, quad, grid, p) lb_grid_spectrum(scene, quad, grid, p)
LB_FUNCTION lb_color lb_grid_spectrum(const lb_scene *scene, uint32_t quad, const lb_grid *grid, lb_vec3 p)
{
    const float *samples = LB_ARRAY(scene, tables, float) + grid->first;
    const lb_quad *q = LB_ARRAY(scene, quads, lb_quad) + quad;
    lb_vec3 at = lb_transform_point(&grid->index_from_medium, p);
    if (grid->channels == 1)
        return lb_color_grey(lb_grid_lookup(scene, grid, p).r);
    if (!(lb_abs(at.x) < 1e9f && lb_abs(at.y) < 1e9f && lb_abs(at.z) < 1e9f))
        return lb_color_grey(0.0f);
    const float low[3] = {lb_floor(at.x), lb_floor(at.y), lb_floor(at.z)};
    const float part[3] = {at.x - low[0], at.y - low[1], at.z - low[2]};
    float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (uint32_t corner = 0; corner < 8; corner++) {
        uint64_t index = 0;
        float weight = 1.0f;
        for (uint32_t axis = 3; axis-- > 0;) {
            uint32_t next = corner >> axis & 1u, i = (uint32_t)lb_to_int(low[axis]) + next;
            weight *= i >= grid->size[axis] ? 0.0f : next != 0 ? part[axis] : 1.0f - part[axis];
            index = index * grid->size[axis] + i;
        }
        if (weight == 0.0f)
            continue;
        const float *sample = samples + 4 * index;
        for (uint32_t i = 0; i < 4; i++)
            sums[i] += weight * sample[3] * lb_sigmoid_value(sample[0], sample[1], sample[2], q->places[i]);
    }
    return lb_color_of_lanes(sums);
}
#else
#define LB_GRID_COLOR(scene, quad, grid, p) lb_grid_lookup(scene, grid, p)
#endif

#endif
