#include "core/scene/textures/block.h"

#include <string.h>

/* Puts the bytes [from, from + count) of the builder's texels into the block's. False: out of memory. */
static bool take_texels(const struct lb_builder *builder, struct lb_scene_arrays *arrays, uint64_t from,
                        size_t count, uint64_t *first)
{
    size_t padded = (count + 3) & ~(size_t)3;
    *first = arrays->texels.count;
    uint8_t *bytes = lb_vector_add(&arrays->texels, padded);
    if (!bytes)
        return false;
    memcpy(bytes, (const uint8_t *)builder->arrays.texels.data + from, count);
    return true;
}

static bool take_image(const struct lb_builder *builder, struct lb_scene_arrays *arrays, uint32_t *index)
{
    lb_image image = ((const lb_image *)builder->arrays.images.data)[*index];
    size_t values = (size_t)image.width * image.height * image.channels;
    size_t bytes = image.texel == LB_TEXEL_FLOAT ? values * sizeof(float) : values;
    if (!take_texels(builder, arrays, image.offset, bytes, &image.offset))
        return false;
    *index = (uint32_t)arrays->images.count;
    lb_image *copy = lb_vector_add(&arrays->images, 1);
    if (!copy)
        return false;
    *copy = image;
    copy->smaller = 0; /* displacements are not filtered */
    return true;
}

/* Makes what texture number `index` refers to the block's, and `needed` where it is a texture itself. */
static bool take_texture(const struct lb_builder *builder, struct lb_scene_arrays *arrays, uint32_t index,
                         bool *needed)
{
    enum { PERMUTATION = 256 };
    lb_texture *texture = (lb_texture *)arrays->textures.data + index;
    if (texture->a.texture != LB_NONE)
        needed[texture->a.texture] = true;
    if (texture->b.texture != LB_NONE)
        needed[texture->b.texture] = true;
    if (texture->amount.texture != LB_NONE)
        needed[texture->amount.texture] = true;
    if (texture->has_permutation &&
        !take_texels(builder, arrays, texture->permutation, PERMUTATION, &texture->permutation))
        return false;
    return texture->kind != LB_TEXTURE_IMAGE || take_image(builder, arrays, &texture->image);
}

static bool take_textures(const struct lb_builder *builder, struct lb_scene_arrays *arrays, uint32_t last)
{
    bool *needed = lb_arena_alloc(builder->arena, (size_t)last + 1, sizeof *needed);
    lb_texture *textures = lb_vector_add(&arrays->textures, (size_t)last + 1);
    if (!needed || !textures)
        return false;
    memcpy(textures, builder->arrays.textures.data, ((size_t)last + 1) * sizeof *textures);
    needed[last] = true;
    for (uint32_t i = last + 1; i-- > 0;) /* they refer to earlier ones only */
        if (needed[i] && !take_texture(builder, arrays, i, needed))
            return false;
    return true;
}

lb_scene *lb_build_texture_block(const struct lb_builder *builder, const lb_input *input)
{
    struct lb_scene_arrays arrays;
    lb_scene *block = NULL;
    lb_scene_arrays_init(&arrays);
    if (input->texture == LB_NONE || take_textures(builder, &arrays, input->texture))
        block = lb_scene_pack(&builder->head, &arrays);
    lb_scene_arrays_free(&arrays);
    return block;
}
