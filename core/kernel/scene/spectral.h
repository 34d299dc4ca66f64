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

/* The largest component of the colours at a height of the table of sigmoids, from 0 to 1: heights lie closest near
 * both ends. */
LB_INLINE float lb_sigmoid_height_at(float part)
{
    part = part * part * (3.0f - 2.0f * part);
    return part * part * (3.0f - 2.0f * part);
}

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

/* Where a colour lies in the table: cells, and the parts of the way to the next ones. */
typedef struct lb_sigmoid_place {
    uint32_t cell[3];
    float part[3];
} lb_sigmoid_place;

/* Places x, from 0 to 1, between two of the squares that the sides of the table have. */
LB_INLINE void lb_sigmoid_side(float x, uint32_t *cell, float *part)
{
    const float last = (float)(LB_SIGMOID_SIDES - 1);
    int32_t at = lb_to_int(lb_sqrt(x) * last);
    at = at > LB_SIGMOID_SIDES - 2 ? LB_SIGMOID_SIDES - 2 : at;
    float low = (float)at / last, high = (float)(at + 1) / last;
    *cell = (uint32_t)at;
    *part = lb_clamp((x - low * low) / (high * high - low * low), 0.0f, 1.0f);
}

/* The coefficients for a colour that is not grey, with components from 0 to 1. */
LB_SELDOM lb_vec3 lb_sigmoid_find(const lb_scene *scene, lb_rgb c)
{
    const float values[3] = {c.r, c.g, c.b};
    uint32_t most = c.r >= c.g ? (c.r >= c.b ? 0u : 2u) : (c.g >= c.b ? 1u : 2u), low = 0,
             high = LB_SIGMOID_HEIGHTS - 1;
    lb_sigmoid_place at;
    float z = values[most];
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (lb_sigmoid_height_at((float)middle / (float)(LB_SIGMOID_HEIGHTS - 1)) <= z)
            low = middle;
        else
            high = middle;
    }
    float first = lb_sigmoid_height_at((float)low / (float)(LB_SIGMOID_HEIGHTS - 1));
    float last = lb_sigmoid_height_at((float)high / (float)(LB_SIGMOID_HEIGHTS - 1));
    at.cell[0] = low;
    at.part[0] = lb_clamp((z - first) / (last - first), 0.0f, 1.0f);
    lb_sigmoid_side(values[(most + 2) % 3] / z, &at.cell[1], &at.part[1]);
    lb_sigmoid_side(values[(most + 1) % 3] / z, &at.cell[2], &at.part[2]);
    const lb_vec3 *table = LB_ARRAY(scene, sigmoids, lb_vec3);
    lb_vec3 sum = lb_vec3_make(0.0f, 0.0f, 0.0f);
    for (uint32_t corner = 0; corner < 8; corner++) {
        uint64_t index = most;
        float weight = 1.0f;
        for (uint32_t axis = 0; axis < 3; axis++) {
            uint32_t next = corner >> axis & 1u;
            index = index * (axis == 0 ? LB_SIGMOID_HEIGHTS : LB_SIGMOID_SIDES) + at.cell[axis] + next;
            weight *= next != 0 ? at.part[axis] : 1.0f - at.part[axis];
        }
        sum = lb_add_scaled(sum, table[index], weight);
    }
    return sum;
}

/* A smooth reflectance (core/scene/spectrum/uplift.h) at the place x, from 0 to 1, of the wavelengths. */
LB_INLINE float lb_sigmoid_value(float c0, float c1, float c2, float x)
{
    float y = (c0 * x + c1) * x + c2;
    return 0.5f + 0.5f * y / lb_sqrt(1.0f + y * y);
}

/* The smooth reflectance that shows a colour, whose components are cut to 0 .. 1. */
LB_FUNCTION lb_color lb_color_of_reflectance(const lb_scene *scene, uint32_t quad, lb_rgb c)
{
    c = lb_rgb_make(lb_clamp(c.r, 0.0f, 1.0f), lb_clamp(c.g, 0.0f, 1.0f), lb_clamp(c.b, 0.0f, 1.0f));
    if (c.r == c.g && c.g == c.b)
        return lb_color_grey(c.r);
    lb_vec3 sigmoid = lb_sigmoid_find(scene, c);
    const lb_quad *q = LB_ARRAY(scene, quads, lb_quad) + quad;
    float values[4];
    for (uint32_t i = 0; i < 4; i++)
        values[i] = lb_sigmoid_value(sigmoid.x, sigmoid.y, sigmoid.z, q->places[i]);
    return lb_color_of_lanes(values);
}

/* The spectrum of a colour that is no reflectance: a factor and a reflectance of at most a half (pbrt). */
LB_SELDOM lb_color lb_color_of_unbounded(const lb_scene *scene, uint32_t quad, lb_rgb c)
{
    float most = 2.0f * lb_rgb_max(c);
    if (!(most > 0.0f))
        return lb_color_grey(0.0f);
    return lb_color_scale(lb_color_of_reflectance(scene, quad, lb_rgb_scale(c, 1.0f / most)), most);
}

/* The light of a colour of an image of light: a factor, a reflectance of at most a half, and white (pbrt). */
LB_FUNCTION lb_color lb_color_of_shining(const lb_scene *scene, uint32_t quad, lb_rgb c)
{
    float most = 2.0f * lb_rgb_max(c);
    if (!(most > 0.0f))
        return lb_color_grey(0.0f);
    lb_color reflected = lb_color_of_reflectance(scene, quad, lb_rgb_scale(c, 1.0f / most));
    return lb_color_scale(
        lb_color_mul(reflected, lb_color_of_lanes((LB_ARRAY(scene, quads, lb_quad) + quad)->white)), most);
}

/* What so much of each wavelength is seen as, by what 1 of it is. */
LB_INLINE lb_rgb lb_color_shown(const lb_rgb shows[4], lb_color light)
{
    const float values[4] = {light.p, light.q, light.r, light.s};
    lb_rgb sum = lb_rgb_grey(0.0f);
    for (uint32_t i = 0; i < 4; i++)
        sum = lb_rgb_add(sum, lb_rgb_scale(shows[i], values[i]));
    return sum;
}

/* How light that has come to the film is seen. */
LB_FUNCTION lb_rgb lb_color_seen(const lb_scene *scene, uint32_t quad, lb_color light)
{
    return lb_color_shown((LB_ARRAY(scene, quads, lb_quad) + quad)->shows, light);
}

/* How an albedo is seen, under white light. */
LB_FUNCTION lb_rgb lb_color_albedo(const lb_scene *scene, uint32_t quad, lb_color albedo)
{
    return lb_color_shown((LB_ARRAY(scene, quads, lb_quad) + quad)->albedo, albedo);
}

#else

#define LB_QUAD_OF(x)          0u
#define LB_QUAD_COPY(to, from) ((void)0)
#define LB_AND_QUAD(x)
#define LB_QUAD_NONE(x)                             ((void)0)
#define lb_color_of(scene, quad, color)             (color)
#define lb_color_of_plain(color)                    (color)
#define lb_color_of_reflectance(scene, quad, color) (color)
#define lb_color_of_shining(scene, quad, color)     (color)
#define lb_color_seen(scene, quad, light)           (light)
#define lb_color_albedo(scene, quad, albedo)        (albedo)

#endif

#endif
