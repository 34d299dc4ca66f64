/* Textures that are made of noise. */
#include "core/scene/textures/textures.h"
#include "core/scene/block/limits.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/spectra.h"

#include <string.h>

/* Perlin's permutation of 0 .. 255, which all noise of pbrt is made with. */
static const uint8_t permutation[256] = {
    151, 160, 137, 91,  90,  15,  131, 13,  201, 95,  96,  53,  194, 233, 7,   225, 140, 36,  103, 30,
    69,  142, 8,   99,  37,  240, 21,  10,  23,  190, 6,   148, 247, 120, 234, 75,  0,   26,  197, 62,
    94,  252, 219, 203, 117, 35,  11,  32,  57,  177, 33,  88,  237, 149, 56,  87,  174, 20,  125, 136,
    171, 168, 68,  175, 74,  165, 71,  134, 139, 48,  27,  166, 77,  146, 158, 231, 83,  111, 229, 122,
    60,  211, 133, 230, 220, 105, 92,  41,  55,  46,  245, 40,  244, 102, 143, 54,  65,  25,  63,  161,
    1,   216, 80,  73,  209, 76,  132, 187, 208, 89,  18,  169, 200, 196, 135, 130, 116, 188, 159, 86,
    164, 100, 109, 198, 173, 186, 3,   64,  52,  217, 226, 250, 124, 123, 5,   202, 38,  147, 118, 126,
    255, 82,  85,  212, 207, 206, 59,  227, 47,  16,  58,  17,  182, 189, 28,  42,  223, 183, 170, 213,
    119, 248, 152, 2,   44,  154, 163, 70,  221, 153, 101, 155, 167, 43,  172, 9,   129, 22,  39,  253,
    19,  98,  108, 110, 79,  113, 224, 232, 178, 185, 112, 104, 218, 246, 97,  228, 251, 34,  242, 193,
    238, 210, 144, 12,  191, 179, 162, 241, 81,  51,  145, 235, 249, 14,  239, 107, 49,  192, 214, 31,
    181, 199, 106, 157, 184, 84,  204, 176, 115, 121, 50,  45,  127, 4,   150, 254, 138, 236, 205, 93,
    222, 114, 67,  29,  24,  72,  243, 141, 128, 195, 78,  66,  215, 61,  156, 180};

enum lb_status lb_build_permutation(struct lb_builder *builder, uint64_t *first)
{
    if (!builder->has_permutation) {
        builder->permutation = builder->arrays.texels.count;
        uint8_t *place = lb_vector_add(&builder->arrays.texels, sizeof permutation);
        if (!place)
            return lb_build_no_memory(builder);
        memcpy(place, permutation, sizeof permutation);
        builder->has_permutation = true;
    }
    *first = builder->permutation;
    return LB_OK;
}

/* What noise needs: the permutation, and the texture's transform. */
static enum lb_status build_noise(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                  lb_texture *texture)
{
    enum lb_status status = lb_build_permutation(builder, &texture->permutation);
    if (status != LB_OK)
        return status;
    texture->has_permutation = 1;
    return lb_build_texture_space(builder, entity, texture);
}

enum lb_status lb_build_dots(struct lb_builder *builder, const struct lb_texture_entity *entity,
                             lb_texture *texture)
{
    enum lb_status status;
    texture->kind = LB_TEXTURE_DOTS;
    /* pbrt-v4 takes the two for each other, and its pictures are the measure. */
    if ((status = lb_build_own_input(builder, entity, "inside", 1.0f, &texture->a)) != LB_OK ||
        (status = lb_build_own_input(builder, entity, "outside", 0.0f, &texture->b)) != LB_OK ||
        (status = build_noise(builder, entity, texture)) != LB_OK)
        return status;
    return lb_build_mapping(builder, entity, texture);
}

static enum lb_status build_octaves(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                    lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    int32_t octaves;
    enum lb_status status;
    if ((status = lb_build_integer(builder, parameters, "octaves", 8, 0, LB_OCTAVES_MOST, &octaves)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "roughness", 0.5f, -1e6f, 1e6f, &texture->roughness)) !=
            LB_OK)
        return status;
    texture->octaves = (uint32_t)octaves;
    return build_noise(builder, entity, texture);
}

enum lb_status lb_build_fbm(struct lb_builder *builder, const struct lb_texture_entity *entity,
                            lb_texture *texture)
{
    texture->kind = LB_TEXTURE_FBM;
    return build_octaves(builder, entity, texture);
}

enum lb_status lb_build_wrinkled(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                 lb_texture *texture)
{
    texture->kind = LB_TEXTURE_WRINKLED;
    return build_octaves(builder, entity, texture);
}

enum lb_status lb_build_windy(struct lb_builder *builder, const struct lb_texture_entity *entity,
                              lb_texture *texture)
{
    texture->kind = LB_TEXTURE_WINDY;
    return build_noise(builder, entity, texture);
}

enum lb_status lb_build_marble(struct lb_builder *builder, const struct lb_texture_entity *entity,
                               lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    enum lb_status status;
    texture->kind = LB_TEXTURE_MARBLE;
    if ((status = lb_build_sigmoids(builder)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "scale", 1.0f, -1e30f, 1e30f, &texture->scale)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "variation", 0.2f, -1e30f, 1e30f,
                                 &texture->variation)) != LB_OK)
        return status;
    return build_octaves(builder, entity, texture);
}
