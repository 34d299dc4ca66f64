/* The parameters that several kinds of media have. */
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
