/* Looks up values that are given on a grid of points in space. */
#ifndef LB_CORE_KERNEL_MEDIA_GRID_H
#define LB_CORE_KERNEL_MEDIA_GRID_H

#include "core/kernel/scene/scene.h"

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

#endif
