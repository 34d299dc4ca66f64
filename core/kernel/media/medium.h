/* What a medium is at a point: how much light it absorbs, scatters and sends there. */
#ifndef LB_CORE_KERNEL_MEDIA_MEDIUM_H
#define LB_CORE_KERNEL_MEDIA_MEDIUM_H

#include "core/kernel/media/cloud.h"
#include "core/kernel/media/grid.h"
#include "core/kernel/scene/spectral.h"

/* The extinction of a homogeneous medium; of any other one, where its density is 1. */
LB_INLINE lb_color lb_medium_extinction(const lb_medium *medium LB_AND_QUAD(const lb_scene *scene)
                                            LB_AND_QUAD(uint32_t quad))
{
    return lb_color_add(lb_color_of(scene, quad, medium->sigma_a), lb_color_of(scene, quad, medium->sigma_s));
}

/* The numbers of a medium at a point. */
typedef struct lb_medium_point {
    lb_color sigma_a, sigma_s;
    lb_color emission; /* as lb_medium.emission */
} lb_medium_point;

#ifdef LB_SPECTRAL
/* What a black body sends at a wavelength over the most that it sends at any, where x is by how much the energy of a
 * photon is above the thermal one. */
LB_INLINE float lb_planck(float x)
{
    const float wien = 4.96511423f,
                least = 142.324889f; /* x where it sends most, and e to that power less 1 */
    float ratio = x / wien, square = ratio * ratio;
    float less =
        x < 0.05f ? x * (1.0f + x * (0.5f + x * (1.0f / 6.0f + x * (1.0f / 24.0f)))) : lb_exp(x) - 1.0f;
    return square * square * ratio * (least / less);
}

/* The light of a black body of the temperature whose grid has this value. */
LB_FUNCTION lb_color lb_medium_heat(const lb_scene *scene, uint32_t quad, const lb_medium *medium,
                                    float value)
{
    const lb_quad *q = LB_ARRAY(scene, quads, lb_quad) + quad;
    float kelvin = (value - medium->heat_offset) * medium->heat_scale, values[4];
    if (!(kelvin > LB_MEDIUM_COLD))
        return lb_color_grey(0.0f);
    for (uint32_t i = 0; i < 4; i++)
        values[i] = lb_planck(1.438777e7f / ((360.0f + 470.0f * q->places[i]) * kelvin));
    return lb_color_of_lanes(values);
}
#define LB_MEDIUM_HEAT(scene, quad, medium, value) lb_medium_heat(scene, quad, medium, value)
#else
#define LB_MEDIUM_HEAT(scene, quad, medium, value) lb_medium_heat(scene, medium, value)
/* The same, interpolated between two rows of the medium's table. */
LB_FUNCTION lb_color lb_medium_heat(const lb_scene *scene, const lb_medium *medium, float kelvin)
{
    const float *rows = LB_ARRAY(scene, tables, float) + medium->heat;
    kelvin = (kelvin - medium->heat_offset) * medium->heat_scale;
    if (!(kelvin > LB_MEDIUM_COLD))
        return lb_color_grey(0.0f);
    float at =
        (kelvin - LB_MEDIUM_COLD) / (medium->heat_last - LB_MEDIUM_COLD) * (float)(LB_MEDIUM_HEAT_ROWS - 1);
    at = lb_clamp(at, 0.0f, (float)(LB_MEDIUM_HEAT_ROWS - 1));
    int32_t row = lb_to_int(lb_min(lb_floor(at), (float)(LB_MEDIUM_HEAT_ROWS - 2)));
    float part = at - (float)row;
    rows += 3 * row;
    return lb_rgb_make(lb_mix(part, rows[0], rows[3]), lb_mix(part, rows[1], rows[4]),
                       lb_mix(part, rows[2], rows[5]));
}
#endif

/* Finds what a medium that varies is at a point of world space. */
LB_FUNCTION void lb_medium_at(const lb_scene *scene, const lb_medium *medium,
                              lb_vec3 world LB_AND_QUAD(uint32_t quad), lb_medium_point *point)
{
    lb_vec3 p = lb_transform_point(&medium->medium_from_world, world);
    float density = 1.0f;
    point->sigma_a = lb_color_of(scene, quad, medium->sigma_a);
    point->sigma_s = lb_color_of(scene, quad, medium->sigma_s);
    switch ((enum lb_medium_kind)medium->kind) {
    case LB_MEDIUM_RGB_GRID:
        if (medium->density.channels != 0)
            point->sigma_a = lb_color_mul(point->sigma_a, LB_GRID_COLOR(scene, quad, &medium->density, p));
        if (medium->scattering.channels != 0)
            point->sigma_s = lb_color_mul(point->sigma_s, LB_GRID_COLOR(scene, quad, &medium->scattering, p));
        break;
    case LB_MEDIUM_CLOUD:
        density = lb_cloud_density(scene, medium, p);
        break;
    case LB_MEDIUM_GRID:
        density = lb_grid_lookup(scene, &medium->density, p).r;
        break;
    case LB_MEDIUM_HOMOGENEOUS: /* which does not vary */
        break;
    }
    if (medium->kind != LB_MEDIUM_RGB_GRID) {
        point->sigma_a = lb_color_scale(point->sigma_a, density);
        point->sigma_s = lb_color_scale(point->sigma_s, density);
    }
    point->emission = lb_color_of(scene, quad, medium->emission);
    if (lb_color_is_black(point->emission))
        return;
    if (medium->glow.channels != 0)
        point->emission = lb_color_mul(point->emission, LB_GRID_COLOR(scene, quad, &medium->glow, p));
    if (medium->temperature.channels != 0)
        point->emission =
            lb_color_mul(point->emission, LB_MEDIUM_HEAT(scene, quad, medium,
                                                         lb_grid_lookup(scene, &medium->temperature, p).r));
}

#endif
