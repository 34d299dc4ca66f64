/* Evaluates textures: images, checkerboards, those that scale and mix others, and the patterns of
 * core/kernel/textures/pattern.h. */
#ifndef LB_CORE_KERNEL_TEXTURES_TEXTURE_H
#define LB_CORE_KERNEL_TEXTURES_TEXTURE_H

#include "core/kernel/scene/spectral.h"
#include "core/kernel/textures/mipmap.h"
#include "core/kernel/textures/pattern.h"

/* The value of a texture that is an image. */
LB_FUNCTION lb_rgb lb_texture_image(const lb_scene *scene, const lb_texture *texture,
                                    const lb_texture_place *place)
{
    const lb_image *image = LB_ARRAY(scene, images, lb_image) + texture->image;
    lb_vec2 st = lb_texture_coordinates(texture, place);
    lb_rgb value;
    if (texture->filter < LB_FILTERED_TRILINEAR || place->footprint == NULL ||
        !lb_texture_filtered(scene, texture, place, st, &value))
        value = lb_image_lookup(scene, image, texture->wrap, texture->is_float != 0,
                                texture->filter == LB_FILTERED_NEAREST, st.x, 1.0f - st.y);
    value = lb_rgb_scale(value, texture->scale);
    if (texture->invert != 0)
        value = lb_rgb_sub(lb_rgb_grey(1.0f), value);
    return lb_rgb_make(lb_max(value.r, 0.0f), lb_max(value.g, 0.0f), lb_max(value.b, 0.0f));
}

/* What light an image reflects. */
#ifdef LB_SPECTRAL
#define LB_IMAGE_COLOR(scene, place, texture) lb_texture_reflects(scene, texture, place)
LB_FUNCTION lb_color lb_texture_reflects(const lb_scene *scene, const lb_texture *texture,
                                         const lb_texture_place *place)
{
    lb_rgb value = lb_texture_image(scene, texture, place);
    if (texture->is_float != 0)
        return lb_color_grey(value.r);
    if (texture->unbounded != 0)
        return lb_color_of_unbounded(scene, place->quad, value);
    return lb_color_of_reflectance(scene, place->quad, value);
}
#else
#define LB_IMAGE_COLOR(scene, place, texture) lb_texture_image(scene, texture, place)
#endif

/* The colour of a pattern. */
#ifdef LB_SPECTRAL
#define LB_PATTERN_COLOR(scene, place, texture) lb_texture_pattern_color(scene, texture, place)
LB_FUNCTION lb_color lb_texture_pattern_color(const lb_scene *scene, const lb_texture *texture,
                                              const lb_texture_place *place)
{
    if (texture->kind == LB_TEXTURE_MARBLE)
        return lb_color_of_reflectance(scene, place->quad, lb_texture_pattern(scene, texture, place));
    if (texture->kind != LB_TEXTURE_BILERP)
        return lb_color_of_plain(lb_texture_pattern(scene, texture, place));
    lb_vec2 st = lb_texture_coordinates(texture, place);
    const float weights[4] = {(1.0f - st.x) * (1.0f - st.y), st.x * (1.0f - st.y), (1.0f - st.x) * st.y,
                              st.x * st.y};
    lb_color sum = lb_color_grey(0.0f);
    for (uint32_t i = 0; i < 4; i++)
        sum = lb_color_add(sum,
                           lb_color_scale(lb_color_of(scene, place->quad, texture->corners[i]), weights[i]));
    return sum;
}
#else
#define LB_PATTERN_COLOR(scene, place, texture) lb_texture_pattern(scene, texture, place)
#endif

/* The parity of the unit cell in which x is. */
LB_INLINE uint32_t lb_checker_parity(float x)
{
    float cell = lb_floor(x);
    return cell - 2.0f * lb_floor(0.5f * cell) == 0.0f ? 0u : 1u;
}

/* Does the checkerboard show its second texture? */
LB_FUNCTION bool lb_texture_checker_odd(const lb_texture *texture, const lb_texture_place *place)
{
    if (texture->dimensions == 3) {
        lb_vec3 p = lb_transform_point(&texture->texture_from_world, place->position);
        return ((lb_checker_parity(p.x) + lb_checker_parity(p.y) + lb_checker_parity(p.z)) & 1u) != 0;
    }
    lb_vec2 st = lb_texture_coordinates(texture, place);
    return ((lb_checker_parity(st.x) + lb_checker_parity(st.y)) & 1u) != 0;
}

/* The input to evaluate first: of a checkerboard or dots the one that shows at the place, of other kinds the first. */
LB_FUNCTION const lb_input *lb_texture_first_input(const lb_scene *scene, const lb_texture *texture,
                                                   const lb_texture_place *place)
{
    bool second = false;
    if (texture->kind == LB_TEXTURE_CHECKERBOARD)
        second = lb_texture_checker_odd(texture, place);
    else if (texture->kind == LB_TEXTURE_DOTS)
        second = lb_pattern_dot(scene, texture, lb_texture_coordinates(texture, place));
    return second ? &texture->b : &texture->a;
}

/* A texture that is being evaluated, and waits for its inputs one after the other. */
typedef struct lb_texture_frame {
    const lb_texture *texture;
    uint32_t done;   /* how many inputs are known */
    lb_color first;  /* scale, mix, directionmix: the value of a */
    lb_color second; /* mix: the value of b */
} lb_texture_frame;

/* Gives `value` to the texture that waits for it. True: its own value is known now, and stands in `value`. */
LB_FUNCTION bool lb_texture_feed(lb_texture_frame *frame, const lb_texture_place *place, lb_color *value)
{
    if (frame->texture->kind == LB_TEXTURE_CHECKERBOARD || frame->texture->kind == LB_TEXTURE_DOTS ||
        frame->texture->kind == LB_TEXTURE_CONSTANT)
        return true;
    if (frame->done == 0) {
        frame->first = *value;
        frame->done = 1;
        return false;
    }
    if (frame->texture->kind == LB_TEXTURE_SCALE) {
        *value = lb_color_mul(frame->first, *value);
        return true;
    }
    if (frame->texture->kind == LB_TEXTURE_DIRECTION_MIX) {
        float cosine = lb_abs(lb_dot(place->normal, frame->texture->direction));
        *value = lb_color_add(lb_color_scale(frame->first, cosine), lb_color_scale(*value, 1.0f - cosine));
        return true;
    }
    if (frame->done == 1) {
        frame->second = *value;
        frame->done = 2;
        return false;
    }
    float amount = lb_color_lane(*value, 0);
    *value = lb_color_add(lb_color_scale(frame->first, 1.0f - amount), lb_color_scale(frame->second, amount));
    return true;
}

/* Evaluates a texture whose inputs may be textures themselves, in post-order over a stack of bounded depth. */
LB_FUNCTION lb_color lb_texture_nested(const lb_scene *scene, const lb_input *input,
                                       const lb_texture_place *place)
{
    const lb_texture *textures = LB_ARRAY(scene, textures, lb_texture);
    lb_texture_frame stack[LB_TEXTURE_DEPTH];
    uint32_t depth = 0;
    for (;;) {
        lb_color value;
        if (input->texture == LB_NONE) {
            value = lb_color_of(scene, LB_QUAD_OF(place), input->value);
        } else if (textures[input->texture].kind == LB_TEXTURE_IMAGE) {
            value = LB_IMAGE_COLOR(scene, place, textures + input->texture);
        } else if (textures[input->texture].kind >= LB_TEXTURE_BILERP) {
            value = LB_PATTERN_COLOR(scene, place, textures + input->texture);
        } else {
            if (depth == LB_TEXTURE_DEPTH)
                return lb_color_grey(0.0f);
            const lb_texture *texture = textures + input->texture;
            stack[depth].texture = texture;
            stack[depth].done = 0;
            depth++;
            input = lb_texture_first_input(scene, texture, place);
            continue;
        }
        for (;;) {
            if (depth == 0)
                return value;
            if (!lb_texture_feed(&stack[depth - 1], place, &value))
                break;
            depth--;
        }
        input = stack[depth - 1].done == 1 ? &stack[depth - 1].texture->b : &stack[depth - 1].texture->amount;
    }
}

/* The colour of an input that is a texture. This is apart from lb_texture_color, as most inputs are none. */
LB_JOINED lb_color lb_texture_look_up(const lb_scene *scene, const lb_input *input,
                                      const lb_texture_place *place)
{
    const lb_texture *texture = LB_ARRAY(scene, textures, lb_texture) + input->texture;
    if (texture->kind == LB_TEXTURE_IMAGE)
        return LB_IMAGE_COLOR(scene, place, texture);
    return lb_texture_nested(scene, input, place);
}

/* An input's colour, which is not clamped. */
LB_OFTEN lb_color lb_texture_color(const lb_scene *scene, const lb_input *input,
                                   const lb_texture_place *place)
{
    return input->texture == LB_NONE ? lb_color_of(scene, LB_QUAD_OF(place), input->value)
                                     : lb_texture_look_up(scene, input, place);
}

/* The value of an input that is a number. */
LB_INLINE float lb_texture_float(const lb_scene *scene, const lb_input *input, const lb_texture_place *place)
{
    return lb_color_lane(lb_texture_color(scene, input, place), 0);
}

#endif
