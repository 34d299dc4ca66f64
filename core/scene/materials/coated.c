/* Materials with a coat: an interface, and a layer below it over a diffuse or metallic base. */
#include "core/scene/materials/materials.h"

#include "core/kernel/materials/coat.h"
#include "core/scene/block/limits.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/textures/textures.h"

/* What light goes through a coat, where that is the same all over the surface and for all wavelengths. */
static enum lb_status build_coat(struct lb_builder *builder, lb_material *material)
{
    float alpha = material->uroughness.value.r;
    if (material->indices.count != 0 || material->uroughness.texture != LB_NONE ||
        material->vroughness.texture != LB_NONE || material->thickness.texture != LB_NONE ||
        material->vroughness.value.r != alpha)
        return LB_OK;
    struct lb_vector *tables = &builder->arrays.tables;
    float *table = lb_vector_add(tables, LB_COAT_CELLS);
    if (!table)
        return lb_build_no_memory(builder);
    material->coat.offset = tables->count - LB_COAT_CELLS;
    material->coat.count = LB_COAT_CELLS;
    lb_coat_tabulate(material->remap_roughness ? lb_sqrt(lb_max(0.0f, alpha)) : alpha, material->eta.value.r,
                     lb_max(0.0f, material->thickness.value.r), table);
    return LB_OK;
}

/* The layer below a coat. */
static enum lb_status build_layer(struct lb_builder *builder, const struct lb_parameters *parameters,
                                  lb_material *material)
{
    int32_t depth, samples;
    enum lb_status status;
    if ((status = lb_build_float_input(builder, parameters, "thickness", 0.01f, 0.0f, 1e30f,
                                       &material->thickness, NULL)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "albedo", true, lb_rgb_grey(0.0f),
                                     &material->albedo, NULL)) != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "g", 0.0f, -1.0f, 1.0f, &material->g, NULL)) !=
            LB_OK ||
        (status = lb_build_integer(builder, parameters, "maxdepth", 10, 1, LB_COAT_MOST, &depth)) != LB_OK ||
        (status = lb_build_integer(builder, parameters, "nsamples", 1, 1, LB_COAT_MOST, &samples)) != LB_OK)
        return status;
    material->max_depth = (uint32_t)depth;
    material->samples = (uint32_t)samples;
    return LB_OK;
}

enum lb_status lb_build_coated_diffuse(struct lb_builder *builder, const struct lb_parameters *parameters,
                                       lb_material *material)
{
    enum lb_status status;
    material->kind = LB_MATERIAL_COATED_DIFFUSE;
    if ((status = lb_build_rgb_input(builder, parameters, "reflectance", true, lb_rgb_grey(0.5f),
                                     &material->reflectance, NULL)) != LB_OK ||
        (status = lb_build_own_roughness(builder, parameters, material)) != LB_OK ||
        (status = lb_build_index(builder, parameters, material)) != LB_OK ||
        (status = build_layer(builder, parameters, material)) != LB_OK)
        return status;
    return build_coat(builder, material);
}

enum lb_status lb_build_coated_conductor(struct lb_builder *builder, const struct lb_parameters *parameters,
                                         lb_material *material)
{
    static const struct lb_roughness_names coat = {"interface.roughness", "interface.uroughness",
                                                   "interface.vroughness"};
    static const struct lb_roughness_names metal = {"conductor.roughness", "conductor.uroughness",
                                                    "conductor.vroughness"};
    enum lb_status status;
    material->kind = LB_MATERIAL_COATED_CONDUCTOR;
    if ((status = lb_build_roughness(builder, parameters, &coat, &material->uroughness,
                                     &material->vroughness)) != LB_OK ||
        (status = lb_build_roughness(builder, parameters, &metal, &material->base_uroughness,
                                     &material->base_vroughness)) != LB_OK ||
        (status = lb_build_bool(builder, parameters, "remaproughness", true, &material->remap_roughness)) !=
            LB_OK ||
        (status = lb_build_named_index(builder, parameters, "interface.eta", material,
                                       &material->coat_eta)) != LB_OK ||
        (status = lb_build_metal(builder, parameters, "conductor.eta", "conductor.k", material)) != LB_OK)
        return status;
    return build_layer(builder, parameters, material);
}
