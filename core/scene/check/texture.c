/* Checks textures and images. */
#include "core/scene/check/parts.h"

#include "core/image/image_file.h"
#include "core/scene/block/limits.h"

/* ---- images ---- */

static bool is_image(const lb_scene *scene, const lb_image *image)
{
    uint64_t size = image->texel == LB_TEXEL_FLOAT ? sizeof(float) : 1;
    return image->width >= 1 && image->width <= LB_IMAGE_SIDE && image->height >= 1 &&
           image->height <= LB_IMAGE_SIDE && image->offset % sizeof(float) == 0 &&
           lb_check_holds(image->offset, (uint64_t)image->width * image->height, image->channels, size,
                          scene->texels.count);
}

/* The exponent of the least power of two that is not less than a side. Where the image was not checked yet and is far
 * too large it is 31. */
static uint32_t exponent_of(uint32_t side)
{
    uint32_t exponent = 0;
    while (exponent < 31 && side > 1u << exponent)
        exponent++;
    return exponent;
}

/* How many smaller versions an image has where it has any. */
static uint32_t versions(const lb_image *image)
{
    uint32_t x = exponent_of(image->width), y = exponent_of(image->height);
    return x > y ? x : y;
}

/* The width or height of smaller version number `version`, where the image itself has `side`. */
static uint32_t smaller_side(uint32_t side, uint32_t version)
{
    uint32_t exponent = exponent_of(side);
    return exponent > version ? 1u << (exponent - version) : 1;
}

static bool smaller_are_sound(const lb_scene *scene, const lb_image *image)
{
    if (image->smaller != versions(image) ||
        !lb_check_within(image->first_smaller, image->smaller, scene->images.count))
        return false;
    const lb_image *version = LB_ARRAY(scene, images, lb_image) + image->first_smaller;
    for (uint32_t i = 0; i < image->smaller; i++)
        if (version[i].width != smaller_side(image->width, i + 1) ||
            version[i].height != smaller_side(image->height, i + 1))
            return false;
    return true;
}

LB_CHECK_SIZE(lb_image, 40);
const char *lb_check_image(struct lb_check *check, uint64_t number)
{
    const lb_image *image = LB_ARRAY(check->scene, images, lb_image) + number;
    if (image->texel > LB_TEXEL_FLOAT)
        return "kind of texels";
    if (image->channels != 1 && image->channels != 3 && image->channels != 4)
        return "number of channels";
    if (!is_image(check->scene, image))
        return "size";
    return image->smaller == 0 || smaller_are_sound(check->scene, image) ? NULL : "list of smaller versions";
}

/* ---- textures ---- */

static const char *check_image_texture(const lb_scene *scene, const lb_texture *texture)
{
    if (texture->image >= scene->images.count)
        return "image";
    if (texture->filter < LB_FILTERED_TRILINEAR)
        return NULL;
    const lb_image *image = LB_ARRAY(scene, images, lb_image) + texture->image;
    bool elliptic = texture->filter == LB_FILTERED_ELLIPSE;
    if (elliptic && !(texture->anisotropy >= 1.0f && texture->anisotropy <= LB_ANISOTROPY_MOST))
        return "anisotropy";
    return image->smaller == versions(image) ? NULL : "image: it cannot be filtered";
}

/* Does a texture of this kind read its permutation? */
static bool is_noise(uint32_t kind)
{
    return kind == LB_TEXTURE_DOTS || kind > LB_TEXTURE_BILERP;
}

LB_CHECK_SIZE(lb_texture, 264);
const char *lb_check_texture(struct lb_check *check, uint64_t number)
{
    const lb_scene *scene = check->scene;
    const lb_texture *texture = LB_ARRAY(scene, textures, lb_texture) + number;
    if (texture->kind > LB_TEXTURE_MARBLE)
        return "kind";
    if (!lb_check_index(texture->a.texture, number) || !lb_check_index(texture->b.texture, number) ||
        !lb_check_index(texture->amount.texture, number))
        return "texture in it";
    if (!lb_check_color(scene, texture->a.value) || !lb_check_color(scene, texture->b.value) ||
        !lb_check_color(scene, texture->amount.value))
        return "spectrum";
    for (int i = 0; i < 4; i++)
        if (!lb_check_color(scene, texture->corners[i]))
            return "spectrum";
    if (texture->kind == LB_TEXTURE_MARBLE && scene->quads.count != 0 && scene->sigmoids.count == 0)
        return "kind";
    if (texture->octaves > LB_OCTAVES_MOST)
        return "number of octaves";
    if (is_noise(texture->kind) && !lb_check_within(texture->permutation, 256, scene->texels.count))
        return "permutation";
    return texture->kind == LB_TEXTURE_IMAGE ? check_image_texture(scene, texture) : NULL;
}
