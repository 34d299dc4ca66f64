/* Textures that are computed: mappings from space to the plane, dots, colours of corners, and noise. */
#ifndef LB_CORE_KERNEL_TEXTURES_PATTERN_H
#define LB_CORE_KERNEL_TEXTURES_PATTERN_H

#include "core/kernel/noise.h"
#include "core/kernel/scene/scene.h"

/* The place where a texture is evaluated: surface coordinates, and in world space the point, the geometric normal
 * there, and how far apart pixels lie. */
typedef struct lb_texture_place {
    lb_vec2 uv;
    lb_vec3 position, normal;
    const lb_footprint *footprint; /* NULL: not known, and all detail shows */
#ifdef LB_SPECTRAL
    uint32_t quad; /* as in lb_ray */
#endif
} lb_texture_place;

/* The texture's coordinates, by all mappings but that by uv. */
LB_SELDOM lb_vec2 lb_texture_projected(const lb_texture *texture, const lb_texture_place *place)
{
    if (LB_ON_CPUS(texture->mapping == LB_MAPPING_SECOND_UV)) {
        lb_vec2 uv = place->footprint != NULL ? place->footprint->second_uv : place->uv;
        return lb_vec2_make(texture->su * uv.x + texture->du, texture->sv * uv.y + texture->dv);
    }
    lb_vec3 p = lb_transform_point(&texture->texture_from_world, place->position);
    if (texture->mapping == LB_MAPPING_PLANAR)
        return lb_vec2_make(texture->du + lb_dot(p, texture->s_axis),
                            texture->dv + lb_dot(p, texture->t_axis));
    float phi = lb_atan2(p.y, p.x), turn = 0.5f * LB_1_PI;
    if (texture->mapping == LB_MAPPING_CYLINDRICAL)
        return lb_vec2_make((LB_PI + phi) * turn, p.z);
    float theta = lb_acos(lb_clamp(lb_normalize(p).z, -1.0f, 1.0f));
    return lb_vec2_make(theta * LB_1_PI, (phi < 0.0f ? phi + 2.0f * LB_PI : phi) * turn);
}

/* The texture's coordinates at a place. */
LB_INLINE lb_vec2 lb_texture_coordinates(const lb_texture *texture, const lb_texture_place *place)
{
    if (texture->mapping != LB_MAPPING_UV)
        return lb_texture_projected(texture, place);
    return lb_vec2_make(texture->su * place->uv.x + texture->du, texture->sv * place->uv.y + texture->dv);
}

/* The 256 bytes that the texture's noise is made with. */
LB_INLINE const unsigned char *lb_texture_permutation(const lb_scene *scene, const lb_texture *texture)
{
    return LB_ARRAY(scene, texels, unsigned char) + texture->permutation;
}

/* Is there a dot at these coordinates? Some two in five of the unit cells around whole numbers have one, which noise
 * shifts. */
LB_SELDOM bool lb_pattern_dot(const lb_scene *scene, const lb_texture *texture, lb_vec2 st)
{
    const unsigned char *permutation = lb_texture_permutation(scene, texture);
    const float radius = 0.35f, shift = 0.5f - radius;
    float s = lb_floor(st.x + 0.5f), t = lb_floor(st.y + 0.5f);
    if (!(lb_noise(permutation, lb_vec3_make(s + 0.5f, t + 0.5f, 0.5f)) > 0.0f))
        return false;
    float x = st.x - (s + shift * lb_noise(permutation, lb_vec3_make(s + 1.5f, t + 2.8f, 0.5f)));
    float y = st.y - (t + shift * lb_noise(permutation, lb_vec3_make(s + 4.5f, t + 9.8f, 0.5f)));
    return x * x + y * y < radius * radius;
}

/* The colour between those of the four corners, bilinear. */
LB_FUNCTION lb_rgb lb_pattern_corners(const lb_texture *texture, lb_vec2 st)
{
    lb_rgb lower =
        lb_rgb_add(lb_rgb_scale(texture->corners[0], 1.0f - st.x), lb_rgb_scale(texture->corners[1], st.x));
    lb_rgb upper =
        lb_rgb_add(lb_rgb_scale(texture->corners[2], 1.0f - st.x), lb_rgb_scale(texture->corners[3], st.x));
    return lb_rgb_add(lb_rgb_scale(lower, 1.0f - st.y), lb_rgb_scale(upper, st.y));
}

/* The colour of pbrt's marble at t, from 0 to 1: a row of greys and blues, where four neighbours at a time are the
 * points of a Bezier curve, evaluated by de Casteljau's algorithm. */
LB_FUNCTION lb_rgb lb_pattern_vein(float t)
{
    const float row[9][3] = {{0.58f, 0.58f, 0.6f}, {0.58f, 0.58f, 0.6f}, {0.58f, 0.58f, 0.6f},
                             {0.5f, 0.5f, 0.5f},   {0.6f, 0.59f, 0.58f}, {0.58f, 0.58f, 0.6f},
                             {0.58f, 0.58f, 0.6f}, {0.2f, 0.2f, 0.33f},  {0.58f, 0.58f, 0.6f}};
    int32_t first = lb_to_int(lb_floor(t * 6.0f));
    first = first < 0 ? 0 : first > 5 ? 5 : first;
    float part = t * 6.0f - (float)first, value[3];
    for (int32_t c = 0; c < 3; c++) {
        float a = row[first][c], b = row[first + 1][c], d = row[first + 2][c], e = row[first + 3][c];
        float ab = lb_mix(part, a, b), bd = lb_mix(part, b, d), de = lb_mix(part, d, e);
        value[c] = 1.5f * lb_mix(part, lb_mix(part, ab, bd), lb_mix(part, bd, de));
    }
    return lb_rgb_make(value[0], value[1], value[2]);
}

/* A sum of noise, as lb_noise_sum has it, at `scale` times the point. */
LB_FUNCTION float lb_pattern_noise(const lb_scene *scene, const lb_texture *texture,
                                   const lb_texture_place *place, float scale, float roughness,
                                   uint32_t octaves)
{
    const lb_transform *own = &texture->texture_from_world;
    lb_vec3 p = lb_scale(lb_transform_point(own, place->position), scale);
    lb_footprint footprint;
    footprint.dpdx = footprint.dpdy = lb_vec3_make(0.0f, 0.0f, 0.0f);
    if (place->footprint != NULL) {
        footprint.dpdx = lb_scale(lb_transform_vector(own, place->footprint->dpdx), scale);
        footprint.dpdy = lb_scale(lb_transform_vector(own, place->footprint->dpdy), scale);
    }
    return lb_noise_sum(lb_texture_permutation(scene, texture), p, &footprint, roughness, octaves,
                        texture->kind == LB_TEXTURE_WRINKLED);
}

LB_FUNCTION lb_rgb lb_pattern_marble(const lb_scene *scene, const lb_texture *texture,
                                     const lb_texture_place *place)
{
    float noise =
        lb_pattern_noise(scene, texture, place, texture->scale, texture->roughness, texture->octaves);
    float y = texture->scale * lb_transform_point(&texture->texture_from_world, place->position).y;
    return lb_pattern_vein(0.5f + 0.5f * lb_sin(y + texture->variation * noise));
}

/* The value of a texture of the kind LB_TEXTURE_BILERP or one that follows it. */
LB_SELDOM lb_rgb lb_texture_pattern(const lb_scene *scene, const lb_texture *texture,
                                    const lb_texture_place *place)
{
    switch ((enum lb_texture_kind)texture->kind) {
    case LB_TEXTURE_BILERP:
        return lb_pattern_corners(texture, lb_texture_coordinates(texture, place));
    case LB_TEXTURE_WINDY: {
        float strength = lb_abs(lb_pattern_noise(scene, texture, place, 0.1f, 0.5f, 3));
        return lb_rgb_grey(strength * lb_pattern_noise(scene, texture, place, 1.0f, 0.5f, 6));
    }
    case LB_TEXTURE_MARBLE:
        return lb_pattern_marble(scene, texture, place);
    case LB_TEXTURE_FBM:
    case LB_TEXTURE_WRINKLED:
    /* The others are no patterns. */
    case LB_TEXTURE_CONSTANT:
    case LB_TEXTURE_SCALE:
    case LB_TEXTURE_MIX:
    case LB_TEXTURE_CHECKERBOARD:
    case LB_TEXTURE_IMAGE:
    case LB_TEXTURE_DIRECTION_MIX:
    case LB_TEXTURE_DOTS:
        break;
    }
    return lb_rgb_grey(lb_pattern_noise(scene, texture, place, 1.0f, texture->roughness, texture->octaves));
}

#endif
