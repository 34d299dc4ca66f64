/* What the traversals of all instruction sets share below their algorithm (core/cpu/traverse.h). */
#ifndef LB_CORE_CPU_TRAVERSE_PARTS_H
#define LB_CORE_CPU_TRAVERSE_PARTS_H

#include "core/kernel/intersect.h"

/* A ray against nodes: entry and exit of a slab are fma(bound, rcp, near) and fma(bound, rcp, far). With u =
 * 2^-24, the box test of core/kernel/box.h computes (bound - origin) * rcp with an error of at most 2 u |rcp|
 * (|origin| + |bound|) to the first order and widens the exit by 4 u; origin * rcp, its sum with the margin
 * and the fma add an error of at most 3 u of the same. Margins of 8 u and 12 u therefore never enter later or
 * leave earlier than that test. The least normal float makes up for underflow; where a product overflows, the
 * result is NaN or infinite to the safe side, and NaN is passed over. */
struct node_ray {
    float rcp[3], near[3], far[3];
    uint32_t near_offset[3], far_offset[3]; /* of the bounds in an lb_node, in bytes */
    uint32_t octant;
};

/* What eight triangles' tests leave. */
struct candidates {
    uint32_t hit;  /* lanes hit, t in [0, closest] */
    uint32_t zero; /* lanes where an edge function was zero: to be tested one by one */
    float t[8], v[8], w[8], det[8];
};

LB_INLINE void node_ray_constants(struct node_ray *ray, const lb_slab_ray *slab, const lb_box *bounds)
{
    ray->octant = 0;
    for (uint32_t a = 0; a < 3; a++) {
        float rcp = slab->rcp[a], origin = slab->origin[a];
        float reach = lb_abs(origin) + lb_max(lb_abs(bounds->lower[a]), lb_abs(bounds->upper[a]));
        float unit = lb_abs(rcp) * reach;
        ray->rcp[a] = rcp;
        ray->near[a] = -(origin * rcp) - (unit * 0x1p-21f + 0x1p-126f);
        ray->far[a] = -(origin * rcp) + (unit * 0x1.8p-21f + 0x1p-126f);
        bool backwards = rcp < 0.0f;
        uint32_t lower = 32 * a, upper = 96 + 32 * a; /* lb_node's bounds */
        ray->near_offset[a] = backwards ? upper : lower;
        ray->far_offset[a] = backwards ? lower : upper;
        ray->octant |= (uint32_t)backwards << a;
    }
}

#endif
