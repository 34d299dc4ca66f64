/* The material hair. */
#include "core/scene/materials/materials.h"
#include "core/scene/builder/spectra.h"
#include "core/scene/textures/textures.h"

/* What it absorbs is given by sigma_a, or a colour, or melanin: the first of these counts, as in pbrt. */
static enum lb_status build_hair_color(struct lb_builder *builder, const struct lb_parameters *parameters,
                                       lb_material *material)
{
    const lb_rgb grey = lb_rgb_grey(0.0f);
    bool absorption, reflectance, color, eumelanin, pheomelanin;
    lb_input old;
    enum lb_status status;
    if ((status = lb_build_rgb_input(builder, parameters, "sigma_a", false, grey, &material->sigma_a,
                                     &absorption)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "reflectance", true, grey, &material->reflectance,
                                     &reflectance)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "color", true, grey, &old, &color)) != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "eumelanin", 0.0f, 0.0f, 1e30f,
                                       &material->eumelanin, &eumelanin)) != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "pheomelanin", 0.0f, 0.0f, 1e30f,
                                       &material->pheomelanin, &pheomelanin)) != LB_OK)
        return status;
    if (!reflectance)
        material->reflectance = old;
    if (!eumelanin && !pheomelanin)
        material->eumelanin.value = lb_rgb_grey(1.3f);
    material->hair_color = absorption             ? LB_HAIR_ABSORPTION
                           : reflectance || color ? LB_HAIR_REFLECTANCE
                                                  : LB_HAIR_MELANIN;
    if (!builder->spectra || material->hair_color != LB_HAIR_MELANIN)
        return LB_OK;
    /* Where colours are spectra they stand in the block, not in the kernel (lb_material_absorption). */
    material->sigma_a.value = lb_rgb_make(0.419f, 0.697f, 1.37f);
    material->sigma_s.value = lb_rgb_make(0.187f, 0.4f, 1.05f);
    if ((status = lb_build_spectral(builder, NULL, LB_SPECTRUM_UNBOUNDED, &material->sigma_a.value)) != LB_OK)
        return status;
    return lb_build_spectral(builder, NULL, LB_SPECTRUM_UNBOUNDED, &material->sigma_s.value);
}

enum lb_status lb_build_hair(struct lb_builder *builder, const struct lb_parameters *parameters,
                             lb_material *material)
{
    enum lb_status status = build_hair_color(builder, parameters, material);
    material->kind = LB_MATERIAL_HAIR;
    if (status != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "eta", 1.55f, 0.0f, 1e6f, &material->eta,
                                       NULL)) != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "beta_m", 0.3f, 0.0f, 1e3f, &material->uroughness,
                                       NULL)) != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "beta_n", 0.3f, 0.0f, 1e3f, &material->vroughness,
                                       NULL)) != LB_OK)
        return status;
    return lb_build_float_input(builder, parameters, "alpha", 2.0f, -1e4f, 1e4f, &material->tilt, NULL);
}
