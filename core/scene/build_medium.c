/* Participating media: homogeneous ones that absorb. */
#include "core/scene/build.h"

#include <string.h>

static enum lb_status find_type(const struct lb_builder *builder, const struct lb_medium_entity *medium)
{
    static const char *const later[] = {"uniformgrid", "rgbgrid", "cloud", "nanovdb"};
    const struct lb_parameters *parameters = &medium->entity.parameters;
    const char *type = medium->entity.type;
    if (!type || !*type)
        return lb_build_error(builder, &parameters->location, "medium \"%s\" has no \"type\"", medium->name);
    if (strcmp(type, "homogeneous") == 0)
        return LB_OK;
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++)
        if (strcmp(type, later[i]) == 0) {
            /* Its parameters are its own affair until it is rendered. */
            for (size_t p = 0; p < parameters->count; p++)
                parameters->items[p].used = true;
            return lb_build_not_yet(builder, &parameters->location,
                                    "medium \"%s\" of type \"%s\" is not rendered yet: it is empty",
                                    medium->name, type);
        }
    return lb_build_error(builder, &parameters->location, "unknown medium type \"%s\"", type);
}

/* What is beyond absorption. */
static enum lb_status check_scattering(const struct lb_builder *builder,
                                       const struct lb_medium_entity *medium)
{
    const struct lb_parameters *parameters = &medium->entity.parameters;
    lb_rgb scattering, emission;
    float unused;
    enum lb_status status;
    if ((status = lb_build_colour(builder, parameters, "sigma_s", false, lb_rgb_grey(1.0f), &scattering)) !=
            LB_OK ||
        (status = lb_build_colour(builder, parameters, "Le", false, lb_rgb_grey(0.0f), &emission)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "Lescale", 1.0f, -1e30f, 1e30f, &unused)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "g", 0.0f, -1.0f, 1.0f, &unused)) != LB_OK)
        return status;
    if (!lb_rgb_is_black(scattering))
        status = lb_build_not_yet(builder, lb_build_place(parameters, "sigma_s"),
                                  "scattering media are not rendered yet: \"%s\" only absorbs", medium->name);
    if (status == LB_OK && !lb_rgb_is_black(emission))
        status = lb_build_not_yet(builder, lb_build_place(parameters, "Le"),
                                  "emitting media are not rendered yet: \"%s\" only absorbs", medium->name);
    return status;
}

static enum lb_status build_homogeneous(struct lb_builder *builder, const struct lb_medium_entity *medium,
                                        lb_medium *built)
{
    const struct lb_parameters *parameters = &medium->entity.parameters;
    const char *preset;
    float scale;
    enum lb_status status;
    if ((status = lb_parameters_string(parameters, "preset", "", &preset, builder->error)) != LB_OK)
        return status;
    if (*preset && (status = lb_build_not_yet(builder, lb_build_place(parameters, "preset"),
                                              "medium presets are not rendered yet: \"%s\" is left out",
                                              preset)) != LB_OK)
        return status;
    if ((status = lb_build_colour(builder, parameters, "sigma_a", false, lb_rgb_grey(1.0f),
                                  &built->sigma_a)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "scale", 1.0f, 0.0f, 1e30f, &scale)) != LB_OK ||
        (status = check_scattering(builder, medium)) != LB_OK)
        return status;
    built->sigma_a = lb_rgb_scale(built->sigma_a, scale);
    return LB_OK;
}

enum lb_status lb_build_media(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    for (size_t i = 0; i < description->medium_count; i++) {
        const struct lb_medium_entity *medium = &description->media[i];
        lb_medium *built = lb_vector_add(&builder->arrays.media, 1);
        if (!built)
            return lb_build_no_memory(builder);
        lb_parameters_find(&medium->entity.parameters, "type");
        enum lb_status status = find_type(builder, medium);
        if (status == LB_OK && strcmp(medium->entity.type, "homogeneous") == 0)
            status = build_homogeneous(builder, medium, built);
        if (status == LB_OK)
            status = lb_build_check_unused(builder, &medium->entity);
        if (status != LB_OK)
            return status;
    }
    return LB_OK;
}
