/* Evaluates textures: images, checkerboards, those that scale and mix others, and the patterns of
 * core/kernel/pattern.h. */
#ifndef LB_CORE_KERNEL_TEXTURE_H
#define LB_CORE_KERNEL_TEXTURE_H

#include "core/kernel/pattern.h"

/* ---- images ---- */

/* x modulo n, from 0 to n - 1, for a positive n. */
LB_INLINE int32_t lb_wrap_repeat(int32_t x, int32_t n)
{
    int32_t rest = x % n;
    return rest < 0 ? rest + n : rest;
}

/* Takes the coordinates of a texel into the image. False: they stand for black. */
LB_FUNCTION bool lb_image_wrap(uint32_t wrap, int32_t width, int32_t height, int32_t *x, int32_t *y)
{
    if (*x >= 0 && *x < width && *y >= 0 && *y < height)
        return true;
    switch (wrap) {
    case LB_WRAP_BLACK:
        return false;
    case LB_WRAP_CLAMP:
        *x = *x < 0 ? 0 : *x >= width ? width - 1 : *x;
        *y = *y < 0 ? 0 : *y >= height ? height - 1 : *y;
        return true;
    case LB_WRAP_OCTAHEDRAL:
        /* Beyond an edge of the octahedron's square the same edge continues, the other way round. */
        if (*x < 0 || *x >= width) {
            *x = *x < 0 ? -1 - *x : 2 * width - 1 - *x;
            *y = height - 1 - *y;
        }
        if (*y < 0 || *y >= height) {
            *y = *y < 0 ? -1 - *y : 2 * height - 1 - *y;
            *x = width - 1 - *x;
        }
        *x = lb_wrap_repeat(*x, width);
        *y = lb_wrap_repeat(*y, height);
        return true;
    default:
        *x = lb_wrap_repeat(*x, width);
        *y = lb_wrap_repeat(*y, height);
        return true;
    }
}

/* One channel of a texel: element number `element` of the image's values. */
LB_INLINE float lb_image_value(const lb_scene *scene, const lb_image *image, uint64_t element, bool alpha)
{
    const unsigned char *bytes = LB_ARRAY(scene, texels, unsigned char) + image->offset;
    if (image->texel == LB_TEXEL_FLOAT)
        return ((const float *)(const void *)bytes)[element];
    if (alpha)
        return (float)bytes[element] * (1.0f / 255.0f);
    if (image->texel == LB_TEXEL_SRGB8)
        return scene->srgb[bytes[element]];
    float value = (float)bytes[element] * (1.0f / 255.0f);
    return image->gamma == 1.0f ? value : lb_pow(value, image->gamma);
}

/* The texel (x, y), where row 0 is the top. `as_number`: its alpha, or the average of its channels, in all three. */
LB_FUNCTION lb_rgb lb_image_texel(const lb_scene *scene, const lb_image *image, uint32_t wrap, bool as_number,
                                  int32_t x, int32_t y)
{
    if (!lb_image_wrap(wrap, (int32_t)image->width, (int32_t)image->height, &x, &y))
        return lb_rgb_grey(0.0f);
    uint64_t first = ((uint64_t)y * image->width + (uint64_t)x) * image->channels;
    if (as_number && image->channels == 4)
        return lb_rgb_grey(lb_image_value(scene, image, first + 3, true));
    if (image->channels == 1)
        return lb_rgb_grey(lb_image_value(scene, image, first, false));
    lb_rgb texel = lb_rgb_make(lb_image_value(scene, image, first, false),
                               lb_image_value(scene, image, first + 1, false),
                               lb_image_value(scene, image, first + 2, false));
    return as_number ? lb_rgb_grey(lb_rgb_average(texel)) : texel;
}

/* The image's value at (s, t), where (0, 0) is its upper left corner: its nearest texel, or bilinear between four. */
LB_FUNCTION lb_rgb lb_image_lookup(const lb_scene *scene, const lb_image *image, uint32_t wrap,
                                   bool as_number, bool nearest, float s, float t)
{
    /* Texel coordinates stay far from the ends of int32_t, so that one more or less is still defined. */
    float x = lb_clamp(s * (float)image->width, -1e9f, 1e9f);
    float y = lb_clamp(t * (float)image->height, -1e9f, 1e9f);
    if (nearest)
        return lb_image_texel(scene, image, wrap, as_number, lb_to_int(lb_floor(x)), lb_to_int(lb_floor(y)));
    x -= 0.5f;
    y -= 0.5f;
    float left = lb_floor(x), top = lb_floor(y);
    int32_t column = lb_to_int(left), row = lb_to_int(top);
    float fx = x - left, fy = y - top;
    lb_rgb a = lb_image_texel(scene, image, wrap, as_number, column, row);
    lb_rgb b = lb_image_texel(scene, image, wrap, as_number, column + 1, row);
    lb_rgb c = lb_image_texel(scene, image, wrap, as_number, column, row + 1);
    lb_rgb d = lb_image_texel(scene, image, wrap, as_number, column + 1, row + 1);
    lb_rgb upper = lb_rgb_add(lb_rgb_scale(a, 1.0f - fx), lb_rgb_scale(b, fx));
    lb_rgb lower = lb_rgb_add(lb_rgb_scale(c, 1.0f - fx), lb_rgb_scale(d, fx));
    return lb_rgb_add(lb_rgb_scale(upper, 1.0f - fy), lb_rgb_scale(lower, fy));
}

/* ---- textures ---- */

/* The value of a texture that is an image. */
LB_FUNCTION lb_rgb lb_texture_image(const lb_scene *scene, const lb_texture *texture,
                                    const lb_texture_place *place)
{
    const lb_image *image = LB_ARRAY(scene, images, lb_image) + texture->image;
    lb_vec2 st = lb_texture_coordinates(texture, place);
    lb_rgb value = lb_rgb_scale(lb_image_lookup(scene, image, texture->wrap, texture->is_float != 0,
                                                texture->nearest != 0, st.x, 1.0f - st.y),
                                texture->scale);
    if (texture->invert != 0)
        value = lb_rgb_sub(lb_rgb_grey(1.0f), value);
    return lb_rgb_make(lb_max(value.r, 0.0f), lb_max(value.g, 0.0f), lb_max(value.b, 0.0f));
}

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
    uint32_t done; /* how many inputs are known */
    lb_rgb first;  /* scale, mix, directionmix: the value of a */
    lb_rgb second; /* mix: the value of b */
} lb_texture_frame;

/* Gives `value` to the texture that waits for it. True: its own value is known now, and stands in `value`. */
LB_FUNCTION bool lb_texture_feed(lb_texture_frame *frame, const lb_texture_place *place, lb_rgb *value)
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
        *value = lb_rgb_mul(frame->first, *value);
        return true;
    }
    if (frame->texture->kind == LB_TEXTURE_DIRECTION_MIX) {
        float cosine = lb_abs(lb_dot(place->normal, frame->texture->direction));
        *value = lb_rgb_add(lb_rgb_scale(frame->first, cosine), lb_rgb_scale(*value, 1.0f - cosine));
        return true;
    }
    if (frame->done == 1) {
        frame->second = *value;
        frame->done = 2;
        return false;
    }
    *value = lb_rgb_add(lb_rgb_scale(frame->first, 1.0f - value->r), lb_rgb_scale(frame->second, value->r));
    return true;
}

/* Evaluates a texture whose inputs may be textures themselves, in post-order over a stack of bounded depth. */
LB_FUNCTION lb_rgb lb_texture_nested(const lb_scene *scene, const lb_input *input,
                                     const lb_texture_place *place)
{
    const lb_texture *textures = LB_ARRAY(scene, textures, lb_texture);
    lb_texture_frame stack[LB_TEXTURE_DEPTH];
    uint32_t depth = 0;
    for (;;) {
        lb_rgb value;
        if (input->texture == LB_NONE) {
            value = input->value;
        } else if (textures[input->texture].kind == LB_TEXTURE_IMAGE) {
            value = lb_texture_image(scene, textures + input->texture, place);
        } else if (textures[input->texture].kind >= LB_TEXTURE_BILERP) {
            value = lb_texture_pattern(scene, textures + input->texture, place);
        } else {
            if (depth == LB_TEXTURE_DEPTH)
                return lb_rgb_grey(0.0f);
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

/* The colour of an input that is a texture. This is apart from lb_texture_rgb, as most inputs are none. */
LB_JOINED lb_rgb lb_texture_look_up(const lb_scene *scene, const lb_input *input,
                                    const lb_texture_place *place)
{
    const lb_texture *texture = LB_ARRAY(scene, textures, lb_texture) + input->texture;
    if (texture->kind == LB_TEXTURE_IMAGE)
        return lb_texture_image(scene, texture, place);
    return lb_texture_nested(scene, input, place);
}

/* An input's colour, which is not clamped. */
LB_OFTEN lb_rgb lb_texture_rgb(const lb_scene *scene, const lb_input *input, const lb_texture_place *place)
{
    return input->texture == LB_NONE ? input->value : lb_texture_look_up(scene, input, place);
}

/* The value of an input that is a number. */
LB_INLINE float lb_texture_float(const lb_scene *scene, const lb_input *input, const lb_texture_place *place)
{
    return lb_texture_rgb(scene, input, place).r;
}

#endif
