/* Textures of what is no reflectance, where colours are spectra. */
#include "core/scene/builder/messages.h"
#include "core/scene/builder/spectra.h"
#include "core/scene/textures/textures.h"

#include <string.h>

static enum lb_status color_unbounded(const struct lb_builder *builder, lb_rgb *color)
{
    uint32_t number;
    if (color->b == color->b) /* it is grey */
        return LB_OK;
    enum lb_status status = lb_build_unbounded_spectrum(builder, (uint32_t)color->g, &number);
    if (status == LB_OK)
        *color = lb_build_times_spectrum(number, color->r);
    return status;
}

static enum lb_status texture_unbounded(struct lb_builder *builder, uint32_t index, uint32_t *made);

/* The depth of textures in textures is bounded. */
static enum lb_status input_unbounded(struct lb_builder *builder, lb_input *input)
{
    if (input->texture == LB_NONE)
        return color_unbounded(builder, &input->value);
    return texture_unbounded(builder, input->texture, &input->texture);
}

/* Makes the texture once more, after those in it. */
static enum lb_status texture_unbounded(struct lb_builder *builder, uint32_t index, uint32_t *made)
{
    lb_texture texture = ((const lb_texture *)builder->arrays.textures.data)[index];
    enum lb_status status = LB_OK;
    *made = index;
    if (texture.is_float != 0 || texture.kind > LB_TEXTURE_BILERP) /* numbers, or marble's own reflectances */
        return LB_OK;
    if (builder->unbounded_textures[index] != 0) {
        *made = builder->unbounded_textures[index];
        return LB_OK;
    }
    /* What a scale and a mix have beside is a number. */
    if ((status = input_unbounded(builder, &texture.a)) != LB_OK ||
        (texture.kind != LB_TEXTURE_SCALE && (status = input_unbounded(builder, &texture.b)) != LB_OK))
        return status;
    for (int i = 0; i < 4 && status == LB_OK; i++)
        status = color_unbounded(builder, &texture.corners[i]);
    if (status != LB_OK)
        return status;
    texture.unbounded = 1;
    *made = (uint32_t)builder->arrays.textures.count;
    lb_texture *built = lb_vector_add(&builder->arrays.textures, 1);
    if (!built)
        return lb_build_no_memory(builder);
    *built = texture;
    builder->unbounded_textures[index] = *made; /* never 0, as the first texture is what it is made of */
    return LB_OK;
}

enum lb_status lb_build_unbounded(struct lb_builder *builder, lb_input *input)
{
    size_t count = builder->arrays.textures.count;
    if (!builder->spectra)
        return LB_OK;
    if (!builder->unbounded_textures) { /* all textures of the scene are there by now */
        builder->unbounded_textures =
            lb_arena_alloc(builder->arena, count + 1, sizeof *builder->unbounded_textures);
        if (!builder->unbounded_textures)
            return lb_build_no_memory(builder);
    }
    return input_unbounded(builder, input);
}
