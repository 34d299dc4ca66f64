/* Which dimensions of the sampler are for what: a function a use, so that no two uses share one. There are two for the
 * camera, then the same number for each vertex. Those of the time, the wavelength and of scouts (the place on the film,
 * and that on the lens) are apart, so that what has none of them looks the same whether something else has one or
 * not. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_DIMENSIONS_H
#define LB_CORE_KERNEL_INTEGRATORS_DIMENSIONS_H

#include "core/kernel/sampler.h"

/* Where each use begins. lb_sampler_start() begins with the camera's: the place on the film, and that on the lens. */
enum lb_dimensions { LB_DIMENSION_FILM, LB_DIMENSION_LENS, LB_DIMENSION_VERTEX };
#define LB_DIMENSION_WAY        0x40000000u
#define LB_DIMENSION_TIME       0x80000000u
#define LB_DIMENSION_WAVELENGTH 0x80000001u
#define LB_DIMENSION_SCOUT      0x80000002u
#define LB_DIMENSION_ALBEDO     0xc0000000u

/* The dimensions of a vertex, counted from its first. */
enum lb_vertex_dimensions {
    LB_DIMENSION_LIGHT,
    LB_DIMENSION_LOBE,
    LB_DIMENSION_DIRECTION,
    LB_DIMENSION_ROULETTE,
    LB_DIMENSIONS_A_VERTEX
};

/* Goes to one of the dimensions of the vertex number `depth`. */
LB_INLINE void lb_sampler_to_vertex(lb_sampler *sampler, uint32_t depth, uint32_t dimension)
{
    sampler->dimension = LB_DIMENSION_VERTEX + depth * LB_DIMENSIONS_A_VERTEX + dimension;
}

/* Goes to the one dimension of a way through a medium, the `way`-th of the path; a walk below a surface takes two. */
LB_INLINE void lb_sampler_to_way(lb_sampler *sampler, uint32_t way)
{
    sampler->dimension = LB_DIMENSION_WAY + way;
}

/* A sampler for when the sample is taken: one dimension. */
LB_INLINE lb_sampler lb_sampler_of_time(const lb_sampler *sampler)
{
    lb_sampler own = *sampler;
    own.dimension = LB_DIMENSION_TIME;
    return own;
}

/* A sampler for the wavelength of a path: one dimension. */
LB_INLINE lb_sampler lb_sampler_of_wavelength(const lb_sampler *sampler)
{
    lb_sampler own = *sampler;
    own.dimension = LB_DIMENSION_WAVELENGTH;
    return own;
}

/* A sampler for the albedo of the vertex number `depth`, where materials are made diffuse: two dimensions. */
LB_INLINE lb_sampler lb_sampler_of_albedo(const lb_sampler *sampler, uint32_t depth)
{
    lb_sampler own = *sampler;
    own.dimension = LB_DIMENSION_ALBEDO + 2 * depth;
    return own;
}

#endif
