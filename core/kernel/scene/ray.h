/* Rays and what they hit. */
#ifndef LB_CORE_KERNEL_SCENE_RAY_H
#define LB_CORE_KERNEL_SCENE_RAY_H

#include "core/kernel/scene/tree.h"

/* A ray, or the part of it from its origin to t_max. */
typedef struct lb_ray {
    lb_vec3 origin, direction;
    float t_max; /* hits count for t in [0, t_max) */
    /* The triangle that it leaves, and so cannot hit: 1 + its number over all shapes (lb_shape.first_primitive), or 0
     * for none; and that triangle's instance. */
    uint32_t from, from_instance;
    /* From 0 at the start of the time range to 1 at its end. It matters only where something moves. */
    float time;
#ifdef LB_SPECTRAL
    uint32_t quad; /* which wavelengths the path has (core/kernel/scene/spectral.h) */
#endif
} lb_ray;

/* Where a ray hits something. */
typedef struct lb_hit {
    float t;
    float b1, b2;           /* triangle: barycentric weights of corners 1 and 2; curve: u and v */
    uint32_t instance;      /* index of the instance; LB_NONE: the world's own */
    lb_primitive primitive; /* where its shape is LB_NONE, nothing was hit */
} lb_hit;

#endif
