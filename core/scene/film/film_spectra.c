/* The wavelengths that a film sees, and how. */
#include "core/base/color_space.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/spectra.h"
#include "core/scene/film/film.h"
#include "core/scene/film/sensor.h"

#include <string.h>

/* The camera whose sensor the film has; NULL: it has cie1931's, or none that is known, which is an error elsewhere. */
static const char *camera_of(const struct lb_builder *builder)
{
    const char *name;
    struct lb_error ignored;
    const struct lb_parameters *parameters = &builder->description->film.parameters;
    enum lb_status status = lb_parameters_string(parameters, "sensor", "cie1931", &name, &ignored);
    return status == LB_OK && lb_sensor_is_known(name, NULL, NULL) ? name : NULL;
}

static bool is_spectral(const struct lb_builder *builder)
{
    const char *type = builder->description->film.type;
    return type && strcmp(type, "spectral") == 0;
}

bool lb_film_wants_spectra(const struct lb_builder *builder)
{
    return !builder->options->rgb && (is_spectral(builder) || camera_of(builder));
}

/* pbrt draws the wavelengths of a film of buckets evenly from the buckets' range. */
static enum lb_status choose_range(struct lb_builder *builder, struct lb_quad_view *view)
{
    float low, high;
    enum lb_status status = lb_film_range(builder, &low, &high);
    view->even = is_spectral(builder);
    view->low = (double)low;
    view->high = (double)high;
    return status;
}

/* A sensor's matrix has to wait for what bounds the samples of the sensor's own colours; else light is seen as linear
 * sRGB at once, and white as exactly that. */
static enum lb_status choose_sensor(struct lb_builder *builder, struct lb_quad_view *view)
{
    lb_film *film = &builder->head.film;
    const char *camera = camera_of(builder);
    float kelvin;
    enum lb_status status = lb_build_float(builder, &builder->description->film.parameters, "whitebalance",
                                           0.0f, 0.0f, 1e6f, &kelvin);
    view->by_sensor = camera || film->max_component < LB_INFINITY;
    if (status != LB_OK || !view->by_sensor)
        return status;
    if (camera && !(kelvin > 0.0f))
        kelvin = 6500.0f;
    lb_sensor_see(camera, (double)kelvin, film->color_space, view->responses, film->sensor);
    film->has_sensor = 1;
    return LB_OK;
}

enum lb_status lb_build_quads(struct lb_builder *builder)
{
    struct lb_quad_view view;
    enum lb_status status;
    bool wanted = builder->options->spectral || lb_film_wants_spectra(builder);
    if (!wanted || builder->head.integrator.kind != LB_INTEGRATOR_PATH)
        return LB_OK;
    view.space = builder->head.film.color_space;
    if ((status = choose_range(builder, &view)) != LB_OK || (status = choose_sensor(builder, &view)) != LB_OK)
        return status;
    builder->spectra = lb_arena_alloc(builder->arena, 1, sizeof *builder->spectra);
    lb_quad *quads = lb_vector_add(&builder->arrays.quads, LB_QUADS);
    if (!builder->spectra || !quads)
        return lb_build_no_memory(builder);
    builder->spectra->values.element = sizeof(lb_lanes);
    builder->spectra->made.element = sizeof(struct lb_made_spectrum);
    lb_quads_place(&view, builder->spectra->places);
    lb_quads_make(&view, builder->spectra->places, quads);
    /* One loop follows the paths of all such scenes. */
    builder->head.any_volume = builder->head.any_interface = 1;
    return LB_OK;
}
