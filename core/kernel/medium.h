/* What media do to light on a way through them: extinction, densities at points, and bounds of these along rays. */
#ifndef LB_CORE_KERNEL_MEDIUM_H
#define LB_CORE_KERNEL_MEDIUM_H

#include "core/kernel/elementary.h"
#include "core/kernel/noise.h"
#include "core/kernel/scene.h"

LB_INLINE lb_rgb lb_medium_extinction(const lb_medium *medium)
{
    return lb_rgb_add(medium->sigma_a, medium->sigma_s);
}

/* The part of light that is left after a way through a medium of extinction `sigma` (Beer's law). Where there is no
 * extinction all of it is left, even after an endless way. */
LB_FUNCTION float lb_beer(float sigma, float distance)
{
    return sigma == 0.0f ? 1.0f : lb_exp(-sigma * distance);
}

LB_INLINE lb_rgb lb_beer_rgb(lb_rgb sigma, float distance)
{
    return lb_rgb_make(lb_beer(sigma.r, distance), lb_beer(sigma.g, distance), lb_beer(sigma.b, distance));
}

/* ---- grids ---- */

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

/* ---- clouds ---- */

/* The gradient of the noise at p, by finite differences. */
LB_FUNCTION lb_vec3 lb_cloud_drift(const unsigned char *permutation, lb_vec3 p)
{
    const float delta = 0.01f;
    float here = lb_noise(permutation, p);
    return lb_vec3_make((lb_noise(permutation, lb_vec3_make(p.x + delta, p.y, p.z)) - here) / delta,
                        (lb_noise(permutation, lb_vec3_make(p.x, p.y + delta, p.z)) - here) / delta,
                        (lb_noise(permutation, lb_vec3_make(p.x, p.y, p.z + delta)) - here) / delta);
}

/* The density of a cloud, from 0 to 1, at a point of its space, where y is the height: from 1 below 0 to nothing above
 * 1. It is noise of five octaves, at points that two octaves of another noise have moved. */
LB_FUNCTION float lb_cloud_density(const lb_scene *scene, const lb_medium *medium, lb_vec3 p)
{
    const unsigned char *permutation = LB_ARRAY(scene, texels, unsigned char) + medium->permutation;
    lb_vec3 moved = lb_scale(p, medium->frequency);
    float weight = 0.05f * medium->wispiness, frequency = 10.0f, sum = 0.0f;
    uint32_t i;
    if (medium->wispiness > 0.0f)
        for (i = 0; i < 2; i++) {
            moved = lb_add_scaled(moved, lb_cloud_drift(permutation, lb_scale(moved, frequency)), weight);
            weight *= 0.5f;
            frequency *= 1.99f;
        }
    weight = 0.5f;
    frequency = 1.0f;
    for (i = 0; i < 5; i++) {
        sum += weight * lb_noise(permutation, lb_scale(moved, frequency));
        weight *= 0.5f;
        frequency *= 1.99f;
    }
    float density = lb_clamp((1.0f - p.y) * 4.5f * medium->amount * sum, 0.0f, 1.0f);
    return lb_clamp(density + 2.0f * lb_max(0.0f, 0.5f - p.y), 0.0f, 1.0f);
}

/* ---- points ---- */

/* What a medium is at a point. */
typedef struct lb_medium_point {
    lb_rgb sigma_a, sigma_s;
    lb_rgb emission; /* as lb_medium.emission */
} lb_medium_point;

/* The light of a black body of so many kelvin, interpolated between two rows of the medium's table. */
LB_FUNCTION lb_rgb lb_medium_heat(const lb_scene *scene, const lb_medium *medium, float kelvin)
{
    const float *rows = LB_ARRAY(scene, tables, float) + medium->heat;
    kelvin = (kelvin - medium->heat_offset) * medium->heat_scale;
    if (!(kelvin > LB_MEDIUM_COLD))
        return lb_rgb_grey(0.0f);
    float at =
        (kelvin - LB_MEDIUM_COLD) / (medium->heat_last - LB_MEDIUM_COLD) * (float)(LB_MEDIUM_HEAT_ROWS - 1);
    at = lb_clamp(at, 0.0f, (float)(LB_MEDIUM_HEAT_ROWS - 1));
    int32_t row = lb_to_int(lb_min(lb_floor(at), (float)(LB_MEDIUM_HEAT_ROWS - 2)));
    float part = at - (float)row;
    rows += 3 * row;
    return lb_rgb_make(lb_mix(part, rows[0], rows[3]), lb_mix(part, rows[1], rows[4]),
                       lb_mix(part, rows[2], rows[5]));
}

/* Finds what a medium that varies is at a point of world space. */
LB_FUNCTION void lb_medium_at(const lb_scene *scene, const lb_medium *medium, lb_vec3 world,
                              lb_medium_point *point)
{
    lb_vec3 p = lb_transform_point(&medium->medium_from_world, world);
    if (medium->kind == LB_MEDIUM_RGB_GRID) {
        point->sigma_a = medium->sigma_a;
        point->sigma_s = medium->sigma_s;
        if (medium->density.channels != 0)
            point->sigma_a = lb_rgb_mul(point->sigma_a, lb_grid_lookup(scene, &medium->density, p));
        if (medium->scattering.channels != 0)
            point->sigma_s = lb_rgb_mul(point->sigma_s, lb_grid_lookup(scene, &medium->scattering, p));
    } else {
        float density = medium->kind == LB_MEDIUM_CLOUD ? lb_cloud_density(scene, medium, p)
                                                        : lb_grid_lookup(scene, &medium->density, p).r;
        point->sigma_a = lb_rgb_scale(medium->sigma_a, density);
        point->sigma_s = lb_rgb_scale(medium->sigma_s, density);
    }
    point->emission = medium->emission;
    if (lb_rgb_is_black(point->emission))
        return;
    if (medium->glow.channels != 0)
        point->emission = lb_rgb_mul(point->emission, lb_grid_lookup(scene, &medium->glow, p));
    if (medium->temperature.channels != 0)
        point->emission = lb_rgb_mul(
            point->emission, lb_medium_heat(scene, medium, lb_grid_lookup(scene, &medium->temperature, p).r));
}

/* The extinction where the bound along a ray is 1. */
LB_INLINE lb_rgb lb_medium_unit(const lb_medium *medium)
{
    return medium->kind == LB_MEDIUM_RGB_GRID ? lb_rgb_grey(1.0f) : lb_medium_extinction(medium);
}

/* ---- bounds along a ray ---- */

/* A ray's way through the cells that each have a bound of the medium's density (Amanatides, Woo 1987). Distances are
 * those of the ray. */
typedef struct lb_walk {
    const float *bounds;
    float t, end;                /* where it is, and where it leaves the box or the way ends */
    float origin[3], inverse[3]; /* in units of cells */
    int32_t cell[3], step[3];
    int32_t size[3];
} lb_walk;

/* Where the walk crosses its cell's far wall along an axis, but no sooner than where it is. */
LB_INLINE float lb_walk_wall(const lb_walk *walk, uint32_t axis)
{
    if (walk->step[axis] == 0)
        return LB_INFINITY;
    float wall = (float)(walk->cell[axis] + (walk->step[axis] > 0 ? 1 : 0));
    return lb_max((wall - walk->origin[axis]) * walk->inverse[axis], walk->t);
}

/* The distance at which the walk leaves its cell, and the axis of the wall that it crosses. */
LB_INLINE float lb_walk_exit(const lb_walk *walk, uint32_t *axis)
{
    float x = lb_walk_wall(walk, 0), y = lb_walk_wall(walk, 1), z = lb_walk_wall(walk, 2);
    *axis = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
    return lb_min(lb_min(x, y), z);
}

/* The bound of the density in the walk's cell. */
LB_INLINE float lb_walk_bound(const lb_walk *walk)
{
    return walk->bounds[(walk->cell[2] * walk->size[1] + walk->cell[1]) * walk->size[0] + walk->cell[0]];
}

/* Starts a walk where the ray enters the medium's box. False: it does not enter it before `distance`. */
LB_FUNCTION bool lb_walk_start(const lb_scene *scene, const lb_medium *medium, const lb_ray *ray,
                               float distance, lb_walk *walk)
{
    lb_vec3 o = lb_transform_point(&medium->medium_from_world, ray->origin);
    lb_vec3 d = lb_transform_vector(&medium->medium_from_world, ray->direction);
    const float origin[3] = {o.x, o.y, o.z}, direction[3] = {d.x, d.y, d.z};
    walk->bounds = LB_ARRAY(scene, tables, float) + medium->bounds;
    walk->t = 0.0f;
    walk->end = distance;
    for (uint32_t i = 0; i < 3; i++) {
        float lower = medium->box.lower[i], cells = (float)medium->cells[i];
        float scale = cells / (medium->box.upper[i] - lower);
        walk->origin[i] = (origin[i] - lower) * scale;
        walk->inverse[i] = 1.0f / (direction[i] * scale);
        walk->size[i] = (int32_t)medium->cells[i];
        walk->step[i] = direction[i] > 0.0f ? 1 : direction[i] < 0.0f ? -1 : 0;
        if (walk->step[i] == 0 || !lb_is_finite(walk->inverse[i])) {
            walk->step[i] = 0;
            walk->inverse[i] = 0.0f;
            if (!(walk->origin[i] >= 0.0f && walk->origin[i] <= cells))
                return false;
            continue;
        }
        float first = -walk->origin[i] * walk->inverse[i],
              last = (cells - walk->origin[i]) * walk->inverse[i];
        walk->t = lb_max(walk->t, lb_min(first, last));
        walk->end = lb_min(walk->end, lb_max(first, last));
    }
    if (!(walk->t < walk->end) || !lb_is_finite(walk->end))
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        float place = walk->origin[i];
        if (walk->step[i] != 0)
            place += walk->t / walk->inverse[i];
        walk->cell[i] = lb_to_int(lb_clamp(lb_floor(place), 0.0f, (float)(walk->size[i] - 1)));
    }
    return true;
}

/* Goes on to the next cell, through the wall of this axis at t. False: the way ends there. */
LB_INLINE bool lb_walk_next(lb_walk *walk, uint32_t axis, float t)
{
    walk->t = t;
    walk->cell[axis] += walk->step[axis];
    return t < walk->end && walk->cell[axis] >= 0 && walk->cell[axis] < walk->size[axis];
}

#endif
