/* Walks along a ray through the cells of a medium, each of which has a bound that the density does not exceed there. */
#ifndef LB_CORE_KERNEL_MEDIA_MEDIUM_WALK_H
#define LB_CORE_KERNEL_MEDIA_MEDIUM_WALK_H

#include "core/kernel/media/medium.h"

/* The extinction where the bound along a ray is 1. */
LB_INLINE lb_color lb_medium_unit(const lb_medium *medium LB_AND_QUAD(const lb_scene *scene)
                                      LB_AND_QUAD(uint32_t quad))
{
    return medium->kind == LB_MEDIUM_RGB_GRID
               ? lb_color_grey(1.0f)
               : lb_medium_extinction(medium LB_AND_QUAD(scene) LB_AND_QUAD(quad));
}

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
