/* The film: size, the part of it that is the picture, exposure. */
#include "core/base/color_space.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/film/film.h"
#include "core/scene/block/limits.h"
#include "core/scene/film/sensor.h"

#include <math.h>
#include <string.h>

struct rectangle {
    int64_t x0, x1, y0, y1;
};

/* A side of the film: as wanted, or the file's, scaled where that is wanted; one beyond the largest is too large. */
static uint32_t side_of(uint32_t wanted, int32_t file, double scale)
{
    double side = scale > 0 ? floor(scale * file + 0.5) : file;
    return wanted ? wanted : side < 1 ? 1 : side > LB_FILM_SIDE ? LB_FILM_SIDE + 1 : (uint32_t)side;
}

static enum lb_status build_size(struct lb_builder *builder)
{
    const struct lb_parameters *parameters = &builder->description->film.parameters;
    lb_film *film = &builder->head.film;
    int32_t x, y;
    enum lb_status status;
    if ((status = lb_build_integer(builder, parameters, "xresolution", 1280, 1, LB_FILM_SIDE, &x)) != LB_OK ||
        (status = lb_build_integer(builder, parameters, "yresolution", 720, 1, LB_FILM_SIDE, &y)) != LB_OK)
        return status;
    film->full_width = side_of(builder->options->width, x, builder->options->scale);
    film->full_height = side_of(builder->options->height, y, builder->options->scale);
    if (film->full_width > LB_FILM_SIDE || film->full_height > LB_FILM_SIDE)
        return lb_error_set(builder->error, LB_ERROR_USAGE, "--resolution %ux%u: at most %d on a side",
                            film->full_width, film->full_height, LB_FILM_SIDE);
    return LB_OK;
}

static int64_t ceiling(double x)
{
    int64_t whole = (int64_t)x;
    return (double)whole < x ? whole + 1 : whole;
}

/* pbrt's rounding: pixels whose upper left corner is in the window. */
static struct rectangle crop_rectangle(const lb_film *film, const float crop[4])
{
    float c[4];
    for (int i = 0; i < 4; i++)
        c[i] = lb_clamp(crop[i], 0.0f, 1.0f);
    struct rectangle r = {
        ceiling((double)((float)film->full_width * lb_min(c[0], c[1]))),
        ceiling((double)((float)film->full_width * lb_max(c[0], c[1]))),
        ceiling((double)((float)film->full_height * lb_min(c[2], c[3]))),
        ceiling((double)((float)film->full_height * lb_max(c[2], c[3]))),
    };
    return r;
}

static int64_t limit(int64_t x, int64_t high)
{
    return x < 0 ? 0 : x > high ? high : x;
}

/* The bounds that lie lower and higher, whichever comes first (pbrt). */
static struct rectangle pixel_rectangle(const lb_film *film, const int32_t bounds[4])
{
    bool x = bounds[0] > bounds[1], y = bounds[2] > bounds[3];
    struct rectangle r = {
        limit(bounds[x], film->full_width),
        limit(bounds[!x], film->full_width),
        limit(bounds[2 + y], film->full_height),
        limit(bounds[2 + !y], film->full_height),
    };
    return r;
}

static bool lies_beyond(const lb_film *film, const int32_t bounds[4])
{
    for (int i = 0; i < 4; i++)
        if (bounds[i] < 0 || (uint32_t)bounds[i] > (i < 2 ? film->full_width : film->full_height))
            return true;
    return false;
}

/* What the file says: a crop window goes before pixel bounds, as in pbrt. */
static enum lb_status file_rectangle(const struct lb_builder *builder, struct rectangle *r)
{
    const struct lb_parameters *parameters = &builder->description->film.parameters;
    const lb_film *film = &builder->head.film;
    const float *crop;
    const int32_t *bounds;
    size_t crops, bound_count;
    enum lb_status status;
    if ((status = lb_parameters_floats(parameters, "cropwindow", LB_PARAMETER_FLOAT, &crop, &crops,
                                       builder->error)) != LB_OK ||
        (status = lb_parameters_integers(parameters, "pixelbounds", &bounds, &bound_count, builder->error)) !=
            LB_OK)
        return status;
    if (crops && crops != 4)
        return lb_build_error(builder, lb_build_place(parameters, "cropwindow"),
                              "\"cropwindow\" needs 4 values, not %zu", crops);
    if (bound_count && bound_count != 4)
        return lb_build_error(builder, lb_build_place(parameters, "pixelbounds"),
                              "\"pixelbounds\" needs 4 values, not %zu", bound_count);
    if (crops && bound_count)
        lb_build_warn(builder, lb_build_place(parameters, "pixelbounds"),
                      "both \"cropwindow\" and \"pixelbounds\" are given: the crop window is used");
    if (crops)
        *r = crop_rectangle(film, crop);
    else if (bound_count)
        *r = pixel_rectangle(film, bounds);
    if (!crops && bound_count && lies_beyond(film, bounds))
        lb_build_warn(builder, lb_build_place(parameters, "pixelbounds"),
                      "\"pixelbounds\" go beyond the film of %u x %u: what is in it is taken",
                      film->full_width, film->full_height);
    return LB_OK;
}

static enum lb_status build_picture(struct lb_builder *builder)
{
    lb_film *film = &builder->head.film;
    const struct lb_scene_options *options = builder->options;
    struct rectangle r = {0, film->full_width, 0, film->full_height};
    enum lb_status status = file_rectangle(builder, &r);
    if (status != LB_OK)
        return status;
    if (options->has_crop)
        r = crop_rectangle(film, options->crop);
    else if (options->has_pixel_bounds)
        r = pixel_rectangle(film, options->pixel_bounds);
    if (r.x0 >= r.x1 || r.y0 >= r.y1)
        return lb_build_error(builder, &builder->description->film.parameters.location,
                              "the crop window or the pixel bounds leave no pixel");
    film->x0 = (uint32_t)r.x0;
    film->y0 = (uint32_t)r.y0;
    film->width = (uint32_t)(r.x1 - r.x0);
    film->height = (uint32_t)(r.y1 - r.y0);
    return LB_OK;
}

/* Of positions and normals among a gbuffer film's channels (core/scene/camera/channels.c). */
static enum lb_status check_coordinates(const struct lb_builder *builder)
{
    const struct lb_parameters *parameters = &builder->description->film.parameters;
    const char *system;
    enum lb_status status =
        lb_parameters_string(parameters, "coordinatesystem", "camera", &system, builder->error);
    if (status == LB_OK && strcmp(system, "camera") != 0 && strcmp(system, "world") != 0)
        return lb_build_error(builder, lb_build_place(parameters, "coordinatesystem"),
                              "unknown coordinate system \"%s\": \"camera\" or \"world\"", system);
    return status;
}

enum lb_status lb_film_range(const struct lb_builder *builder, float *low, float *high)
{
    const struct lb_parameters *parameters = &builder->description->film.parameters;
    enum lb_status status;
    *low = 360.0f;
    *high = 830.0f;
    if (!builder->description->film.type || strcmp(builder->description->film.type, "spectral") != 0)
        return LB_OK;
    if ((status = lb_build_float(builder, parameters, "lambdamin", 360.0f, 360.0f, 830.0f, low)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "lambdamax", 830.0f, 360.0f, 830.0f, high)) != LB_OK)
        return status;
    if (!(*low < *high))
        return lb_build_error(builder, lb_build_place(parameters, "lambdamax"),
                              "\"lambdamax\" must be above \"lambdamin\", %g nm, not %g nm", (double)*low,
                              (double)*high);
    return LB_OK;
}

/* Of a spectral film. */
static enum lb_status check_buckets(const struct lb_builder *builder)
{
    const struct lb_parameters *parameters = &builder->description->film.parameters;
    int32_t buckets;
    float low, high;
    enum lb_status status;
    if ((status = lb_build_integer(builder, parameters, "nbuckets", 16, 1, LB_BUCKETS_MOST, &buckets)) !=
            LB_OK ||
        (status = lb_film_range(builder, &low, &high)) != LB_OK)
        return status;
    if (builder->options->rgb)
        lb_build_warn(builder, &parameters->location,
                      "of the film \"spectral\" red, green and blue are written, not its channels by "
                      "wavelength: --rgb follows light in three colors");
    return LB_OK;
}

static enum lb_status check_type(const struct lb_builder *builder)
{
    const struct lb_entity *film = &builder->description->film;
    static const char *const kinds[] = {"rgb", "gbuffer", "spectral"};
    if (!film->type || strcmp(film->type, kinds[0]) == 0)
        return LB_OK;
    if (strcmp(film->type, kinds[1]) == 0)
        return check_coordinates(builder);
    if (strcmp(film->type, kinds[2]) != 0)
        return lb_build_unknown(builder, &film->parameters.location, "film", film->type, LB_ROWS(kinds));
    return check_buckets(builder);
}

enum lb_status lb_build_film(struct lb_builder *builder)
{
    static const char *const no_matter[] = {"savefp16", "diagonal"};
    const struct lb_entity *film = &builder->description->film;
    enum lb_status status;
    if ((status = check_type(builder)) != LB_OK || (status = build_size(builder)) != LB_OK ||
        (status = build_picture(builder)) != LB_OK)
        return status;
    lb_build_ignore(film, no_matter, sizeof no_matter / sizeof no_matter[0]);
    return LB_OK;
}

static enum lb_status unknown_sensor(const struct lb_builder *builder, const char *name,
                                     const char *const *known, int count)
{
    return lb_build_unknown(builder, lb_build_place(&builder->description->film.parameters, "sensor"),
                            "sensor", name, known, (size_t)count, sizeof *known);
}

/* The colour space that the picture is in, the sensor, and the light that it shows as the space's white: cie1931 leaves
 * colours alone where none is given. */
static enum lb_status build_sensor(struct lb_builder *builder)
{
    const struct lb_parameters *parameters = &builder->description->film.parameters;
    lb_film *film = &builder->head.film;
    const char *name, *const *known, *space = parameters->color_space;
    float kelvin;
    int count;
    enum lb_status status;
    if ((status = lb_parameters_string(parameters, "sensor", "cie1931", &name, builder->error)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "whitebalance", 0.0f, 0.0f, 1e6f, &kelvin)) != LB_OK)
        return status;
    film->color_space = space ? lb_color_space_find(space) : LB_COLOR_SRGB;
    bool camera = lb_sensor_is_known(name, &known, &count);
    if (!camera && strcmp(name, "cie1931") != 0)
        return unknown_sensor(builder, name, known, count);
    if (kelvin > 0.0f && kelvin < 1000.0f)
        return lb_build_error(builder, lb_build_place(parameters, "whitebalance"),
                              "\"whitebalance\" must be 0 (none) or at least 1000 kelvin, not %g",
                              (double)kelvin);
    film->has_sensor = camera || kelvin > 0.0f;
    if (film->has_sensor)
        lb_sensor_matrix(camera, kelvin > 0.0f ? (double)kelvin : 6500.0, film->color_space, film->sensor);
    return LB_OK;
}

enum lb_status lb_build_film_exposure(struct lb_builder *builder)
{
    const struct lb_entity *film = &builder->description->film;
    float iso, largest;
    enum lb_status status;
    if ((status = build_sensor(builder)) != LB_OK ||
        (status = lb_build_float(builder, &film->parameters, "iso", 100.0f, 0.0f, 1e12f, &iso)) != LB_OK ||
        (status = lb_build_float(builder, &film->parameters, "maxcomponentvalue", LB_INFINITY, 0.0f,
                                 LB_INFINITY, &largest)) != LB_OK)
        return status;
    builder->head.film.imaging_ratio = (float)(builder->shutter * (double)iso / 100.0);
    builder->head.film.max_component = largest;
    return lb_build_check_unused(builder, film);
}
