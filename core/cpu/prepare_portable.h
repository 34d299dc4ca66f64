/* Prepares a ray for a traversal, in plain C. */
#ifndef LB_CORE_CPU_PREPARE_PORTABLE_H
#define LB_CORE_CPU_PREPARE_PORTABLE_H

#include "core/kernel/shapes/box.h"

/* False: no ray in this direction can hit anything. */
LB_INLINE bool prepare_ray(const lb_vec3 *origin, const lb_vec3 *direction, lb_slab_ray *ray)
{
    return lb_slab_prepare(*origin, *direction, ray);
}

/* Makes the constants of struct node_ray (core/cpu/traverse_tests.h, which derives them) for each axis; returns the
 * ray's octant, a bit for each axis along which it goes backwards. */
LB_INLINE uint32_t prepare_nodes(const lb_slab_ray *ray, const lb_box *bounds, float near[4], float far[4])
{
    uint32_t octant = 0;
    for (uint32_t a = 0; a < 3; a++) {
        float rcp = ray->rcp[a], origin = ray->origin[a];
        float reach = lb_abs(origin) + lb_max(lb_abs(bounds->lower[a]), lb_abs(bounds->upper[a]));
        float unit = lb_abs(rcp) * reach;
        near[a] = -(origin * rcp) - (unit * 0x1p-21f + 0x1p-126f);
        far[a] = -(origin * rcp) + (unit * 0x1.8p-21f + 0x1p-126f);
        octant |= (uint32_t)(rcp < 0.0f) << a;
    }
    return octant;
}

#endif
