/* Lights: how one is chosen, how a direction towards it is drawn, and with what density that would have drawn a ray
 * that meets it by chance. */
#ifndef LB_CORE_KERNEL_LIGHTS_LIGHT_H
#define LB_CORE_KERNEL_LIGHTS_LIGHT_H

#include "core/kernel/lights/environment.h"
#include "core/kernel/lights/light_shape.h"
#include "core/kernel/lights/portal.h"
#include "core/kernel/sampler.h"

/* The light that would arrive at a point if nothing were in the way. */
typedef struct lb_light_sample {
    lb_vec3 direction; /* of unit length, towards the light */
    float distance;    /* for lights at infinity the scene's light_distance */
    lb_color radiance; /* for lights of no size it is the irradiance that f |cosine| is multiplied by */
    float pdf;         /* by solid angle; 0: no light comes; 1 where `delta` */
#ifdef LB_SPECTRAL
    uint32_t quad; /* as in lb_ray; who asks for the sample sets it before */
#endif
    bool delta; /* does the light have no size, so that no ray meets it by chance? */
} lb_light_sample;

/* The largest number below 1. */
#define LB_BELOW_ONE 0x1.fffffep-1f

/* A choice that is less probable than this goes on with a fresh random number, as few bits are left in the first. */
#define LB_LIGHT_FRESH 0x1p-8f

/* Gives u->x bits anew where few are left of it, by both numbers. */
LB_INLINE void lb_light_refresh(lb_vec2 *u)
{
    uint64_t bits = (uint64_t)lb_float_bits(u->x) << 32 | lb_float_bits(u->y);
    u->x = lb_unit_float((uint32_t)(lb_hash_u64(bits) >> 32));
}

/* So few lights are chosen by sums of their probabilities, so that each has but one part of [0, 1). */
#define LB_LIGHTS_FEW 8u

/* A light's part of [0, 1), or one of its parts. */
typedef struct lb_light_part {
    float begin, length;
} lb_light_part;

/* Chooses one of few lights by u. LB_NONE: there is none. */
LB_FUNCTION uint32_t lb_light_choose_few(const lb_alias *choice, uint32_t count, float u, lb_light_part *part)
{
    uint32_t light = LB_NONE, i;
    float sum = 0.0f;
    for (i = 0; i < count; i++) {
        if (choice[i].probability > 0.0f && (light == LB_NONE || u >= sum)) {
            light = i;
            part->begin = sum;
            part->length = choice[i].probability;
        }
        sum += choice[i].probability;
    }
    return light;
}

/* Chooses one of many lights by u (Walker's alias method). */
LB_SELDOM uint32_t lb_light_choose_many(const lb_alias *choice, uint32_t count, float u, lb_light_part *part)
{
    float each = 1.0f / (float)count, place = u * (float)count;
    uint32_t entry = (uint32_t)lb_to_int(place);
    if (entry >= count)
        entry = count - 1;
    float threshold = choice[entry].threshold;
    bool own = place - (float)entry < threshold;
    part->begin = ((float)entry + (own ? 0.0f : threshold)) * each;
    part->length = (own ? threshold : 1.0f - threshold) * each;
    return own ? entry : choice[entry].other;
}

/* Chooses a light by u->x in [0, 1), and tells with what probability. LB_NONE: there is none. What u->x leaves open
 * becomes a number in [0, 1) again, so that a point on the light can be drawn by *u: so the points on all lights
 * together are spread as evenly as the pairs of numbers by which they are drawn. */
LB_FUNCTION uint32_t lb_light_choose(const lb_scene *scene, lb_vec2 *u, float *probability)
{
    const lb_alias *choice = LB_ARRAY(scene, light_choice, lb_alias);
    uint32_t count = (uint32_t)scene->light_choice.count;
    lb_light_part part;
    uint32_t light = count <= LB_LIGHTS_FEW ? lb_light_choose_few(choice, count, u->x, &part)
                                            : lb_light_choose_many(choice, count, u->x, &part);
    if (light == LB_NONE)
        return LB_NONE;
    if (part.length < LB_LIGHT_FRESH)
        lb_light_refresh(u);
    else
        u->x = lb_clamp((u->x - part.begin) / part.length, 0.0f, LB_BELOW_ONE);
    *probability = choice[light].probability;
    return light;
}

/* The probability with which lb_light_choose chooses this light. */
LB_INLINE float lb_light_probability(const lb_scene *scene, uint32_t light)
{
    return scene->light_choice.count == 0 ? 0.0f : LB_ARRAY(scene, light_choice, lb_alias)[light].probability;
}

/* ---- area lights ---- */

/* What makes an emitter's light differ from place to place. */
#define LB_SHAPE_PATTERNED (LB_SHAPE_HAS_ALPHA | LB_SHAPE_SHINES_BY_IMAGE)

/* Is it an emitter of constant alpha 0? As in pbrt it gives light, though no ray ever meets it. */
LB_INLINE bool lb_area_is_invisible(const lb_shape *shape)
{
    return (shape->flags & LB_SHAPE_HAS_ALPHA) != 0 && shape->alpha.texture == LB_NONE &&
           !(shape->alpha.value.r > 0.0f);
}

/* What an emitter sends from a place where that is not the same all over it: by the image of its light, and by its
 * alpha, which also weighs what it sends, as in pbrt. Where it is, as for lb_alpha_place. */
LB_SELDOM lb_color lb_area_pattern(const lb_scene *scene, const lb_light *light, const lb_shape *shape,
                                   uint32_t primitive, float b1, float b2,
                                   lb_vec3 point LB_AND_QUAD(uint32_t quad))
{
    lb_color radiance = lb_color_of(scene, quad, light->emission);
    lb_texture_place place = lb_alpha_place(scene, shape, primitive, b1, b2, point);
    if ((shape->flags & LB_SHAPE_SHINES_BY_IMAGE) != 0) {
        const lb_image *image = LB_ARRAY(scene, images, lb_image) + light->image;
        lb_vec2 uv = place.uv;
        if (LB_ON_CPUS((shape->flags & LB_SHAPE_SHINES_BY_SECOND_UV) != 0))
            uv = lb_mesh_uv_from(scene, shape, shape->first_second_uv, primitive, b1, b2);
        radiance =
            lb_color_mul(radiance, lb_color_of_shining(scene, quad,
                                                       lb_image_lookup(scene, image, LB_WRAP_CLAMP, false,
                                                                       false, uv.x, 1.0f - uv.y)));
    }
    if ((shape->flags & LB_SHAPE_HAS_ALPHA) != 0 && !lb_area_is_invisible(shape))
        radiance =
            lb_color_scale(radiance, lb_clamp(lb_texture_float(scene, &shape->alpha, &place), 0.0f, 1.0f));
    return radiance;
}

LB_FUNCTION void lb_area_sample(const lb_scene *scene, const lb_light *light, lb_vec3 from, lb_vec2 u,
                                lb_light_sample *sample)
{
    const lb_shape *shape = LB_ARRAY(scene, shapes, lb_shape) + light->primitive.shape;
    bool plain = light->facing != 0.0f; /* then the shape is not looked at */
    lb_emitter_sample point;
    sample->pdf = 0.0f;
    if (!light->twosided && lb_triangle_shows_back(light, from))
        return;
    point.direction = lb_vec3_make(0.0f, 0.0f, 1.0f);
    point.distance = 0.0f;
    point.point = from;
    point.b1 = point.b2 = 0.0f;
    if (plain || shape->kind == LB_SHAPE_MESH)
        lb_triangle_sample(scene, light, from, u, &point);
    else
        lb_quadric_sample(shape, from, u, &point);
    if (!(point.pdf > 0.0f) || !lb_is_finite(point.pdf) ||
        (!light->twosided && !(lb_dot(point.ng, point.direction) < 0.0f)))
        return;
    sample->direction = point.direction;
    sample->distance = point.distance;
    sample->pdf = point.pdf;
    sample->radiance = lb_color_of(scene, LB_QUAD_OF(sample), light->emission);
    sample->delta = false;
    if (plain)
        return;
    sample->delta = lb_area_is_invisible(shape);
    if ((shape->flags & LB_SHAPE_PATTERNED) != 0)
        sample->radiance = lb_area_pattern(scene, light, shape, light->primitive.primitive, point.b1,
                                           point.b2, point.point LB_AND_QUAD(sample->quad));
}

/* The radiance that leaves an emitter's point towards where the ray comes from. */
LB_JOINED lb_color lb_area_radiance(const lb_scene *scene, const lb_light *light, const lb_shape *shape,
                                    const lb_surface *surface, const lb_ray *ray, const lb_hit *hit)
{
    if (!light->twosided && !(lb_dot(surface->ng, ray->direction) < 0.0f))
        return lb_color_grey(0.0f);
    if ((shape->flags & LB_SHAPE_PATTERNED) == 0)
        return lb_color_of(scene, LB_QUAD_OF(ray), light->emission);
    lb_vec3 point =
        shape->kind == LB_SHAPE_MESH ? surface->position : lb_quadric_point(scene, shape, ray, hit);
    return lb_area_pattern(scene, light, shape, hit->primitive.primitive, hit->b1, hit->b2,
                           point LB_AND_QUAD(ray->quad));
}

/* The density by solid angle with which lb_area_sample draws the hit's point from `from`, which lies at this distance
 * from it. */
LB_FUNCTION float lb_area_pdf(const lb_light *light, const lb_shape *shape, const lb_surface *surface,
                              lb_vec3 from, lb_vec3 direction, float distance)
{
    if (shape->kind == LB_SHAPE_MESH)
        return lb_triangle_pdf(light, from, distance, direction);
    return lb_quadric_pdf(shape, from, surface->position, distance, lb_abs(lb_dot(surface->ng, direction)));
}

/* ---- lights of no size ---- */

/* pbrt's falloff at the rim of a spot light's cone. */
LB_FUNCTION float lb_spot_falloff(const lb_light *light, float cosine)
{
    if (light->cos_start <= light->cos_total)
        return cosine >= light->cos_total ? 1.0f : 0.0f;
    float x = lb_clamp((cosine - light->cos_total) / (light->cos_start - light->cos_total), 0.0f, 1.0f);
    return x * x * (3.0f - 2.0f * x);
}

/* The factor that the image of a light has for a direction that leaves it. As in pbrt the image of a goniometric light
 * has +y in its middle, and a projection light is black beyond its image. */
LB_SELDOM lb_color lb_point_image(const lb_scene *scene, const lb_light *light,
                                  lb_vec3 leaving LB_AND_QUAD(uint32_t quad))
{
    const lb_image *image = LB_ARRAY(scene, images, lb_image) + light->image;
    lb_vec3 d = lb_transform_vector(&light->light_from_world, leaving);
    if (light->kind == LB_LIGHT_GONIOMETRIC) {
        d = lb_normalize(d);
        lb_vec2 p = lb_octahedral_point(lb_vec3_make(d.x, d.z, d.y));
        return lb_color_grey(
            lb_rgb_average(lb_image_lookup(scene, image, LB_WRAP_OCTAHEDRAL, false, true, p.x, p.y)));
    }
    if (!(d.z > 0.0f) || lb_abs(d.x) > d.z || lb_abs(d.y) > d.z)
        return lb_color_grey(0.0f);
    return lb_color_of_shining(scene, quad,
                               lb_image_lookup(scene, image, LB_WRAP_CLAMP, false, true,
                                               0.5f + 0.5f * d.x / d.z, 0.5f + 0.5f * d.y / d.z));
}

LB_FUNCTION void lb_point_sample(const lb_scene *scene, const lb_light *light, lb_vec3 from,
                                 lb_light_sample *sample)
{
    lb_vec3 way = lb_sub(light->position, from);
    float square = lb_dot(way, way);
    sample->pdf = 0.0f;
    if (!(square > 0.0f))
        return;
    sample->distance = lb_sqrt(square);
    sample->direction = lb_scale(way, 1.0f / sample->distance);
    sample->radiance = lb_color_scale(lb_color_of(scene, LB_QUAD_OF(sample), light->emission), 1.0f / square);
    sample->pdf = 1.0f;
    sample->delta = true;
    if (light->kind == LB_LIGHT_SPOT) {
        float falloff = lb_spot_falloff(light, -lb_dot(light->direction, sample->direction));
        sample->radiance = lb_color_scale(sample->radiance, falloff);
        if (!(falloff > 0.0f))
            sample->pdf = 0.0f;
    } else if (light->kind != LB_LIGHT_POINT) {
        lb_color factor =
            lb_point_image(scene, light, lb_negate(sample->direction) LB_AND_QUAD(sample->quad));
        sample->radiance = lb_color_mul(sample->radiance, factor);
        if (lb_color_is_black(factor))
            sample->pdf = 0.0f;
    }
}

/* ---- all ---- */

/* Draws a direction from which light may come to the point `from`. */
LB_OFTEN void lb_light_draw(const lb_scene *scene, uint32_t number, lb_vec3 from, lb_vec2 u,
                            lb_light_sample *sample)
{
    const lb_light *light = LB_ARRAY(scene, lights, lb_light) + number;
    sample->delta = false;
    /* It stays so for a sky of one colour, which pbrt does not sample: it is black in a medium without an end. */
    sample->distance = LB_INFINITY;
    sample->direction = lb_vec3_make(0.0f, 0.0f, 1.0f);
    sample->radiance = lb_color_grey(0.0f);
    sample->pdf = 0.0f;
    switch ((enum lb_light_kind)light->kind) {
    case LB_LIGHT_AREA:
        lb_area_sample(scene, light, from, u, sample);
        break;
    case LB_LIGHT_POINT:
    case LB_LIGHT_SPOT:
    case LB_LIGHT_GONIOMETRIC:
    case LB_LIGHT_PROJECTION:
        lb_point_sample(scene, light, from, sample);
        break;
    case LB_LIGHT_DISTANT:
        sample->direction = light->direction;
        sample->radiance = lb_color_of(scene, LB_QUAD_OF(sample), light->emission);
        sample->pdf = 1.0f;
        sample->delta = true;
        sample->distance = scene->light_distance;
        break;
    case LB_LIGHT_INFINITE_IMAGE:
        sample->radiance = lb_environment_sample(scene, light, u, &sample->direction,
                                                 &sample->pdf LB_AND_QUAD(sample->quad));
        sample->distance = scene->light_distance;
        break;
    case LB_LIGHT_INFINITE_CONSTANT:
        sample->direction = lb_sample_sphere(u);
        sample->radiance = lb_color_of(scene, LB_QUAD_OF(sample), light->emission);
        sample->pdf = LB_1_4PI;
        break;
    case LB_LIGHT_INFINITE_PORTAL:
        sample->radiance = lb_portal_sample(scene, light, from, u, &sample->direction,
                                            &sample->pdf LB_AND_QUAD(sample->quad));
        sample->distance = scene->light_distance;
        break;
    case LB_LIGHT_KIND_COUNT:
        break;
    }
}

/* The radiance of an infinite light along the ray, and the density with which lb_light_draw draws that direction for
 * the point that lies `travelled` before the ray's origin. */
LB_FUNCTION lb_color lb_infinite_radiance(const lb_scene *scene, const lb_light *light, const lb_ray *ray,
                                          float travelled, float *pdf)
{
    switch ((enum lb_light_kind)light->kind) {
    case LB_LIGHT_INFINITE_IMAGE:
        return lb_environment_radiance(scene, light, ray->direction, pdf LB_AND_QUAD(ray->quad));
    case LB_LIGHT_INFINITE_PORTAL:
        return lb_portal_radiance(scene, light, lb_add_scaled(ray->origin, ray->direction, -travelled),
                                  ray->direction, pdf LB_AND_QUAD(ray->quad));
    case LB_LIGHT_INFINITE_CONSTANT:
    /* The others are not infinite. */
    case LB_LIGHT_POINT:
    case LB_LIGHT_SPOT:
    case LB_LIGHT_DISTANT:
    case LB_LIGHT_GONIOMETRIC:
    case LB_LIGHT_PROJECTION:
    case LB_LIGHT_AREA:
    case LB_LIGHT_KIND_COUNT:
        break;
    }
    *pdf = LB_1_4PI;
    return lb_color_of(scene, LB_QUAD_OF(ray), light->emission);
}

#endif
