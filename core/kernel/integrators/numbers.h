/* The numbers that the vertices of a path draw. Each is drawn where it is used, unless LB_NUMBERS is defined: then the
 * including file has provided lb_vertex_draw, which draws all numbers of a vertex at once, as vector instructions do
 * four dimensions in the time of one. They are the same numbers. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_NUMBERS_H
#define LB_CORE_KERNEL_INTEGRATORS_NUMBERS_H

#include "core/kernel/integrators/dimensions.h"

#ifdef LB_NUMBERS

/* What a file that provides lb_vertex_draw keeps for all samples of a pixel. */
typedef struct lb_pixel_numbers lb_pixel_numbers;

/* The numbers of a path's present vertex: the first of each dimension's pair, by enum lb_vertex_dimensions, then the
 * second ones. */
typedef struct lb_vertex_numbers {
    float drawn[2 * LB_DIMENSIONS_A_VERTEX];
    lb_pixel_numbers *pixel;
} lb_vertex_numbers;

/* Draws the numbers of the vertex number `depth`. */
LB_INLINE void lb_vertex_draw(lb_pixel_numbers *pixel, const lb_sampler *sampler, uint32_t depth,
                              float drawn[2 * LB_DIMENSIONS_A_VERTEX]);

#define LB_PIXEL_NUMBERS(name)                                                                               \
    lb_pixel_numbers name;                                                                                   \
    name.kept = 0
#define LB_NUMBERS_MEMBER(declaration) declaration;
#define LB_AND_NUMBERS(argument)       , argument
#define LB_NUMBERS_SET(path, pixel_)   ((path)->numbers.pixel = (pixel_))
#define LB_NUMBERS_DRAW(path)                                                                                \
    lb_vertex_draw((path)->numbers.pixel, &(path)->sampler, (path)->depth, (path)->numbers.drawn)

#else

#define LB_PIXEL_NUMBERS(name) ((void)0)
#define LB_NUMBERS_MEMBER(declaration)
#define LB_AND_NUMBERS(argument)
#define LB_NUMBERS_SET(path, pixel) ((void)0)
#define LB_NUMBERS_DRAW(path)       ((void)0)

#endif

#endif
