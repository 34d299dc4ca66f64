/* The material metallicroughness: that of glTF. */
#include "core/scene/materials/materials.h"

#include "core/kernel/materials/albedo_table.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/textures/textures.h"

/* The table of albedos, which all materials of the kind share. */
static enum lb_status build_albedos(struct lb_builder *builder, lb_material *material)
{
    const lb_material *materials = builder->arrays.materials.data;
    for (const lb_material *other = materials; other < material; other++)
        if (other->kind == LB_MATERIAL_METALLIC) {
            material->albedos = other->albedos;
            return LB_OK;
        }
    struct lb_vector *tables = &builder->arrays.tables;
    float *table = lb_vector_add(tables, LB_ALBEDO_FLOATS);
    if (!table)
        return lb_build_no_memory(builder);
    material->albedos = tables->count - LB_ALBEDO_FLOATS;
    lb_albedo_tabulate(table);
    return LB_OK;
}

/* A number from 0 to 1, or a texture. */
struct metallic_input {
    const char *name;
    float fallback;
    lb_input *input;
};

static enum lb_status build_parts(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  lb_material *material)
{
    const struct metallic_input parts[] = {
        {"metallic", 1.0f, &material->metallic},
        {"roughness", 1.0f, &material->uroughness},
        {"transmission", 0.0f, &material->transmission},
        {"specular", 1.0f, &material->specular},
        {"clearcoat", 0.0f, &material->clearcoat},
        {"clearcoatroughness", 0.0f, &material->clearcoat_roughness},
        {"sheenroughness", 0.0f, &material->sheen_roughness},
    };
    enum lb_status status = LB_OK;
    for (size_t i = 0; status == LB_OK && i < sizeof parts / sizeof *parts; i++)
        status = lb_build_float_input(builder, parameters, parts[i].name, parts[i].fallback, 0.0f, 1.0f,
                                      parts[i].input, NULL);
    return status;
}

enum lb_status lb_build_metallic(struct lb_builder *builder, const struct lb_parameters *parameters,
                                 lb_material *material)
{
    const lb_rgb white = lb_rgb_grey(1.0f);
    enum lb_status status = build_parts(builder, parameters, material);
    float ior;
    bool mapped;
    material->kind = LB_MATERIAL_METALLIC;
    if (status != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "basecolor", true, white, &material->reflectance,
                                     NULL)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "specularcolor", false, white,
                                     &material->specular_color, NULL)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "sheencolor", true, lb_rgb_grey(0.0f),
                                     &material->sheen_color, NULL)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "ior", 1.5f, 1.0f, 100.0f, &ior)) != LB_OK ||
        (status = lb_build_bool(builder, parameters, "thinwalled", true, &material->thin)) != LB_OK ||
        (status = lb_build_bool(builder, parameters, "clearcoatnormalmap", false, &material->coat_is_bent)) !=
            LB_OK ||
        (status = lb_build_bool(builder, parameters, "remaproughness", true, &material->remap_roughness)) !=
            LB_OK ||
        (status = lb_build_normal_map(builder, parameters, "clearcoatnormals", &material->coat_map,
                                      &mapped)) != LB_OK)
        return status;
    material->flags |= mapped && !material->coat_is_bent ? LB_MATERIAL_COAT_MAPPED : 0;
    material->vroughness = material->uroughness;
    material->eta.value = lb_rgb_grey(ior);
    return build_albedos(builder, material);
}
