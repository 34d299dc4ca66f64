/* Where a kernel that is compiled for spectra (LB_SPECTRAL) differs from one for red, green and blue.
 *
 * A path has four wavelengths. There are LB_QUADS sets of four to choose from, and the number of its own, its quad,
 * goes with its rays. The wavelengths of all quads together are as dense as pbrt-v4 draws them, and those of one quad
 * are a quarter of all apart, so that each sees all of the range. Spectra stand in the block as tables of their values
 * at all of these wavelengths, and the film gets what its observer sees of each.
 *
 * A colour of the block (lb_rgb) that is grey is a spectrum that is the same everywhere. All others have a NaN as b:
 * such a colour is r times the spectrum number g of the block. */
#ifndef LB_CORE_KERNEL_SCENE_SPECTRAL_H
#define LB_CORE_KERNEL_SCENE_SPECTRAL_H

#include "core/kernel/color.h"
#include "core/kernel/scene/scene.h"

#ifdef LB_SPECTRAL

/* The quad of a ray, a place or a light sample, and copying it from one to another. */
#define LB_QUAD_OF(x)          ((x)->quad)
#define LB_QUAD_COPY(to, from) ((to)->quad = LB_QUAD_OF(from))
/* Another parameter of a function, which others have no use for. */
#define LB_AND_QUAD(x) , x

/* For a place where only numbers are looked up. */
#define LB_QUAD_NONE(x) ((x)->quad = 0)

/* The light of a colour of the block. */
LB_INLINE lb_color lb_color_of(const lb_scene *scene, uint32_t quad, lb_rgb color)
{
    if (color.b == color.b)
        return lb_color_grey(color.r);
    const lb_lanes *spectra = LB_ARRAY(scene, spectra, lb_lanes);
    uint64_t number = (uint64_t)(uint32_t)lb_to_int(color.g);
    return lb_color_scale(lb_color_of_lanes(spectra[number * LB_QUADS + quad].values), color.r);
}

/* The light of what is grey in all scenes that are loaded with spectra. */
LB_INLINE lb_color lb_color_of_plain(lb_rgb color)
{
    return lb_color_grey(color.r);
}

/* How light that has come to the film is seen. */
LB_FUNCTION lb_rgb lb_color_seen(const lb_scene *scene, uint32_t quad, lb_color light)
{
    const lb_quad *q = LB_ARRAY(scene, quads, lb_quad) + quad;
    const float values[4] = {light.p, light.q, light.r, light.s};
    lb_rgb sum = lb_rgb_grey(0.0f);
    for (uint32_t i = 0; i < 4; i++)
        sum = lb_rgb_add(sum, lb_rgb_scale(q->shows[i], values[i]));
    return sum;
}

#else

#define LB_QUAD_OF(x)          0u
#define LB_QUAD_COPY(to, from) ((void)0)
#define LB_AND_QUAD(x)
#define LB_QUAD_NONE(x)                   ((void)0)
#define lb_color_of(scene, quad, color)   (color)
#define lb_color_of_plain(color)          (color)
#define lb_color_seen(scene, quad, light) (light)

#endif

#endif
