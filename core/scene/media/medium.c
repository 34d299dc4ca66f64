/* Participating media. */
#include "core/scene/media/media.h"
#include "core/scene/media/presets.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/spectra.h"
#include "core/scene/builder/transforms.h"

#include <string.h>

/* "Le" times "Lescale". */
static enum lb_status read_emission(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                    lb_medium *built)
{
    float scale;
    enum lb_status status;
    if ((status = lb_build_colour(builder, parameters, "Le", true, lb_rgb_grey(0.0f), &built->emission)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "Lescale", 1.0f, 0.0f, 1e30f, &scale)) != LB_OK)
        return status;
    built->emission = lb_rgb_scale(built->emission, scale);
    if (lb_is_finite(lb_rgb_max(built->emission)) && built->emission.r >= 0.0f && built->emission.g >= 0.0f &&
        built->emission.b >= 0.0f)
        return LB_OK;
    return lb_build_error(builder, lb_build_place(parameters, "Le"),
                          "\"Le\", scaled, is negative or not finite");
}

static enum lb_status build_homogeneous(struct lb_builder *builder, const struct lb_medium_entity *medium,
                                        lb_medium *built)
{
    const struct lb_parameters *parameters = &medium->entity.parameters;
    enum lb_status status;
    built->kind = LB_MEDIUM_HOMOGENEOUS;
    if ((status = lb_build_medium_sigmas(builder, parameters, built)) != LB_OK ||
        (status = read_emission(builder, parameters, built)) != LB_OK)
        return status;
    return lb_build_medium_phase(builder, parameters, built);
}

static const struct medium_kind {
    const char *name;
    enum lb_status (*build)(struct lb_builder *builder, const struct lb_medium_entity *medium,
                            lb_medium *built);
} kinds[] = {
    {"homogeneous", build_homogeneous}, {"uniformgrid", lb_build_uniform_grid},
    {"rgbgrid", lb_build_rgb_grid},     {"cloud", lb_build_cloud},
    {"nanovdb", lb_build_nanovdb},
};

static bool only_absorbs(const lb_medium *medium)
{
    return medium->kind == LB_MEDIUM_HOMOGENEOUS && lb_rgb_is_black(medium->sigma_s) &&
           lb_rgb_is_black(medium->emission);
}

/* Is this the camera's medium, and is there an image at infinity? If the medium has no end, the weights of such a
 * light's samples depend on where its shadow rays end (lb_shadow_ends_beyond). */
static bool hides_environment(const struct lb_builder *builder, uint32_t medium)
{
    const lb_light *lights = builder->arrays.lights.data;
    const uint32_t image = LB_LIGHT_INFINITE | LB_LIGHT_IMAGE;
    for (size_t i = 0; builder->head.camera.medium == medium && i < builder->arrays.lights.count; i++)
        if ((lb_light_traits(lights[i].kind) & image) == image)
            return true;
    return false;
}

/* Makes a coefficient, which was read from a parameter of that name and scaled, one of the block where colours are
 * spectra. */
static enum lb_status build_spectral_sigma(const struct lb_builder *builder,
                                           const struct lb_parameters *parameters, const char *name,
                                           lb_rgb *sigma)
{
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    float scale = 1.0f;
    enum lb_status status = LB_OK;
    /* The smooth spectrum of a colour has no scale of its own, but a colour of another space is its parameter's. */
    if (!parameter || (parameter->type == LB_PARAMETER_RGB &&
                       (!parameter->color_space || strcmp(parameter->color_space, "srgb") == 0)))
        return lb_build_spectral(builder, NULL, LB_SPECTRUM_UNBOUNDED, sigma);
    if ((status = lb_build_float(builder, parameters, "scale", 1.0f, 0.0f, 1e30f, &scale)) != LB_OK ||
        (status = lb_build_spectral(builder, parameter, LB_SPECTRUM_UNBOUNDED, sigma)) != LB_OK)
        return status;
    if (sigma->b != sigma->b)
        sigma->r *= scale;
    return LB_OK;
}

/* The same for the light of a medium that glows. */
static enum lb_status build_spectral_glow(const struct lb_builder *builder,
                                          const struct lb_parameters *parameters, lb_medium *built)
{
    uint32_t spectrum;
    if (built->temperature.channels != 0) {
        /* Light is counted beside white of luminance 1, but what black bodies send by its own luminance (pbrt). */
        struct lb_samples white;
        lb_spectrum_daylight(&white);
        built->emission = lb_rgb_scale(built->emission, (float)lb_spectrum_luminance(&white));
        return LB_OK;
    }
    enum lb_status status = lb_build_light_spectrum(builder, parameters, "Le", &spectrum);
    if (status == LB_OK)
        built->emission = lb_build_light_color(builder, spectrum, built->emission);
    return status;
}

/* The same for all of a medium's colours. */
static enum lb_status build_spectral(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                     lb_medium *built)
{
    enum lb_status status;
    if (built->kind == LB_MEDIUM_RGB_GRID) /* its grids are of spectra */
        return LB_OK;
    if (!lb_rgb_is_black(built->emission) &&
        (status = build_spectral_glow(builder, parameters, built)) != LB_OK)
        return status;
    if ((status = build_spectral_sigma(builder, parameters, "sigma_a", &built->sigma_a)) != LB_OK)
        return status;
    return build_spectral_sigma(builder, parameters, "sigma_s", &built->sigma_s);
}

static enum lb_status build_medium(struct lb_builder *builder, const struct lb_medium_entity *medium,
                                   uint32_t number, lb_medium *built)
{
    const struct lb_parameters *parameters = &medium->entity.parameters;
    lb_parameters_find(parameters, "type");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(medium->entity.type, kinds[i].name) != 0)
            continue;
        if (!builder->used.media[number])
            return LB_OK;
        enum lb_status status = kinds[i].build(builder, medium, built);
        if (status == LB_OK && builder->spectra)
            status = build_spectral(builder, parameters, built);
        if (builder->head.integrator.media && (!only_absorbs(built) || hides_environment(builder, number)))
            builder->head.any_volume = builder->head.any_interface = 1;
        return status == LB_OK ? lb_build_check_unused(builder, &medium->entity) : status;
    }
    return lb_build_unknown(builder, &parameters->location, "medium type", medium->entity.type,
                            LB_ROWS(kinds));
}

enum lb_status lb_build_media(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    for (size_t i = 0; i < description->medium_count; i++) {
        const struct lb_medium_entity *medium = &description->media[i];
        lb_medium *built = lb_vector_add(&builder->arrays.media, 1);
        if (!built)
            return lb_build_no_memory(builder);
        enum lb_status status = LB_OK;
        if (medium->entity.type) /* else it was only mentioned */
            status = build_medium(builder, medium, (uint32_t)i, built);
        if (lb_build_go_on(builder, status) != LB_OK)
            return status;
    }
    if (builder->head.any_bssrdf) /* paths go below surfaces by the same steps */
        builder->head.any_volume = builder->head.any_interface = 1;
    lb_medium *media = builder->arrays.media.data;
    for (size_t i = 0; i < builder->arrays.media.count; i++)
        media[i].beer = builder->head.any_volume ? lb_rgb_grey(0.0f) : media[i].sigma_a;
    return LB_OK;
}

enum lb_status lb_build_find_medium(const struct lb_builder *builder, const struct lb_location *location,
                                    const char *name, uint32_t *medium)
{
    *medium = LB_NONE;
    if (!name || !*name)
        return LB_OK;
    const struct lb_description *description = builder->description;
    *medium = lb_names_find(&description->medium_names, name);
    if (*medium != LB_NONE && builder->used.media[*medium])
        return LB_OK;
    if (*medium != LB_NONE)
        location = &description->media[*medium].entity.parameters.location;
    if (*medium == LB_NONE || !description->media[*medium].entity.type)
        return lb_build_no_name(builder, location, "medium", name, &description->medium_names);
    builder->used.media[*medium] = true;
    return LB_OK;
}
