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

/* The inverse of the transformation at the Texture directive. */
static enum lb_status build_space(const struct lb_builder *builder, const struct lb_texture_entity *entity,
                                  lb_texture *texture)
{
    return lb_build_transform(builder, entity->world_from_texture, &entity->entity.parameters.location, NULL,
                              &texture->texture_from_world);
}

static enum lb_status build_vector(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                   const char *name, lb_vec3 fallback, lb_vec3 *value)
{
    const float standard[3] = {fallback.x, fallback.y, fallback.z};
    float v[3];
    enum lb_status status =
        lb_parameters_triple(parameters, name, LB_PARAMETER_VECTOR3, standard, v, builder->error);
    if (status != LB_OK)
        return status;
    *value = lb_vec3_make(v[0], v[1], v[2]);
    return LB_OK;
}

static enum lb_status build_uv_mapping(const struct lb_builder *builder,
                                       const struct lb_texture_entity *entity, lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    const float most = 1e30f;
    enum lb_status status;
    if ((status = lb_build_float(builder, parameters, "uscale", 1.0f, -most, most, &texture->su)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "vscale", 1.0f, -most, most, &texture->sv)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "udelta", 0.0f, -most, most, &texture->du)) != LB_OK)
        return status;
    return lb_build_float(builder, parameters, "vdelta", 0.0f, -most, most, &texture->dv);
}

static enum lb_status build_planar_mapping(const struct lb_builder *builder,
                                           const struct lb_texture_entity *entity, lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    const lb_vec3 x = lb_vec3_make(1.0f, 0.0f, 0.0f), y = lb_vec3_make(0.0f, 1.0f, 0.0f);
    const float most = 1e30f;
    enum lb_status status;
    if ((status = build_vector(builder, parameters, "v1", x, &texture->s_axis)) != LB_OK ||
        (status = build_vector(builder, parameters, "v2", y, &texture->t_axis)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "udelta", 0.0f, -most, most, &texture->du)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "vdelta", 0.0f, -most, most, &texture->dv)) != LB_OK)
        return status;
    return build_space(builder, entity, texture);
}

struct mapping_kind {
    const char *name;
    uint32_t mapping;
    enum lb_status (*build)(const struct lb_builder *builder, const struct lb_texture_entity *entity,
                            lb_texture *texture);
};

static const struct mapping_kind mappings[] = {
    {"uv", LB_MAPPING_UV, build_uv_mapping},
    {"spherical", LB_MAPPING_SPHERICAL, build_space},
    {"cylindrical", LB_MAPPING_CYLINDRICAL, build_space},
    {"planar", LB_MAPPING_PLANAR, build_planar_mapping},
};

static enum lb_status build_mapping(const struct lb_builder *builder, const struct lb_texture_entity *entity,
                                    lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    static const char *const other[] = {"uscale", "vscale", "udelta", "vdelta", "v1", "v2"};
    const char *name;
    enum lb_status status = lb_parameters_string(parameters, "mapping", "uv", &name, builder->error);
    if (status != LB_OK)
        return status;
    /* Those of other mappings are left alone. */
    lb_build_ignore(&entity->entity, other, sizeof other / sizeof other[0]);
    for (size_t i = 0; i < sizeof mappings / sizeof mappings[0]; i++)
        if (strcmp(name, mappings[i].name) == 0) {
            texture->mapping = mappings[i].mapping;
            return mappings[i].build(builder, entity, texture);
        }
    return lb_build_unknown(builder, lb_build_place(parameters, "mapping"), "mapping", name,
                            LB_ROWS(mappings));
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
    return build_space(builder, entity, texture);
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

static enum lb_status build_direction_mix(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                          lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    lb_transform world_from_texture;
    lb_vec3 direction;
    enum lb_status status;
    texture->kind = LB_TEXTURE_DIRECTION_MIX;
    if ((status = own_input(builder, entity, "tex1", 0.0f, &texture->a)) != LB_OK ||
        (status = own_input(builder, entity, "tex2", 1.0f, &texture->b)) != LB_OK ||
        (status = build_vector(builder, parameters, "dir", lb_vec3_make(0.0f, 1.0f, 0.0f), &direction)) !=
            LB_OK ||
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
    texture->kind = LB_TEXTURE_BILERP;
    for (int i = 0; i < 4; i++) {
        float fallback = i < 2 ? 0.0f : 1.0f, value;
        enum lb_status status;
        if (entity->is_float) {
            status = lb_build_float(builder, parameters, names[i], fallback, -1e30f, 1e30f, &value);
            texture->corners[i] = lb_rgb_grey(value);
        } else {
            status = lb_build_colour(builder, parameters, names[i], false, lb_rgb_grey(fallback),
                                     &texture->corners[i]);
        }
        if (status != LB_OK)
            return status;
    }
    return build_mapping(builder, entity, texture);
}

/* ---- noise ---- */

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

/* Puts the permutation into the scene, once, and the texture's transform. */
static enum lb_status build_noise(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                  lb_texture *texture)
{
    const lb_texture *textures = builder->arrays.textures.data;
    for (size_t i = 0; i < builder->arrays.textures.count; i++)
        if (textures[i].has_permutation) {
            texture->permutation = textures[i].permutation;
            texture->has_permutation = 1;
        }
    if (!texture->has_permutation) {
        texture->permutation = builder->arrays.texels.count;
        texture->has_permutation = 1;
        uint8_t *place = lb_vector_add(&builder->arrays.texels, sizeof permutation);
        if (!place)
            return lb_build_no_memory(builder);
        memcpy(place, permutation, sizeof permutation);
    }
    return build_space(builder, entity, texture);
}

static enum lb_status build_dots(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                 lb_texture *texture)
{
    enum lb_status status;
    texture->kind = LB_TEXTURE_DOTS;
    /* pbrt-v4 takes the two for each other, and its pictures are the measure. */
    if ((status = own_input(builder, entity, "inside", 1.0f, &texture->a)) != LB_OK ||
        (status = own_input(builder, entity, "outside", 0.0f, &texture->b)) != LB_OK ||
        (status = build_noise(builder, entity, texture)) != LB_OK)
        return status;
    return build_mapping(builder, entity, texture);
}

static enum lb_status build_octaves(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                    lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    int32_t octaves;
    enum lb_status status;
    if ((status = lb_build_integer(builder, parameters, "octaves", 8, 0, 1000, &octaves)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "roughness", 0.5f, -1e6f, 1e6f, &texture->roughness)) !=
            LB_OK)
        return status;
    texture->octaves = (uint32_t)octaves;
    return build_noise(builder, entity, texture);
}

static enum lb_status build_fbm(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                lb_texture *texture)
{
    texture->kind = LB_TEXTURE_FBM;
    return build_octaves(builder, entity, texture);
}

static enum lb_status build_wrinkled(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                     lb_texture *texture)
{
    texture->kind = LB_TEXTURE_WRINKLED;
    return build_octaves(builder, entity, texture);
}

static enum lb_status build_windy(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                  lb_texture *texture)
{
    texture->kind = LB_TEXTURE_WINDY;
    return build_noise(builder, entity, texture);
}

static enum lb_status build_marble(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                   lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    enum lb_status status;
    texture->kind = LB_TEXTURE_MARBLE;
    if ((status = lb_build_float(builder, parameters, "scale", 1.0f, -1e30f, 1e30f, &texture->scale)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "variation", 0.2f, -1e30f, 1e30f,
                                 &texture->variation)) != LB_OK)
        return status;
    return build_octaves(builder, entity, texture);
}

/* ---- all kinds ---- */

static enum lb_status build_constant(struct lb_builder *builder, const struct lb_texture_entity *entity,
                                     lb_texture *texture)
{
    texture->kind = LB_TEXTURE_CONSTANT;
    return own_input(builder, entity, "value", 1.0f, &texture->a);
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
    enum lb_status (*build)(struct lb_builder *builder, const struct lb_texture_entity *entity,
                            lb_texture *texture);
};

static const struct texture_kind kinds[] = {
    {"constant", ANY, build_constant},
    {"imagemap", ANY, build_imagemap},
    {"checkerboard", ANY, build_checkerboard},
    {"scale", ANY, build_scale},
    {"mix", ANY, build_mix},
    {"directionmix", ANY, build_direction_mix},
    {"bilerp", ANY, build_bilerp},
    {"dots", ANY, build_dots},
    {"fbm", FLOATS, build_fbm},
    {"wrinkled", FLOATS, build_wrinkled},
    {"windy", FLOATS, build_windy},
    {"marble", SPECTRA, build_marble},
    {"ptex", ANY, build_later},
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

bool lb_build_has_footprint(const struct lb_builder *builder, const lb_input *input)
{
    const lb_texture *textures = builder->arrays.textures.data;
    if (input->texture == LB_NONE)
        return false;
    const lb_texture *texture = &textures[input->texture];
    return texture->kind > LB_TEXTURE_BILERP || lb_build_has_footprint(builder, &texture->a) ||
           lb_build_has_footprint(builder, &texture->b) || lb_build_has_footprint(builder, &texture->amount);
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
