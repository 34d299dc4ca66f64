/* Participating media. */
#include "core/scene/media/media.h"
#include "core/scene/media/presets.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/transforms.h"

#include <string.h>

/* Extinctions above this make products that floats cannot hold; it is beyond all that anything is made of. */
#define MOST_EXTINCTION 1e15f

/* A phase function of |g| = 1 would be a single direction, and close to it floats fail. */
#define MOST_ANISOTROPY 0.999f

/* Reads a coefficient of the medium, which may not be negative. */
static enum lb_status read_sigma(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                 const char *name, lb_rgb fallback, float scale, lb_rgb *sigma)
{
    enum lb_status status = lb_build_colour(builder, parameters, name, false, fallback, sigma);
    *sigma = lb_rgb_scale(*sigma, scale);
    if (status != LB_OK ||
        (lb_rgb_max(*sigma) <= MOST_EXTINCTION && sigma->r >= 0.0f && sigma->g >= 0.0f && sigma->b >= 0.0f))
        return status;
    return lb_build_error(builder, lb_build_place(parameters, name),
                          "\"%s\", scaled, is not between 0 and %g everywhere", name,
                          (double)MOST_EXTINCTION);
}

enum lb_status lb_build_medium_sigmas(struct lb_builder *builder, const struct lb_parameters *parameters,
                                      lb_medium *built)
{
    lb_rgb sigma_a = lb_rgb_grey(1.0f), sigma_s = lb_rgb_grey(1.0f);
    const char *preset;
    float scale;
    enum lb_status status;
    if ((status = lb_parameters_string(parameters, "preset", "", &preset, builder->error)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "scale", 1.0f, 0.0f, 1e30f, &scale)) != LB_OK)
        return status;
    if (*preset && !lb_medium_preset(preset, &sigma_a, &sigma_s)) {
        size_t count;
        const struct lb_medium_preset *presets = lb_medium_presets(&count);
        return lb_build_unknown(builder, lb_build_place(parameters, "preset"), "preset of a medium", preset,
                                presets, count, sizeof *presets);
    }
    if ((status = read_sigma(builder, parameters, *preset ? "" : "sigma_a", sigma_a, scale,
                             &built->sigma_a)) != LB_OK)
        return status;
    return read_sigma(builder, parameters, *preset ? "" : "sigma_s", sigma_s, scale, &built->sigma_s);
}

/* "Le" times "Lescale", and g. */
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

enum lb_status lb_build_medium_phase(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                     lb_medium *built)
{
    enum lb_status status = lb_build_float(builder, parameters, "g", 0.0f, -1.0f, 1.0f, &built->g);
    built->g = lb_clamp(built->g, -MOST_ANISOTROPY, MOST_ANISOTROPY);
    return status;
}

enum lb_status lb_build_medium_space(const struct lb_builder *builder, const struct lb_medium_entity *entity,
                                     lb_medium *built)
{
    const struct lb_location *location = &entity->entity.parameters.location;
    if (!lb_build_is_flat(entity->world_from_medium))
        return lb_build_transform(builder, entity->world_from_medium, location, NULL,
                                  &built->medium_from_world);
    built->box.upper[0] = built->box.lower[0] - 1.0f;
    return LB_OK;
}

enum lb_status lb_build_medium_box(const struct lb_builder *builder, const struct lb_medium_entity *entity,
                                   lb_medium *built)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    lb_vec3 p0, p1;
    enum lb_status status;
    if ((status = lb_build_point(builder, parameters, "p0", lb_vec3_make(0.0f, 0.0f, 0.0f), &p0)) != LB_OK ||
        (status = lb_build_point(builder, parameters, "p1", lb_vec3_make(1.0f, 1.0f, 1.0f), &p1)) != LB_OK)
        return status;
    const float a[3] = {p0.x, p0.y, p0.z}, b[3] = {p1.x, p1.y, p1.z};
    for (int i = 0; i < 3; i++) {
        built->box.lower[i] = lb_min(a[i], b[i]);
        built->box.upper[i] = lb_max(a[i], b[i]);
        if (!(built->box.lower[i] < built->box.upper[i]))
            return lb_build_error(builder, lb_build_place(parameters, "p1"),
                                  "the medium's box, p0 to p1, is empty");
    }
    return lb_build_medium_space(builder, entity, built);
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
