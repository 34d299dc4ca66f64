/* Materials, with pbrt-v4's names and defaults: the table of their kinds, and those that need few words. */
#include "core/scene/materials/materials.h"

#include "core/scene/materials/measured.h"
#include "core/scene/materials/inputs.h"
#include "core/scene/builder/mattes.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/spectra.h"
#include "core/scene/textures/textures.h"

/* ---- short ones ---- */

static enum lb_status build_diffuse(struct lb_builder *builder, const struct lb_parameters *parameters,
                                    lb_material *material)
{
    material->kind = LB_MATERIAL_DIFFUSE;
    return lb_build_rgb_input(builder, parameters, "reflectance", true, lb_rgb_grey(0.5f),
                              &material->reflectance, NULL);
}

static enum lb_status build_diffuse_transmission(struct lb_builder *builder,
                                                 const struct lb_parameters *parameters,
                                                 lb_material *material)
{
    const lb_rgb quarter = lb_rgb_grey(0.25f);
    enum lb_status status;
    material->kind = LB_MATERIAL_DIFFUSE_TRANSMISSION;
    if ((status = lb_build_rgb_input(builder, parameters, "reflectance", true, quarter,
                                     &material->reflectance, NULL)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "transmittance", true, quarter,
                                     &material->transmittance, NULL)) != LB_OK)
        return status;
    return lb_build_float(builder, parameters, "scale", 1.0f, 0.0f, 1e30f, &material->scale);
}

static enum lb_status build_measured(struct lb_builder *builder, const struct lb_parameters *parameters,
                                     lb_material *material)
{
    const char *path;
    enum lb_status status = lb_build_file(builder, parameters, "filename", &path);
    material->kind = LB_MATERIAL_MEASURED;
    if (status == LB_OK && !path)
        return lb_build_error(builder, &parameters->location, "a measured material needs a \"filename\"");
    if (status != LB_OK)
        return status;
    return lb_build_measured(builder, path, lb_build_place(parameters, "filename"), &material->measured);
}

static enum lb_status build_interface(struct lb_builder *builder, const struct lb_parameters *parameters,
                                      lb_material *material)
{
    /* pbrt looks at none of them. */
    for (size_t i = 0; i < parameters->count; i++)
        parameters->items[i].used = true;
    material->kind = LB_MATERIAL_INTERFACE;
    builder->head.any_interface = 1;
    return LB_OK;
}

/* ---- the surface's relief ---- */

/* What turns the normals of any material that light scatters at; a normal map goes before a displacement (pbrt). */
static enum lb_status build_relief(struct lb_builder *builder, const struct lb_parameters *parameters,
                                   lb_material *material)
{
    bool given;
    enum lb_status status =
        lb_build_normal_map(builder, parameters, "normalmap", &material->normal_map, &given);
    if (status == LB_OK && given)
        material->flags |= LB_MATERIAL_NORMAL_MAPPED;
    if (status == LB_OK)
        status = lb_build_float_input(builder, parameters, "displacement", 0.0f, -1e30f, 1e30f,
                                      &material->displacement, &given);
    if (status == LB_OK)
        status = lb_build_no_second_uv(builder, parameters, "displacement", &material->displacement);
    if (status == LB_OK && given)
        material->flags |= LB_MATERIAL_BUMPED;
    return status;
}

/* ---- the table of kinds ---- */

struct material_kind {
    const char *name;
    bool relief; /* it takes displacement and normalmap */
    lb_build_material_kind *build;
};

static const struct material_kind kinds[] = {
    {"diffuse", true, build_diffuse},
    {"conductor", true, lb_build_conductor},
    {"dielectric", true, lb_build_dielectric},
    {"thindielectric", true, lb_build_thin_dielectric},
    {"coateddiffuse", true, lb_build_coated_diffuse},
    {"interface", false, build_interface},
    {"none", false, build_interface},
    {"", false, build_interface},
    {"coatedconductor", true, lb_build_coated_conductor},
    {"diffusetransmission", true, build_diffuse_transmission},
    {"mix", false, lb_build_mix},
    {"measured", true, build_measured},
    {"subsurface", true, lb_build_subsurface},
    {"metallicroughness", true, lb_build_metallic},
    {"hair", false, lb_build_hair},
};

static lb_input *input_of(lb_material *material, size_t i)
{
    return (lb_input *)(void *)((char *)material + lb_material_inputs[i]);
}

static enum lb_status build_material(struct lb_builder *builder, const struct lb_material_entity *entity,
                                     const struct material_kind *kind, lb_material *material)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    if (entity->name)
        lb_parameters_find(parameters, "type");
    enum lb_status status = kind->build(builder, parameters, material);
    if (status == LB_OK && kind->relief)
        status = build_relief(builder, parameters, material);
    else
        lb_parameters_find(parameters,
                           "normalmap"); /* pbrt takes it of all, and turns no normal by it here */
    for (size_t i = 0; status == LB_OK && i < LB_MATERIAL_INPUTS; i++)
        material->flags |= lb_build_spread(builder, input_of(material, i));
    return status == LB_OK ? lb_build_check_unused(builder, &entity->entity) : status;
}

/* A material without a name is known by its number among all. */
static enum lb_status name_material(struct lb_builder *builder, size_t number)
{
    const char *name = builder->description->materials[number].name;
    if (!name && lb_build_has_matte(builder, LB_CHANNEL_MATERIALS))
        name = lb_arena_format(builder->arena, "material %zu", number + 1);
    return name || !lb_build_has_matte(builder, LB_CHANNEL_MATERIALS)
               ? lb_build_matte_name(builder, LB_CHANNEL_MATERIALS, name)
               : lb_build_no_memory(builder);
}

enum lb_status lb_build_materials(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    for (size_t i = 0; i < description->material_count; i++) {
        const struct lb_material_entity *entity = &description->materials[i];
        const struct lb_location *location = &entity->entity.parameters.location;
        lb_material *material = lb_vector_add(&builder->arrays.materials, 1);
        if (!material)
            return lb_build_no_memory(builder);
        for (size_t input = 0; input < LB_MATERIAL_INPUTS; input++)
            input_of(material, input)->texture = LB_NONE;
        const struct material_kind *kind =
            entity->entity.type ? lb_build_row(entity->entity.type, LB_ROWS(kinds)) : NULL;
        enum lb_status status = LB_OK;
        if (kind && builder->used.materials[i])
            status = build_material(builder, entity, kind, material);
        else if (entity->entity.type && !kind)
            status = lb_build_unknown(builder, location, "material", entity->entity.type, LB_ROWS(kinds));
        else if (builder->used.materials[i]) /* only mentioned */
            status =
                lb_build_no_name(builder, location, "material", entity->name, &description->material_names);
        if (lb_build_go_on(builder, status) != LB_OK || (status = name_material(builder, i)) != LB_OK)
            return status;
    }
    builder->head.any_adjusted = builder->head.integrator.force_diffuse ||
                                 builder->arrays.wavelengths.count != 0 || builder->spectra != NULL;
    return lb_build_check_mixes(builder);
}
