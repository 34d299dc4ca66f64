/* Parameters that may be a value or a texture. */
#include "core/scene/textures/textures.h"
#include "core/scene/spectrum/spectrum.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/spectra.h"

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
    if (!builder->textures_built[index])
        return lb_build_error(builder, &parameter->location, "texture \"%s\" is not defined yet here",
                              parameter->strings[0]);
    *input = builder->texture_inputs[index];
    return LB_OK;
}

/* Reads what may be a colour or, as it is kept, a texture. Where colours are spectra it is of the role `shown`, which
 * all textures are of reflectances. */
static enum lb_status read_rgb_input(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                     const char *name, enum lb_spectrum_role role,
                                     enum lb_spectrum_role shown, lb_input *input)
{
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    enum lb_status status = LB_OK;
    if (!parameter)
        return lb_build_spectral(builder, NULL, shown, &input->value);
    if (parameter->type == LB_PARAMETER_TEXTURE)
        return find_texture(builder, parameter, false, input);
    status = lb_spectrum_rgb(builder->description, parameter, role, builder->arena, builder->log,
                             &input->value, builder->error);
    if (status == LB_OK &&
        (!lb_is_finite(input->value.r) || !lb_is_finite(input->value.g) || !lb_is_finite(input->value.b)))
        return lb_build_error(builder, &parameter->location, "\"%s\" is not finite", name);
    return status == LB_OK ? lb_build_spectral(builder, parameter, shown, &input->value) : status;
}

enum lb_status lb_build_rgb_input(struct lb_builder *builder, const struct lb_parameters *parameters,
                                  const char *name, bool albedo, lb_rgb fallback, lb_input *input,
                                  bool *given)
{
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    enum lb_spectrum_role role = albedo ? LB_SPECTRUM_REFLECTANCE : LB_SPECTRUM_UNBOUNDED;
    input->texture = LB_NONE;
    input->value = fallback;
    if (given)
        *given = parameter != NULL;
    enum lb_status status = read_rgb_input(builder, parameters, name, role, role, input);
    if (status == LB_OK && !albedo && parameter && parameter->type == LB_PARAMETER_TEXTURE)
        status = lb_build_unbounded(builder, input);
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

uint32_t lb_build_spread(const struct lb_builder *builder, const lb_input *input)
{
    const lb_texture *textures = builder->arrays.textures.data;
    uint32_t flags = 0;
    if (input->texture == LB_NONE)
        return 0;
    const lb_texture *texture = &textures[input->texture];
    if (texture->kind > LB_TEXTURE_BILERP)
        flags = LB_MATERIAL_FOOTPRINT;
    else if (texture->kind == LB_TEXTURE_IMAGE && texture->filter >= LB_FILTERED_TRILINEAR)
        flags = LB_MATERIAL_FOOTPRINT | LB_MATERIAL_FILTERED;
    if (texture->mapping == LB_MAPPING_SECOND_UV)
        flags |= LB_MATERIAL_FOOTPRINT | LB_MATERIAL_FILTERED | LB_MATERIAL_SECOND_UV;
    return flags | lb_build_spread(builder, &texture->a) | lb_build_spread(builder, &texture->b) |
           lb_build_spread(builder, &texture->amount);
}

enum lb_status lb_build_no_second_uv(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                     const char *name, const lb_input *input)
{
    if ((lb_build_spread(builder, input) & LB_MATERIAL_SECOND_UV) == 0)
        return LB_OK;
    return lb_build_not_yet(builder, lb_build_place(parameters, name),
                            "\"%s\" is not rendered with the mapping \"uv1\" yet: its texture gets uv", name);
}

enum lb_status lb_build_own_input(const struct lb_builder *builder, const struct lb_texture_entity *entity,
                                  const char *name, float fallback, lb_input *input)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    if (entity->is_float)
        return lb_build_float_input(builder, parameters, name, fallback, -1e30f, 1e30f, input, NULL);
    input->texture = LB_NONE;
    input->value = lb_rgb_grey(fallback);
    /* Where colours are spectra all textures are of reflectances; lb_build_unbounded makes others of them. */
    return read_rgb_input(builder, parameters, name, LB_SPECTRUM_UNBOUNDED, LB_SPECTRUM_REFLECTANCE, input);
}
