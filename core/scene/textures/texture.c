/* The kinds of textures. */
#include "core/scene/textures/textures.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/spectra.h"
#include "core/scene/builder/transforms.h"

#include <string.h>

static enum lb_status find_wrap(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                uint32_t *wrap)
{
    static const char *const names[] = {"repeat", "black", "clamp", "octahedralsphere"};
    static const uint32_t wraps[] = {LB_WRAP_REPEAT, LB_WRAP_BLACK, LB_WRAP_CLAMP, LB_WRAP_OCTAHEDRAL};
    uint32_t which;
    enum lb_status status = lb_build_word(builder, parameters, "wrap", "wrap", names, 4, &which);
    if (status == LB_OK)
        *wrap = wraps[which];
    return status;
}

static enum lb_status find_filter(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  uint32_t *filter)
{
    static const char *const names[] = {"bilinear", "point", "trilinear", "ewa", "EWA"};
    static const uint32_t filters[] = {LB_FILTERED_BILINEAR, LB_FILTERED_NEAREST, LB_FILTERED_TRILINEAR,
                                       LB_FILTERED_ELLIPSE, LB_FILTERED_ELLIPSE};
    uint32_t which;
    enum lb_status status = lb_build_word(builder, parameters, "filter", "filter", names, 5, &which);
    if (status == LB_OK)
        *filter = filters[which];
    return status;
}

static enum lb_status build_imagemap(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                     lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    struct lb_encoding encoding = {NULL, lb_build_place(parameters, "filename"),
                                   entity->is_float ? LB_IMAGE_NUMBERS : LB_IMAGE_REFLECTANCES};
    const char *path;
    enum lb_status status;
    if ((status = lb_build_mapping(builder, entity, texture)) != LB_OK ||
        (status = find_wrap(builder, parameters, &texture->wrap)) != LB_OK ||
        (status = find_filter(builder, parameters, &texture->filter)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "maxanisotropy", 8.0f, 0.0f, 1e30f,
                                 &texture->anisotropy)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "scale", 1.0f, -1e30f, 1e30f, &texture->scale)) !=
            LB_OK ||
        (status = lb_build_bool(builder, parameters, "invert", false, &texture->invert)) != LB_OK ||
        (status = lb_parameters_string(parameters, "encoding", NULL, &encoding.text, builder->error)) !=
            LB_OK ||
        (status = lb_build_file(builder, parameters, "filename", &path)) != LB_OK)
        return status;
    if (!path)
        return lb_build_error(builder, &parameters->location, "imagemap \"%s\" has no \"filename\"",
                              entity->name);
    if (!entity->is_float && (status = lb_build_sigmoids(builder)) != LB_OK)
        return status;
    texture->kind = LB_TEXTURE_IMAGE;
    texture->is_float = entity->is_float;
    texture->anisotropy = lb_clamp(texture->anisotropy, 1.0f, LB_ANISOTROPY_MOST);
    status = lb_build_image(builder, path, &encoding, &texture->image);
    if (status != LB_OK || texture->filter < LB_FILTERED_TRILINEAR)
        return status;
    return lb_build_smaller(builder, texture->image);
}

static enum lb_status build_checkerboard(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                         lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    int32_t dimensions;
    enum lb_status status;
    if ((status = lb_build_integer(builder, parameters, "dimension", 2, 2, 3, &dimensions)) != LB_OK ||
        (status = lb_build_own_input(builder, entity, "tex1", 1.0f, &texture->a)) != LB_OK ||
        (status = lb_build_own_input(builder, entity, "tex2", 0.0f, &texture->b)) != LB_OK)
        return status;
    texture->kind = LB_TEXTURE_CHECKERBOARD;
    texture->dimensions = (uint32_t)dimensions;
    if (dimensions == 2)
        return lb_build_mapping(builder, entity, texture);
    return lb_build_texture_space(builder, entity, texture);
}

static enum lb_status build_scale(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                  lb_texture *texture)
{
    texture->kind = LB_TEXTURE_SCALE;
    enum lb_status status = lb_build_own_input(builder, entity, "tex", 1.0f, &texture->a);
    if (status != LB_OK)
        return status;
    if (!entity->is_float && lb_parameters_find(&entity->entity.parameters, "tint"))
        return lb_build_own_input(builder, entity, "tint", 1.0f, &texture->b);
    return lb_build_float_input(builder, &entity->entity.parameters, "scale", 1.0f, -1e30f, 1e30f,
                                &texture->b, NULL);
}

static enum lb_status build_mix(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                lb_texture *texture)
{
    enum lb_status status;
    texture->kind = LB_TEXTURE_MIX;
    if ((status = lb_build_own_input(builder, entity, "tex1", 0.0f, &texture->a)) != LB_OK ||
        (status = lb_build_own_input(builder, entity, "tex2", 1.0f, &texture->b)) != LB_OK)
        return status;
    return lb_build_float_input(builder, &entity->entity.parameters, "amount", 0.5f, 0.0f, 1.0f,
                                &texture->amount, NULL);
}

static enum lb_status build_direction_mix(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                          lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    lb_transform world_from_texture;
    lb_vec3 direction;
    enum lb_status status;
    texture->kind = LB_TEXTURE_DIRECTION_MIX;
    if ((status = lb_build_own_input(builder, entity, "tex1", 0.0f, &texture->a)) != LB_OK ||
        (status = lb_build_own_input(builder, entity, "tex2", 1.0f, &texture->b)) != LB_OK ||
        (status = lb_build_texture_vector(builder, parameters, "dir", lb_vec3_make(0.0f, 1.0f, 0.0f),
                                          &direction)) != LB_OK ||
        (status = lb_build_transform(builder, entity->world_from_texture, &parameters->location,
                                     &world_from_texture, NULL)) != LB_OK)
        return status;
    texture->direction = lb_normalize(lb_transform_vector(&world_from_texture, direction));
    if (!(lb_dot(texture->direction, texture->direction) > 0.5f))
        return lb_build_error(builder, lb_build_place(parameters, "dir"), "\"dir\" has no direction");
    return LB_OK;
}

static enum lb_status build_bilerp(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                   lb_texture *texture)
{
    static const char *const names[] = {"v00", "v10", "v01", "v11"};
    const struct lb_parameters *parameters = &entity->entity.parameters;
    enum lb_status status = LB_OK;
    texture->kind = LB_TEXTURE_BILERP;
    for (int i = 0; i < 4; i++) {
        float fallback = i < 2 ? 0.0f : 1.0f, value;
        if (entity->is_float) {
            status = lb_build_float(builder, parameters, names[i], fallback, -1e30f, 1e30f, &value);
            texture->corners[i] = lb_rgb_grey(value);
        } else {
            status = lb_build_colour(builder, parameters, names[i], false, lb_rgb_grey(fallback),
                                     &texture->corners[i]);
            if (status == LB_OK)
                status = lb_build_spectral(builder, lb_parameters_find(parameters, names[i]),
                                           LB_SPECTRUM_REFLECTANCE, &texture->corners[i]);
        }
        if (status != LB_OK)
            return status;
    }
    return lb_build_mapping(builder, entity, texture);
}

/* ---- all kinds ---- */

static enum lb_status build_constant(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                     lb_texture *texture)
{
    texture->kind = LB_TEXTURE_CONSTANT;
    return lb_build_own_input(builder, entity, "value", 1.0f, &texture->a);
}

static enum lb_status build_later(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                  lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    for (size_t p = 0; p < parameters->count; p++)
        parameters->items[p].used = true;
    texture->kind = LB_TEXTURE_CONSTANT;
    texture->a.value = lb_rgb_grey(0.5f);
    return lb_build_not_yet(builder, &parameters->location,
                            "texture \"%s\" of type \"%s\" is not rendered yet: it is grey", entity->name,
                            entity->entity.type);
}

/* Which textures may be of a kind, as in pbrt. */
enum values { ANY, FLOATS, SPECTRA };

struct texture_kind {
    const char *name;
    enum values values;
    lb_build_texture_kind *build;
};

static const struct texture_kind kinds[] = {
    {"constant", ANY, build_constant},
    {"imagemap", ANY, build_imagemap},
    {"checkerboard", ANY, build_checkerboard},
    {"scale", ANY, build_scale},
    {"mix", ANY, build_mix},
    {"directionmix", ANY, build_direction_mix},
    {"bilerp", ANY, build_bilerp},
    {"dots", ANY, lb_build_dots},
    {"fbm", FLOATS, lb_build_fbm},
    {"wrinkled", FLOATS, lb_build_wrinkled},
    {"windy", FLOATS, lb_build_windy},
    {"marble", SPECTRA, lb_build_marble},
    {"ptex", ANY, build_later},
};

/* ---- all of them ---- */

static uint32_t input_depth(const struct lb_builder *builder, const lb_input *input)
{
    const lb_texture *textures = builder->arrays.textures.data;
    if (input->texture == LB_NONE)
        return 0;
    const lb_texture *texture = &textures[input->texture];
    if (texture->kind == LB_TEXTURE_IMAGE || texture->kind == LB_TEXTURE_CONSTANT ||
        texture->kind >= LB_TEXTURE_BILERP)
        return 1;
    uint32_t a = input_depth(builder, &texture->a), b = input_depth(builder, &texture->b);
    uint32_t amount = texture->kind == LB_TEXTURE_MIX ? input_depth(builder, &texture->amount) : 0;
    uint32_t deepest = a > b ? a : b;
    return 1 + (deepest > amount ? deepest : amount);
}

static enum lb_status build_texture(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                    const struct texture_kind *kind, lb_input *input)
{
    lb_texture texture;
    memset(&texture, 0, sizeof texture);
    texture.a.texture = texture.b.texture = texture.amount.texture = LB_NONE;
    texture.su = texture.sv = texture.scale = 1.0f;
    if (kind->values == (entity->is_float ? SPECTRA : FLOATS))
        return lb_build_error(builder, &entity->entity.parameters.location,
                              "textures of type \"%s\" are %s textures", kind->name,
                              entity->is_float ? "spectrum" : "float");
    enum lb_status status = kind->build(builder, entity, &texture);
    if (status == LB_OK)
        status = lb_build_check_unused(builder, &entity->entity);
    if (status != LB_OK)
        return status;
    if (texture.kind == LB_TEXTURE_CONSTANT) {
        *input = texture.a;
        return LB_OK;
    }
    input->value = lb_rgb_grey(0.0f);
    input->texture = (uint32_t)builder->arrays.textures.count;
    lb_texture *built = lb_vector_add(&builder->arrays.textures, 1);
    if (!built)
        return lb_build_no_memory(builder);
    *built = texture;
    if (input_depth(builder, input) > LB_TEXTURE_DEPTH)
        return lb_build_error(builder, &entity->entity.parameters.location,
                              "texture \"%s\" nests more than %d deep", entity->name, LB_TEXTURE_DEPTH);
    return LB_OK;
}

int lb_build_texture_turn(const struct lb_texture_entity *entity)
{
    if (strcmp(entity->entity.type, "imagemap") == 0 || strcmp(entity->entity.type, "ptex") == 0)
        return 0;
    return entity->is_float ? 1 : 2;
}

/* Texture number `i` of the description. */
static enum lb_status build_numbered(struct lb_builder *builder, size_t i)
{
    const struct lb_texture_entity *entity = &builder->description->textures[i];
    const struct texture_kind *kind = lb_build_row(entity->entity.type, LB_ROWS(kinds));
    enum lb_status status = LB_OK;
    if (!kind)
        status = lb_build_unknown(builder, &entity->entity.parameters.location, "texture type",
                                  entity->entity.type, LB_ROWS(kinds));
    else if (builder->used.textures[i])
        status = build_texture(builder, entity, kind, &builder->texture_inputs[i]);
    if (status != LB_OK) /* it has a value, lest its users were errors too */
        builder->texture_inputs[i] = (lb_input){.texture = LB_NONE};
    builder->textures_built[i] = true;
    return lb_build_go_on(builder, status);
}

enum lb_status lb_build_textures(struct lb_builder *builder)
{
    size_t count = builder->description->texture_count;
    builder->texture_inputs = lb_arena_alloc(builder->arena, count + 1, sizeof *builder->texture_inputs);
    builder->textures_built = lb_arena_alloc(builder->arena, count + 1, sizeof *builder->textures_built);
    if (!builder->texture_inputs || !builder->textures_built)
        return lb_build_no_memory(builder);
    for (int turn = 0; turn < LB_TEXTURE_TURNS; turn++)
        for (size_t i = 0; i < count; i++) {
            if (lb_build_texture_turn(&builder->description->textures[i]) != turn)
                continue;
            enum lb_status status = build_numbered(builder, i);
            if (status != LB_OK)
                return status;
        }
    return LB_OK;
}
