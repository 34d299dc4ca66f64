/* The material subsurface: a rough interface below which light spreads. */
#include "core/scene/materials/materials.h"

#include "core/scene/materials/diffusion.h"
#include "core/scene/media/presets.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/textures/textures.h"

/* The table of a subsurface material: that of an earlier one where it has the same index and phase function. */
static enum lb_status build_profile(struct lb_builder *builder, lb_material *material)
{
    float eta = material->eta.value.r, g = material->g.value.r;
    const lb_material *materials = builder->arrays.materials.data;
    if (!builder->head.integrator.media) /* light does not go below the surface */
        return LB_OK;
    material->leaving = lb_diffusion_leaving(eta);
    for (const lb_material *other = materials; other < material; other++)
        if (other->kind == LB_MATERIAL_SUBSURFACE && other->eta.value.r == eta && other->g.value.r == g) {
            material->profile = other->profile;
            return LB_OK;
        }
    struct lb_vector *tables = &builder->arrays.tables;
    float *table = lb_vector_add(tables, LB_PROFILE_FLOATS);
    if (!table)
        return lb_build_no_memory(builder);
    material->profile = tables->count - LB_PROFILE_FLOATS;
    lb_diffusion_tabulate(eta, g, table);
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
                                     NULL)) != LB_OK ||
        (status = lb_build_no_second_uv(builder, parameters, "sigma_a", &material->sigma_a)) != LB_OK ||
        (status = lb_build_no_second_uv(builder, parameters, "sigma_s", &material->sigma_s)) != LB_OK ||
        (status = lb_build_no_second_uv(builder, parameters, "reflectance", &material->reflectance)) !=
            LB_OK ||
        (status = lb_build_no_second_uv(builder, parameters, "mfp", &material->mfp)) != LB_OK)
        return status;
    if (absorbs != scatters)
        return lb_build_error(builder, lb_build_place(parameters, absorbs ? "sigma_a" : "sigma_s"),
                              "a subsurface material has both \"sigma_a\" and \"sigma_s\", or neither");
    if (named) /* whose coefficients are reduced ones */
        material->g.value = lb_rgb_grey(0.0f);
    material->by_reflectance = !named && !absorbs && reflects;
    return build_profile(builder, material);
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
