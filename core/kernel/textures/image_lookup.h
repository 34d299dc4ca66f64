/* Reads images: their texels, and the values between. */
#ifndef LB_CORE_KERNEL_TEXTURES_IMAGE_LOOKUP_H
#define LB_CORE_KERNEL_TEXTURES_IMAGE_LOOKUP_H

#include "core/kernel/math.h"
#include "core/kernel/scene/scene.h"

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
    switch ((enum lb_wrap)wrap) {
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
        break;
    case LB_WRAP_REPEAT:
        break;
    }
    *x = lb_wrap_repeat(*x, width);
    *y = lb_wrap_repeat(*y, height);
    return true;
}

/* One channel of a texel: element number `element` of the image's values. */
LB_INLINE float lb_image_value(const lb_scene *scene, const lb_image *image, uint64_t element)
{
    const unsigned char *bytes = LB_ARRAY(scene, texels, unsigned char) + image->offset;
    if (image->texel == LB_TEXEL_FLOAT)
        return ((const float *)(const void *)bytes)[element];
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
    bool alpha = as_number && image->channels == 4;
    if (alpha || image->channels == 1)
        return lb_rgb_grey(lb_image_value(scene, image, alpha ? first + 3 : first));
    lb_rgb texel = lb_rgb_make(lb_image_value(scene, image, first), lb_image_value(scene, image, first + 1),
                               lb_image_value(scene, image, first + 2));
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

#endif
