/* Textures, and parameters that may be a value or a texture. */
#include "core/scene/build.h"

#include "core/scene/spectrum.h"

#include <string.h>

static enum lb_status find_texture(const struct lb_builder *builder, const struct lb_parameter *parameter,
                                   bool is_float, lb_input *input)
{
    const struct lb_description *description = builder->description;
    if (parameter->count != 1)
        return lb_build_error(builder, &parameter->location, "\"%s\" needs one texture name",
                              parameter->name);
    const struct lb_names *names =
        is_float ? &description->float_texture_names : &description->spectrum_texture_names;
    uint32_t index = lb_names_find(names, parameter->strings[0]);
    if (index == UINT32_MAX)
        return lb_build_no_name(builder, &parameter->location,
                                is_float ? "float texture" : "spectrum texture", parameter->strings[0],
                                names);
    if (index >= builder->textures_built)
        return lb_build_error(builder, &parameter->location, "texture \"%s\" is not defined yet here",
                              parameter->strings[0]);
    *input = builder->texture_inputs[index];
    return LB_OK;
}

enum lb_status lb_build_rgb_input(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  const char *name, bool albedo, lb_rgb fallback, lb_input *input,
                                  bool *given)
{
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    input->texture = LB_NONE;
    input->value = fallback;
    if (given)
        *given = parameter != NULL;
    if (!parameter)
        return LB_OK;
    if (parameter->type == LB_PARAMETER_TEXTURE)
        return find_texture(builder, parameter, false, input);
    enum lb_status status = lb_spectrum_rgb(builder->description, parameter,
                                            albedo ? LB_SPECTRUM_REFLECTANCE : LB_SPECTRUM_UNBOUNDED,
                                            builder->arena, builder->log, &input->value, builder->error);
    if (status == LB_OK &&
        (!lb_is_finite(input->value.r) || !lb_is_finite(input->value.g) || !lb_is_finite(input->value.b)))
        return lb_build_error(builder, &parameter->location, "\"%s\" is not finite", name);
    return status;
}

enum lb_status lb_build_float_input(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                    const char *name, float fallback, float low, float high, lb_input *input,
                                    bool *given)
{
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    input->texture = LB_NONE;
    input->value = lb_rgb_grey(fallback);
    if (given)
        *given = parameter != NULL;
    if (!parameter)
        return LB_OK;
    if (parameter->type == LB_PARAMETER_TEXTURE)
        return find_texture(builder, parameter, true, input);
    float value;
    enum lb_status status = lb_build_float(builder, parameters, name, fallback, low, high, &value);
    input->value = lb_rgb_grey(value);
    return status;
}

/* ---- the kinds ---- */

static enum lb_status build_mapping(const struct lb_builder *builder, const struct lb_texture_entity *entity,
                                    lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    static const char *const mappings[] = {"uv", "spherical", "cylindrical", "planar"};
    static const char *const theirs[] = {"v1", "v2"};
    const char *mapping;
    enum lb_status status = lb_parameters_string(parameters, "mapping", "uv", &mapping, builder->error);
    if (status == LB_OK && strcmp(mapping, "uv") != 0) {
        if (strcmp(mapping, "spherical") != 0 && strcmp(mapping, "cylindrical") != 0 &&
            strcmp(mapping, "planar") != 0)
            return lb_build_unknown(builder, lb_build_place(parameters, "mapping"), "mapping", mapping,
                                    LB_ROWS(mappings));
        lb_build_ignore(&entity->entity, theirs, 2);
        status = lb_build_not_yet(builder, lb_build_place(parameters, "mapping"),
                                  "mapping \"%s\" is not rendered yet: \"uv\" is taken", mapping);
    }
    const float most = 1e30f;
    if (status != LB_OK ||
        (status = lb_build_float(builder, parameters, "uscale", 1.0f, -most, most, &texture->su)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "vscale", 1.0f, -most, most, &texture->sv)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "udelta", 0.0f, -most, most, &texture->du)) != LB_OK)
        return status;
    return lb_build_float(builder, parameters, "vdelta", 0.0f, -most, most, &texture->dv);
}

static enum lb_status find_wrap(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                uint32_t *wrap)
{
    static const char *const names[] = {"repeat", "black", "clamp", "octahedralsphere"};
    static const uint32_t wraps[] = {LB_WRAP_REPEAT, LB_WRAP_BLACK, LB_WRAP_CLAMP, LB_WRAP_OCTAHEDRAL};
    const char *text;
    enum lb_status status = lb_parameters_string(parameters, "wrap", "repeat", &text, builder->error);
    if (status != LB_OK)
        return status;
    for (int i = 0; i < 4; i++)
        if (strcmp(text, names[i]) == 0) {
            *wrap = wraps[i];
            return LB_OK;
        }
    return lb_build_unknown(builder, lb_build_place(parameters, "wrap"), "wrap", text, LB_ROWS(names));
}

/* All filters that look at a texture's size on the screen are bilinear here. */
static enum lb_status find_filter(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  uint32_t *nearest)
{
    static const char *const names[] = {"bilinear", "trilinear", "ewa", "EWA", "point"};
    const char *text;
    enum lb_status status = lb_parameters_string(parameters, "filter", "bilinear", &text, builder->error);
    if (status != LB_OK)
        return status;
    for (int i = 0; i < 5; i++)
        if (strcmp(text, names[i]) == 0) {
            *nearest = i == 4;
            return LB_OK;
        }
    return lb_build_unknown(builder, lb_build_place(parameters, "filter"), "filter", text, LB_ROWS(names));
}

static enum lb_status build_imagemap(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                     lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    static const char *const no_matter[] = {"maxanisotropy"};
    struct lb_encoding encoding = {NULL, lb_build_place(parameters, "filename")};
    const char *path;
    enum lb_status status;
    lb_build_ignore(&entity->entity, no_matter, 1);
    if ((status = build_mapping(builder, entity, texture)) != LB_OK ||
        (status = find_wrap(builder, parameters, &texture->wrap)) != LB_OK ||
        (status = find_filter(builder, parameters, &texture->nearest)) != LB_OK ||
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
    texture->kind = LB_TEXTURE_IMAGE;
    texture->is_float = entity->is_float;
    return lb_build_image(builder, path, &encoding, &texture->image);
}

/* A parameter of the texture's own type. */
static enum lb_status own_input(const struct lb_builder *builder, const struct lb_texture_entity *entity,
                                const char *name, float fallback, lb_input *input)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    if (entity->is_float)
        return lb_build_float_input(builder, parameters, name, fallback, -1e30f, 1e30f, input, NULL);
    return lb_build_rgb_input(builder, parameters, name, false, lb_rgb_grey(fallback), input, NULL);
}

static enum lb_status build_checkerboard(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                         lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    int32_t dimensions;
    enum lb_status status;
    if ((status = lb_build_integer(builder, parameters, "dimension", 2, 2, 3, &dimensions)) != LB_OK ||
        (status = own_input(builder, entity, "tex1", 1.0f, &texture->a)) != LB_OK ||
        (status = own_input(builder, entity, "tex2", 0.0f, &texture->b)) != LB_OK)
        return status;
    texture->kind = LB_TEXTURE_CHECKERBOARD;
    texture->dimensions = (uint32_t)dimensions;
    if (dimensions == 2)
        return build_mapping(builder, entity, texture);
    return lb_build_transform(builder, entity->world_from_texture, &parameters->location, NULL,
                              &texture->texture_from_world);
}

static enum lb_status build_scale(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                  lb_texture *texture)
{
    texture->kind = LB_TEXTURE_SCALE;
    enum lb_status status = own_input(builder, entity, "tex", 1.0f, &texture->a);
    if (status != LB_OK)
        return status;
    return lb_build_float_input(builder, &entity->entity.parameters, "scale", 1.0f, -1e30f, 1e30f,
                                &texture->b, NULL);
}

static enum lb_status build_mix(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                lb_texture *texture)
{
    enum lb_status status;
    texture->kind = LB_TEXTURE_MIX;
    if ((status = own_input(builder, entity, "tex1", 0.0f, &texture->a)) != LB_OK ||
        (status = own_input(builder, entity, "tex2", 1.0f, &texture->b)) != LB_OK)
        return status;
    return lb_build_float_input(builder, &entity->entity.parameters, "amount", 0.5f, 0.0f, 1.0f,
                                &texture->amount, NULL);
}

static enum lb_status build_constant(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                     lb_texture *texture)
{
    texture->kind = LB_TEXTURE_CONSTANT;
    return own_input(builder, entity, "value", 1.0f, &texture->a);
}

/* Grey until it is rendered. */
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

static const struct texture_kind {
    const char *name;
    enum lb_status (*build)(struct lb_builder *builder, const struct lb_texture_entity *entity,
                            lb_texture *texture);
} kinds[] = {
    {"constant", build_constant}, {"imagemap", build_imagemap}, {"checkerboard", build_checkerboard},
    {"scale", build_scale},       {"mix", build_mix},           {"directionmix", build_later},
    {"bilerp", build_later},      {"dots", build_later},        {"fbm", build_later},
    {"wrinkled", build_later},    {"windy", build_later},       {"marble", build_later},
    {"ptex", build_later},
};

static const struct texture_kind *find_kind(const char *type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(type, kinds[i].name) == 0)
            return &kinds[i];
    return NULL;
}

/* ---- all of them ---- */

static uint32_t input_depth(const struct lb_builder *builder, const lb_input *input)
{
    const lb_texture *textures = builder->arrays.textures.data;
    if (input->texture == LB_NONE)
        return 0;
    const lb_texture *texture = &textures[input->texture];
    if (texture->kind == LB_TEXTURE_IMAGE || texture->kind == LB_TEXTURE_CONSTANT)
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

enum lb_status lb_build_textures(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    builder->texture_inputs =
        lb_arena_alloc(builder->arena, description->texture_count + 1, sizeof *builder->texture_inputs);
    if (!builder->texture_inputs)
        return lb_build_no_memory(builder);
    for (size_t i = 0; i < description->texture_count; i++) {
        const struct lb_texture_entity *entity = &description->textures[i];
        const struct texture_kind *kind = find_kind(entity->entity.type);
        enum lb_status status = LB_OK;
        if (!kind)
            status = lb_build_unknown(builder, &entity->entity.parameters.location, "texture type",
                                      entity->entity.type, LB_ROWS(kinds));
        else if (builder->used.textures[i])
            status = build_texture(builder, entity, kind, &builder->texture_inputs[i]);
        if (status != LB_OK) /* it has a value, lest its users were errors too */
            builder->texture_inputs[i] = (lb_input){.texture = LB_NONE};
        if (lb_build_go_on(builder, status) != LB_OK)
            return status;
        builder->textures_built = i + 1;
    }
    return LB_OK;
}
