/* Environment maps hold the sphere of directions on a square that keeps areas (Clarberg 2008). They are laid out as in
 * pbrt-v4: +z in the centre, -z in the corners, the top row towards -y. Here they are looked up and sampled. */
#ifndef LB_CORE_KERNEL_LIGHTS_ENVIRONMENT_H
#define LB_CORE_KERNEL_LIGHTS_ENVIRONMENT_H

#include "core/kernel/film/filter.h"
#include "core/kernel/sampling.h"
#include "core/kernel/textures/texture.h"

/* The unit vector that a point of [0,1]^2 stands for; (0, 0) is the upper left corner. */
LB_FUNCTION lb_vec3 lb_octahedral_direction(lb_vec2 p)
{
    float u = 2.0f * p.x - 1.0f, v = 2.0f * p.y - 1.0f;
    float up = lb_abs(u), vp = lb_abs(v);
    float distance = 1.0f - (up + vp); /* from the edge of the square that the upper half sphere fills */
    float r = 1.0f - lb_abs(distance);
    float phi = (r == 0.0f ? 1.0f : (vp - up) / r + 1.0f) * (LB_PI / 4.0f);
    float s, c;
    lb_sincos(phi, &s, &c);
    float radius = r * lb_sqrt(lb_max(0.0f, 2.0f - r * r));
    return lb_vec3_make(lb_copysign(c, u) * radius, lb_copysign(s, v) * radius,
                        lb_copysign(1.0f - r * r, distance));
}

/* The inverse: the point that a unit vector has. */
LB_FUNCTION lb_vec2 lb_octahedral_point(lb_vec3 d)
{
    float x = lb_abs(d.x), y = lb_abs(d.y);
    float r = lb_sqrt(lb_max(0.0f, 1.0f - lb_abs(d.z)));
    float v = x == 0.0f && y == 0.0f ? 0.0f : lb_atan2(y, x) * (2.0f * LB_1_PI) * r;
    float u = r - v;
    if (d.z < 0.0f) {
        float swapped = 1.0f - u;
        u = 1.0f - v;
        v = swapped;
    }
    return lb_vec2_make((lb_copysign(u, d.x) + 1.0f) * 0.5f, (lb_copysign(v, d.y) + 1.0f) * 0.5f);
}

/* The radiance at the point p of the square. It is the nearest texel's, as in pbrt. */
LB_FUNCTION lb_color lb_environment_texel(const lb_scene *scene, const lb_light *light,
                                          lb_vec2 p LB_AND_QUAD(uint32_t quad))
{
    const lb_image *image = LB_ARRAY(scene, images, lb_image) + light->image;
    lb_rgb texel = lb_image_lookup(scene, image, LB_WRAP_OCTAHEDRAL, false, true, p.x, p.y);
    return lb_color_mul(lb_color_of_plain(light->emission), lb_color_of_shining(scene, quad, texel));
}

/* The number of the cell of the importance map in which p lies. */
LB_INLINE uint64_t lb_environment_cell(const lb_light *light, lb_vec2 p)
{
    int32_t n = (int32_t)light->map_size;
    int32_t x = lb_to_int(p.x * (float)n), y = lb_to_int(p.y * (float)n);
    x = x < 0 ? 0 : x >= n ? n - 1 : x;
    y = y < 0 ? 0 : y >= n ? n - 1 : y;
    return (uint64_t)y * (uint64_t)n + (uint64_t)x;
}

/* The radiance that comes from direction d of world space, and the density by solid angle with which
 * lb_environment_sample draws d. */
LB_FUNCTION lb_color lb_environment_radiance(const lb_scene *scene, const lb_light *light, lb_vec3 d,
                                             float *pdf LB_AND_QUAD(uint32_t quad))
{
    lb_vec2 p = lb_octahedral_point(lb_normalize(lb_transform_vector(&light->light_from_world, d)));
    *pdf = LB_ARRAY(scene, tables, float)[light->density.offset + lb_environment_cell(light, p)] * LB_1_4PI;
    return lb_environment_texel(scene, light, p LB_AND_QUAD(quad));
}

/* Draws a direction of world space by the importance map. Returns its radiance and sets its density by solid angle. */
LB_FUNCTION lb_color lb_environment_sample(const lb_scene *scene, const lb_light *light, lb_vec2 u,
                                           lb_vec3 *direction, float *pdf LB_AND_QUAD(uint32_t quad))
{
    const float *tables = LB_ARRAY(scene, tables, float);
    uint32_t n = light->map_size, row, column;
    lb_vec2 p;
    p.y = lb_cdf_sample(tables + light->marginal.offset, n, u.y, &row);
    const float *cdf = tables + light->conditional.offset + (uint64_t)row * (n + 1u);
    column = lb_cdf_find_by_steps(cdf, tables + light->steps.offset + (uint64_t)row * lb_cdf_step_count(n), n,
                                  u.x);
    p.x = lb_cdf_place(cdf, n, column, u.x);
    *pdf = tables[light->density.offset + (uint64_t)row * n + column] * LB_1_4PI;
    *direction = lb_normalize(lb_transform_vector(&light->world_from_light, lb_octahedral_direction(p)));
    return lb_environment_texel(scene, light, p LB_AND_QUAD(quad));
}

#endif
