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

/* The light of a black body of so many kelvin, interpolated between two rows of the medium's table. */
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
    return lb_color_of_plain(lb_rgb_make(lb_mix(part, rows[0], rows[3]), lb_mix(part, rows[1], rows[4]),
                                         lb_mix(part, rows[2], rows[5])));
}

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
            point->sigma_a =
                lb_color_mul(point->sigma_a, lb_color_of_plain(lb_grid_lookup(scene, &medium->density, p)));
        if (medium->scattering.channels != 0)
            point->sigma_s = lb_color_mul(point->sigma_s,
                                          lb_color_of_plain(lb_grid_lookup(scene, &medium->scattering, p)));
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
        point->emission =
            lb_color_mul(point->emission, lb_color_of_plain(lb_grid_lookup(scene, &medium->glow, p)));
    if (medium->temperature.channels != 0)
        point->emission = lb_color_mul(
            point->emission, lb_medium_heat(scene, medium, lb_grid_lookup(scene, &medium->temperature, p).r));
}

#endif
