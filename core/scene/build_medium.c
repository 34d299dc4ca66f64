/* Participating media: homogeneous ones that absorb. */
#include "core/scene/build.h"

#include <string.h>

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

/* Empty until it is rendered. Its parameters are its own affair. */
static enum lb_status build_later(struct lb_builder *builder, const struct lb_medium_entity *medium,
                                  lb_medium *built)
{
    const struct lb_parameters *parameters = &medium->entity.parameters;
    (void)built;
    for (size_t p = 0; p < parameters->count; p++)
        parameters->items[p].used = true;
    return lb_build_not_yet(builder, &parameters->location,
                            "medium \"%s\" of type \"%s\" is not rendered yet: it is empty", medium->name,
                            medium->entity.type);
}

static const struct medium_kind {
    const char *name;
    enum lb_status (*build)(struct lb_builder *builder, const struct lb_medium_entity *medium,
                            lb_medium *built);
} kinds[] = {
    {"homogeneous", build_homogeneous}, {"uniformgrid", build_later},
    {"rgbgrid", build_later},           {"cloud", build_later},
    {"nanovdb", build_later},
};

static enum lb_status build_medium(struct lb_builder *builder, const struct lb_medium_entity *medium,
                                   bool used, lb_medium *built)
{
    const struct lb_parameters *parameters = &medium->entity.parameters;
    lb_parameters_find(parameters, "type");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(medium->entity.type, kinds[i].name) != 0)
            continue;
        enum lb_status status = used ? kinds[i].build(builder, medium, built) : LB_OK;
        return status == LB_OK && used ? lb_build_check_unused(builder, &medium->entity) : status;
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
            status = build_medium(builder, medium, builder->used.media[i], built);
        if (lb_build_go_on(builder, status) != LB_OK)
            return status;
    }
    return LB_OK;
}
