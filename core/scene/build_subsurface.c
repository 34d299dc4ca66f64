/* The material subsurface: a rough interface around a body in which light scatters. */
#include "core/scene/build_material.h"

#include "core/scene/body_albedos.h"
#include "core/scene/medium_presets.h"

/* By reflectance and mean free path: the albedos that the reflectances stand for. */
static enum lb_status build_body_albedos(struct lb_builder *builder, lb_material *material)
{
    struct lb_vector *tables = &builder->arrays.tables;
    float *albedos = lb_vector_add(tables, LB_BODY_ALBEDOS);
    if (!albedos)
        return lb_build_no_memory(builder);
    material->albedos = tables->count - LB_BODY_ALBEDOS;
    lb_body_albedos(material->eta.value.r, material->g.value.r, albedos);
    return LB_OK;
}

/* What the body is made of is given by name, or by coefficients, or by reflectance: the first of these counts, as in
 * pbrt. */
static enum lb_status build_body(struct lb_builder *builder, const struct lb_parameters *parameters,
                                 lb_material *material)
{
    lb_rgb sigma_a = lb_rgb_make(0.0011f, 0.0024f, 0.014f), sigma_s = lb_rgb_make(2.55f, 3.21f, 3.77f);
    const char *name;
    bool absorbs, scatters, reflects, named;
    enum lb_status status = lb_parameters_string(parameters, "name", "", &name, builder->error);
    named = status == LB_OK && *name;
    if (named && !lb_medium_preset(name, &sigma_a, &sigma_s)) {
        size_t count;
        const struct lb_medium_preset *presets = lb_medium_presets(&count);
        return lb_build_unknown(builder, lb_build_place(parameters, "name"), "subsurface material", name,
                                presets, count, sizeof *presets);
    }
    if (status != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, named ? "" : "sigma_a", false, sigma_a,
                                     &material->sigma_a, &absorbs)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, named ? "" : "sigma_s", false, sigma_s,
                                     &material->sigma_s, &scatters)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "reflectance", true, lb_rgb_grey(0.0f),
                                     &material->reflectance, &reflects)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "mfp", false, lb_rgb_grey(1.0f), &material->mfp,
                                     NULL)) != LB_OK)
        return status;
    if (absorbs != scatters)
        return lb_build_error(builder, lb_build_place(parameters, absorbs ? "sigma_a" : "sigma_s"),
                              "a subsurface material has both \"sigma_a\" and \"sigma_s\", or neither");
    if (named) /* whose coefficients are reduced ones */
        material->g.value = lb_rgb_grey(0.0f);
    material->by_reflectance = !named && !absorbs && reflects;
    return material->by_reflectance ? build_body_albedos(builder, material) : LB_OK;
}

enum lb_status lb_build_subsurface(struct lb_builder *builder, const struct lb_parameters *parameters,
                                   lb_material *material)
{
    float eta, g;
    enum lb_status status;
    material->kind = LB_MATERIAL_SUBSURFACE;
    if ((status = lb_build_own_roughness(builder, parameters, material)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "eta", 1.33f, 1e-3f, 1e6f, &eta)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "g", 0.0f, -1.0f, 1.0f, &g)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "scale", 1.0f, 0.0f, 1e30f, &material->scale)) != LB_OK)
        return status;
    material->eta.value = lb_rgb_grey(eta);
    material->g.value = lb_rgb_grey(lb_clamp(g, -0.999f, 0.999f));
    return build_body(builder, parameters, material);
}
