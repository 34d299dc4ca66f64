/* Which channels the picture has beside its light, and how their sums are laid out. */
#include "core/kernel/scene/channel_kinds.h"
#include "core/base/ending.h"
#include "core/scene/builder/mattes.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/film/film.h"
#include "core/scene/spectrum/spectrum.h"

#include <string.h>

/* A power of two that takes the largest coordinate that the scene's box and camera have to 1 or less; in the camera's
 * space a point is at most sqrt(3) times the sum of both away. */
static float position_scale(const lb_scene *head)
{
    float largest = 1.0f, scale = 1.0f;
    const lb_transform *seen = &head->channels.camera_from_world;
    for (int i = 0; i < 8; i++) {
        lb_vec3 corner = lb_vec3_make((i & 1 ? head->bounds.upper : head->bounds.lower)[0],
                                      (i & 2 ? head->bounds.upper : head->bounds.lower)[1],
                                      (i & 4 ? head->bounds.upper : head->bounds.lower)[2]);
        float both[2] = {lb_length(corner), lb_length(lb_transform_point(seen, corner))};
        for (int k = 0; k < 2; k++)
            if (lb_is_finite(both[k]))
                largest = lb_max(largest, both[k]);
    }
    while (largest * scale > 1.0f)
        scale *= 0.5f;
    return scale;
}

static bool film_is(const struct lb_builder *builder, const char *wanted)
{
    const char *type = builder->description->film.type;
    return type && strcmp(type, wanted) == 0;
}

static bool film_is_gbuffer(const struct lb_builder *builder)
{
    return film_is(builder, "gbuffer");
}

/* Are there wavelengths to be sorted into buckets? */
static bool has_buckets(const struct lb_builder *builder)
{
    return builder->spectra && film_is(builder, "spectral");
}

/* Does the film's own file name end in .exr? */
static enum lb_status film_names_exr(const struct lb_builder *builder, bool *names)
{
    const char *file;
    enum lb_status status =
        lb_parameters_string(&builder->description->film.parameters, "filename", "", &file, builder->error);
    *names = status == LB_OK && lb_ends_in(file, ".exr");
    return status;
}

static bool has_surfaces(const struct lb_builder *builder)
{
    return builder->head.integrator.kind != LB_INTEGRATOR_MANDELBROT;
}

static bool has_wide_filter(const struct lb_builder *builder)
{
    const lb_filter *filter = &builder->head.film.filter;
    return filter->xradius > 0.5f || filter->yradius > 0.5f;
}

/* Do samples count for the pixels around? Not where a pixel's light is to be of its own samples: as it is told how they
 * differ, or what part of it comes from where. */
static bool counts_around(const struct lb_builder *builder, uint32_t wanted)
{
    const lb_film *film = &builder->head.film;
    const uint32_t of_own = 1u << LB_CHANNEL_BACKGROUND | 1u << LB_CHANNEL_SAMPLES |
                            1u << LB_CHANNEL_SQUARES | 1u << LB_CHANNEL_SCATTERED | 1u << LB_CHANNEL_BUCKETS |
                            1u << LB_CHANNEL_GROUPS;
    bool wished = builder->options->channels.around == LB_AROUND_ALWAYS ||
                  (builder->options->channels.around == LB_AROUND_AUTO &&
                   (uint64_t)film->width * film->height <= LB_AROUND_PIXELS_MOST);
    return wished && has_surfaces(builder) && has_wide_filter(builder) && (wanted & of_own) == 0;
}

/* Why they do not, where that was asked for. */
static const char *why_not_around(const struct lb_builder *builder)
{
    if (!has_surfaces(builder))
        return "it is not for the integrator \"mandelbrot\"";
    return has_wide_filter(builder) ? "channels or adaptive sampling want pixels of their own samples alone"
                                    : "no pixel's filter reaches others";
}

static enum lb_status choose_wanted(const struct lb_builder *builder, uint32_t *wanted)
{
    const struct lb_scene_channels *asked = &builder->options->channels;
    bool named = true;
    enum lb_status status = LB_OK;
    *wanted = asked->wanted;
    if (has_surfaces(builder))
        *wanted |= asked->of_surfaces;
    uint32_t of_film = film_is_gbuffer(builder) ? asked->of_gbuffer : 0;
    of_film |= has_buckets(builder) ? asked->of_spectral : 0;
    if (of_film && asked->by_film_name)
        status = film_names_exr(builder, &named);
    *wanted |= named ? of_film : 0;
    if (counts_around(builder, *wanted))
        *wanted |= 1u << LB_CHANNEL_AROUND;
    else if (asked->around == LB_AROUND_ALWAYS)
        lb_log_write(builder->log, LB_WARNING, "--around has no effect: %s", why_not_around(builder));
    return status;
}

/* The film's own parameter, where the options say nothing. */
static enum lb_status choose_space(const struct lb_builder *builder, uint32_t *world)
{
    const struct lb_scene_channels *asked = &builder->options->channels;
    const char *system = asked->space == LB_SPACE_WORLD ? "world" : "camera";
    enum lb_status status = LB_OK;
    if (asked->space == LB_SPACE_OF_FILM && film_is_gbuffer(builder))
        status = lb_parameters_string(&builder->description->film.parameters, "coordinatesystem", "camera",
                                      &system, builder->error);
    *world = strcmp(system, "world") == 0;
    return status;
}

/* Refuses channels that this integrator or camera cannot have. */
static enum lb_status check_wanted(const struct lb_builder *builder, uint32_t wanted)
{
    const lb_scene *head = &builder->head;
    /* What follows from the light alone is there for every integrator, surfaces are not. */
    const uint32_t of_light =
        1u << LB_CHANNEL_SAMPLES | 1u << LB_CHANNEL_SQUARES | 1u << LB_CHANNEL_SCATTERED;
    const char *reason = NULL;
    if (!has_surfaces(builder) && (wanted & ~of_light))
        reason =
            "the integrator \"mandelbrot\" shows no surfaces: it has no channels but samples and variance";
    else if (head->integrator.kind == LB_INTEGRATOR_OCCLUSION && wanted >> LB_CHANNEL_GROUPS & 1)
        reason = "the integrator \"ambientocclusion\" knows no lights: it has no light groups";
    else if (head->camera.kind == LB_CAMERA_REALISTIC && wanted >> LB_CHANNEL_MOTION & 1)
        /* A lens has no formula for where on the film a point is seen. */
        reason = "the channel \"motion\" is not known for the camera \"realistic\"";
    return reason ? lb_error_set(builder->error, LB_ERROR, "%s: %s", builder->description->main_file, reason)
                  : LB_OK;
}

static enum lb_status build_buckets(struct lb_builder *builder, lb_channels *channels)
{
    const struct lb_parameters *parameters = &builder->description->film.parameters;
    struct lb_samples white;
    int32_t count;
    enum lb_status status;
    if ((channels->wanted >> LB_CHANNEL_BUCKETS & 1) == 0)
        return LB_OK;
    if (!has_buckets(builder))
        return lb_error_set(builder->error, LB_ERROR,
                            "%s: only a Film \"spectral\" that is not rendered with --rgb has buckets",
                            builder->description->main_file);
    if ((status = lb_build_integer(builder, parameters, "nbuckets", 16, 1, LB_BUCKETS_MOST, &count)) !=
            LB_OK ||
        (status = lb_film_range(builder, &channels->bucket_low, &channels->bucket_high)) != LB_OK)
        return status;
    /* Light of luminance 1 has pbrt's units over this, and its buckets are times the integral of the eye's response. */
    lb_spectrum_daylight(&white);
    double luminance = lb_spectrum_luminance(&white);
    channels->buckets = (uint32_t)count;
    channels->bucket_unit = (float)(106.856895 / luminance);
    channels->bucket_most = (float)((double)builder->head.film.max_component * luminance);
    return LB_OK;
}

enum lb_status lb_build_channels(struct lb_builder *builder)
{
    lb_channels *channels = &builder->head.channels;
    enum lb_status status = choose_wanted(builder, &channels->wanted);
    if (status == LB_OK && channels->wanted)
        status = choose_space(builder, &channels->world);
    if (status == LB_OK)
        status = check_wanted(builder, channels->wanted);
    if (status == LB_OK)
        status = build_buckets(builder, channels);
    if (status != LB_OK)
        return status;
    lb_build_mattes(builder);
    lb_channels_lay_out(channels);
    channels->scale = position_scale(&builder->head);
    return LB_OK;
}
