/* Materials that are one interface, of a metal or of glass, and the parameters of interfaces. */
#include "core/scene/materials/materials.h"

#include "core/scene/spectrum/spectrum.h"
#include "core/scene/spectrum/wavelengths.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/spectra.h"
#include "core/scene/textures/textures.h"

#include <string.h>

enum lb_status lb_build_roughness(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  const struct lb_roughness_names *names, lb_input *u, lb_input *v)
{
    lb_input both;
    bool given;
    enum lb_status status;
    if ((status = lb_build_float_input(builder, parameters, names->both, 0.0f, 0.0f, 1e3f, &both, NULL)) !=
            LB_OK ||
        (status = lb_build_float_input(builder, parameters, names->u, 0.0f, 0.0f, 1e3f, u, &given)) != LB_OK)
        return status;
    if (!given)
        *u = both;
    status = lb_build_float_input(builder, parameters, names->v, 0.0f, 0.0f, 1e3f, v, &given);
    if (status == LB_OK && !given)
        *v = both;
    return status;
}

static const struct lb_roughness_names own_roughness = {"roughness", "uroughness", "vroughness"};

enum lb_status lb_build_own_roughness(const struct lb_builder *builder,
                                      const struct lb_parameters *parameters, lb_material *material)
{
    enum lb_status status =
        lb_build_roughness(builder, parameters, &own_roughness, &material->uroughness, &material->vroughness);
    if (status != LB_OK)
        return status;
    return lb_build_bool(builder, parameters, "remaproughness", true, &material->remap_roughness);
}

/* Keeps an index that differs from wavelength to wavelength. */
static enum lb_status keep_indices(struct lb_builder *builder, const float indices[LB_WAVELENGTHS],
                                   lb_material *material)
{
    struct lb_vector *wavelengths = &builder->arrays.wavelengths, *tables = &builder->arrays.tables;
    float *table = lb_vector_add(tables, LB_WAVELENGTHS);
    if (!table)
        return lb_build_no_memory(builder);
    memcpy(table, indices, LB_WAVELENGTHS * sizeof *table);
    material->indices.offset = tables->count - LB_WAVELENGTHS;
    material->indices.count = LB_WAVELENGTHS;
    if (wavelengths->count == 0 && !builder->spectra) {
        lb_wavelength *made = lb_vector_add(wavelengths, LB_WAVELENGTHS);
        if (!made)
            return lb_build_no_memory(builder);
        lb_wavelengths_make(made);
    }
    return LB_OK;
}

/* The index at each wavelength, where the parameter is a spectrum. */
static enum lb_status build_indices(struct lb_builder *builder, const struct lb_parameter *parameter,
                                    lb_material *material)
{
    struct lb_samples samples;
    float indices[LB_WAVELENGTHS];
    bool varies = false;
    enum lb_status status = lb_samples_read(builder->description, parameter, builder->arena, builder->log,
                                            &samples, builder->error);
    if (status != LB_OK)
        return status;
    for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
        if (!(samples.values[i] <= 1e6))
            return lb_build_error(builder, &parameter->location, "\"%s\" is %g", parameter->name,
                                  samples.values[i]);
        samples.values[i] = samples.values[i] == 0.0 ? 1.0 : samples.values[i];
    }
    if (builder->spectra)
        lb_quads_take(builder->spectra->places, &samples, indices);
    else
        lb_wavelengths_take(&samples, indices);
    for (int k = 1; k < LB_WAVELENGTHS; k++)
        varies = varies || indices[k] != indices[0];
    return varies ? keep_indices(builder, indices, material) : LB_OK;
}

enum lb_status lb_build_named_index(struct lb_builder *builder, const struct lb_parameters *parameters,
                                    const char *name, lb_material *material, float *index)
{
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    float eta = 1.5f;
    enum lb_status status = LB_OK;
    if (parameter && parameter->type == LB_PARAMETER_FLOAT)
        status = lb_build_float(builder, parameters, name, 1.5f, 0.0f, 1e6f, &eta);
    else if (parameter)
        status = lb_spectrum_number(builder->description, parameter, builder->arena, builder->log, &eta,
                                    builder->error);
    if (status == LB_OK && !(eta >= 0.0f && eta <= 1e6f))
        status = lb_build_error(builder, &parameter->location, "\"%s\" is %g", name, (double)eta);
    if (status == LB_OK && parameter && parameter->type == LB_PARAMETER_SPECTRUM)
        status = build_indices(builder, parameter, material);
    *index = eta == 0.0f ? 1.0f : eta;
    return status;
}

enum lb_status lb_build_index(struct lb_builder *builder, const struct lb_parameters *parameters,
                              lb_material *material)
{
    float index = 1.5f;
    enum lb_status status = lb_build_named_index(builder, parameters, "eta", material, &index);
    material->eta.value = lb_rgb_grey(index);
    return status;
}

static bool is_spectral(const struct lb_parameter *parameter)
{
    return !parameter || parameter->type == LB_PARAMETER_SPECTRUM;
}

/* One of a conductor's eta and k where colours are spectra. Where there is none it is copper's. */
static enum lb_status build_metal_spectrum(struct lb_builder *builder, const struct lb_parameters *parameters,
                                           const char *name, const char *copper, lb_input *input)
{
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    struct lb_samples samples;
    uint32_t number;
    enum lb_status status = LB_OK;
    if (!is_spectral(parameter))
        return lb_build_rgb_input(builder, parameters, name, false, lb_rgb_grey(0.0f), input, NULL);
    if (parameter)
        status = lb_samples_read(builder->description, parameter, builder->arena, builder->log, &samples,
                                 builder->error);
    else
        lb_samples_expand(lb_samples_table(lb_spectrum_metals, copper), &samples);
    if (status != LB_OK || (status = lb_build_samples_spectrum(builder, &samples, &number)) != LB_OK)
        return status;
    input->value = lb_build_times_spectrum(number, 1.0f);
    return LB_OK;
}

enum lb_status lb_build_metal(struct lb_builder *builder, const struct lb_parameters *parameters,
                              const char *eta_name, const char *k_name, lb_material *material)
{
    bool by_reflectance;
    enum lb_status status = lb_build_rgb_input(builder, parameters, "reflectance", true, lb_rgb_grey(0.0f),
                                               &material->reflectance, &by_reflectance);
    if (status != LB_OK)
        return status;
    const struct lb_parameter *eta = lb_parameters_find(parameters, eta_name);
    const struct lb_parameter *k = lb_parameters_find(parameters, k_name);
    material->by_reflectance = by_reflectance;
    if (by_reflectance && (eta || k))
        return lb_build_error(builder, lb_build_place(parameters, "reflectance"),
                              "a conductor has \"reflectance\" or \"%s\" and \"%s\", not both", eta_name,
                              k_name);
    if (by_reflectance)
        return LB_OK;
    if (builder->spectra) {
        status = build_metal_spectrum(builder, parameters, eta_name, "metal-Cu-eta", &material->eta);
        return status == LB_OK ? build_metal_spectrum(builder, parameters, k_name, "metal-Cu-k", &material->k)
                               : status;
    }
    if (is_spectral(eta) && is_spectral(k))
        return lb_spectrum_conductor(builder->description, eta, k, builder->arena, builder->log,
                                     &material->eta.value, &material->k.value, builder->error);
    lb_rgb copper_eta, copper_k;
    lb_spectrum_metal("Cu", &copper_eta, &copper_k);
    status = lb_build_rgb_input(builder, parameters, eta_name, false, copper_eta, &material->eta, NULL);
    if (status != LB_OK)
        return status;
    return lb_build_rgb_input(builder, parameters, k_name, false, copper_k, &material->k, NULL);
}

enum lb_status lb_build_conductor(struct lb_builder *builder, const struct lb_parameters *parameters,
                                  lb_material *material)
{
    material->kind = LB_MATERIAL_CONDUCTOR;
    enum lb_status status = lb_build_own_roughness(builder, parameters, material);
    return status == LB_OK ? lb_build_metal(builder, parameters, "eta", "k", material) : status;
}

enum lb_status lb_build_dielectric(struct lb_builder *builder, const struct lb_parameters *parameters,
                                   lb_material *material)
{
    material->kind = LB_MATERIAL_DIELECTRIC;
    enum lb_status status = lb_build_own_roughness(builder, parameters, material);
    return status == LB_OK ? lb_build_index(builder, parameters, material) : status;
}

enum lb_status lb_build_thin_dielectric(struct lb_builder *builder, const struct lb_parameters *parameters,
                                        lb_material *material)
{
    material->kind = LB_MATERIAL_THIN_DIELECTRIC;
    return lb_build_index(builder, parameters, material);
}
