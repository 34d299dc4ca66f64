/* What a path of core/kernel/integrators/path.h is while it is under way, and the numbers that its vertices draw. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_PATH_STATE_H
#define LB_CORE_KERNEL_INTEGRATORS_PATH_STATE_H

#include "core/kernel/guiding/trail.h"
#include "core/kernel/integrators/numbers.h"
#include "core/kernel/materials/material.h"
#include "core/kernel/scene/light_groups.h"
#include "core/kernel/scene/spectral.h"

/* A path on its way. */
typedef struct lb_path {
    lb_ray ray; /* the ray that is to be traced next; its direction is of unit length */
    lb_color throughput, radiance;
    lb_sampler sampler;
    /* The density by solid angle with which the ray's direction was drawn. 0 where that was specular, and for the
     * camera's rays: then lights that the ray meets count in full. */
    float pdf;
    /* Where `pdf` is more than 0 and the scene has a light tree: the normal of the vertex that sent the ray, and on
     * which of its sides light counts (enum lb_light_sides). Until the first vertex: x and y of the path's pixel. */
    lb_vec3 normal;
    uint32_t sides;
    /* How far the ray's origin is from the vertex that sent it: more than 0 behind an interface. */
    float travelled;
    /* Square of the refractive index that it is in over the camera's, for Russian roulette. */
    float eta_scale;
    uint32_t medium;   /* or LB_NONE */
    uint32_t depth;    /* how many vertices have scattered it */
    uint32_t surfaces; /* how many surfaces it has met, interfaces included */
    uint32_t flags;    /* enum lb_path_flags */
    /* Where it has a wavelength: the radiance from before that was drawn. `radiance` is what has followed. */
    lb_color before;
    LB_NUMBERS_MEMBER(lb_vertex_numbers numbers)
    LB_GROUP_MEMBER(lb_path_groups groups)
    LB_TRAIL_MEMBER(lb_trail trail)
} lb_path;

/* A ray towards a light, and what it brings when nothing is in its way. */
typedef struct lb_shadow {
    lb_ray ray;            /* its direction is of unit length */
    lb_color contribution; /* what it adds to the path's radiance */
    uint32_t medium; /* the medium that it is in, where interfaces may change that (lb_scene.any_interface) */
    uint32_t active; /* 0: there is no shadow ray */
    uint32_t surfaces;
    /* The density with which scattering would have drawn the ray, over that of light sampling; 0: it cannot draw it. */
    float ratio;
    LB_GROUP_MEMBER(uint32_t group) /* of the light */
} lb_shadow;

/* A path that meets more surfaces than this ends. No scene is meant to have so many, but interfaces that coincide
 * could. */
#define LB_PATH_SURFACES 100000u

/* Sets the sampler to a dimension of the path's present vertex. */
LB_INLINE void lb_path_dimension(lb_path *path, uint32_t dimension)
{
    lb_sampler_to_vertex(&path->sampler, path->depth, dimension);
}

/* Draws two numbers in [0, 1) in a dimension of the vertex. */
LB_INLINE lb_vec2 lb_path_draw_2d(lb_path *path, uint32_t dimension)
{
#ifdef LB_NUMBERS
    const float *drawn = path->numbers.drawn + dimension;
    return lb_vec2_make(drawn[0], drawn[LB_DIMENSIONS_A_VERTEX]);
#else
    lb_path_dimension(path, dimension);
    return lb_sampler_2d(&path->sampler);
#endif
}

/* Draws a number in [0, 1) in a dimension of the vertex. */
LB_INLINE float lb_path_draw_1d(lb_path *path, uint32_t dimension)
{
#ifdef LB_NUMBERS
    return path->numbers.drawn[dimension];
#else
    lb_path_dimension(path, dimension);
    return lb_sampler_1d(&path->sampler);
#endif
}

#endif
