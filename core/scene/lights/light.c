/* Lights that are no surfaces: points, spots, distant ones and environments. */
#include "core/scene/builder/light_groups.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/spectra.h"
#include "core/scene/builder/transforms.h"
#include "core/scene/lights/lights.h"
#include "core/scene/media/media.h"
#include "core/scene/textures/textures.h"

#include <string.h>

#define TWO_PI (2.0 * (double)LB_PI)

/* What they have in common. */
struct light_source {
    const struct lb_light_entity *entity;
    const struct lb_parameters *parameters;
    const struct lb_location *location;
    lb_transform world_from_light, light_from_world;
    bool is_flat; /* there is no light_from_world */
    float scale;
};

/* Colour by the parameter's name, times scale. */
static enum lb_status read_emission(const struct lb_builder *builder, const struct light_source *source,
                                    const char *name, lb_light *light)
{
    enum lb_status status = lb_build_colour(builder, source->parameters, name, true,
                                            lb_build_white(source->parameters), &light->emission);
    light->emission = lb_rgb_scale(light->emission, source->scale);
    if (status == LB_OK)
        status = lb_build_light_spectrum(builder, source->parameters, name, &light->spectrum);
    return status;
}

/* "from" and "to", in the light's space; *axis from the first to the second, of length 0 never. */
static enum lb_status read_axis(const struct lb_builder *builder, const struct light_source *source,
                                lb_vec3 *from, lb_vec3 *axis)
{
    lb_vec3 to;
    enum lb_status status;
    if ((status = lb_build_point(builder, source->parameters, "from", lb_vec3_make(0.0f, 0.0f, 0.0f),
                                 from)) != LB_OK ||
        (status = lb_build_point(builder, source->parameters, "to", lb_vec3_make(0.0f, 0.0f, 1.0f), &to)) !=
            LB_OK)
        return status;
    *axis = lb_normalize(lb_transform_vector(&source->world_from_light, lb_sub(to, *from)));
    if (!(lb_dot(*axis, *axis) > 0.5f))
        return lb_build_error(builder, lb_build_place(source->parameters, "to"),
                              "\"from\" and \"to\" are the same point");
    return LB_OK;
}

static enum lb_status build_point(struct lb_builder *builder, const struct light_source *source,
                                  lb_light *light)
{
    lb_vec3 from;
    float power;
    enum lb_status status;
    light->kind = LB_LIGHT_POINT;
    if ((status = read_emission(builder, source, "I", light)) != LB_OK ||
        (status = lb_build_point(builder, source->parameters, "from", lb_vec3_make(0.0f, 0.0f, 0.0f),
                                 &from)) != LB_OK ||
        (status = lb_build_float(builder, source->parameters, "power", -1.0f, -1e30f, 1e30f, &power)) !=
            LB_OK)
        return status;
    if (power > 0.0f)
        light->emission = lb_rgb_scale(light->emission, (float)((double)power / (2.0 * TWO_PI)));
    light->position = lb_transform_point(&source->world_from_light, from);
    light->power = (float)(2.0 * TWO_PI * (double)lb_rgb_luminance(light->emission));
    return lb_build_find_medium(builder, source->location, source->entity->medium, &light->medium);
}

static enum lb_status build_spot(struct lb_builder *builder, const struct light_source *source,
                                 lb_light *light)
{
    lb_vec3 from;
    float cone, delta, power;
    enum lb_status status;
    light->kind = LB_LIGHT_SPOT;
    if ((status = read_emission(builder, source, "I", light)) != LB_OK ||
        (status = read_axis(builder, source, &from, &light->direction)) != LB_OK ||
        (status = lb_build_float(builder, source->parameters, "coneangle", 30.0f, 0.0f, 180.0f, &cone)) !=
            LB_OK ||
        (status = lb_build_float(builder, source->parameters, "conedeltaangle", 5.0f, 0.0f, 180.0f,
                                 &delta)) != LB_OK ||
        (status = lb_build_float(builder, source->parameters, "power", -1.0f, -1e30f, 1e30f, &power)) !=
            LB_OK)
        return status;
    light->cos_total = lb_cos(cone * (LB_PI / 180.0f));
    light->cos_start = lb_cos(lb_max(cone - delta, 0.0f) * (LB_PI / 180.0f));
    double cone_flux = TWO_PI * (1.0 - (double)light->cos_start +
                                 0.5 * ((double)light->cos_start - (double)light->cos_total));
    if (power > 0.0f && cone_flux > 0.0)
        light->emission = lb_rgb_scale(light->emission, (float)((double)power / cone_flux));
    light->position = lb_transform_point(&source->world_from_light, from);
    light->power = (float)(cone_flux * (double)lb_rgb_luminance(light->emission));
    return lb_build_find_medium(builder, source->location, source->entity->medium, &light->medium);
}

/* The mean of the image's colours over all directions. */
static double image_mean(const struct lb_builder *builder, const lb_image *image)
{
    double sum = 0.0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            float v[4];
            lb_build_texel(builder, image, x, y, v);
            sum += image->channels == 1 ? (double)v[0] : ((double)v[0] + (double)v[1] + (double)v[2]) / 3.0;
        }
    return sum / ((double)image->width * (double)image->height);
}

static enum lb_status build_goniometric(struct lb_builder *builder, const struct light_source *source,
                                        lb_light *light)
{
    const struct lb_parameters *parameters = source->parameters;
    lb_rgb colour;
    const char *path;
    float power;
    enum lb_status status;
    light->kind = LB_LIGHT_GONIOMETRIC;
    if ((status = read_emission(builder, source, "I", light)) != LB_OK ||
        (status = lb_build_file(builder, parameters, "filename", &path)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "power", -1.0f, -1e30f, 1e30f, &power)) != LB_OK)
        return status;
    if (!path)
        return lb_build_error(builder, source->location, "a goniometric light needs \"filename\"");
    if (source->is_flat)
        return lb_build_transform(builder, source->entity->world_from_light, source->location, NULL, NULL);
    colour = light->emission;
    if ((status = lb_build_map(builder, path, lb_build_place(parameters, "filename"), 1.0f, -1.0f, light)) !=
        LB_OK)
        return status;
    double mean = image_mean(builder, (const lb_image *)builder->arrays.images.data + light->image);
    light->emission = colour;
    if (power > 0.0f && mean > 0.0)
        light->emission = lb_rgb_scale(colour, (float)((double)power / (2.0 * TWO_PI * mean)));
    light->light_from_world = source->light_from_world;
    light->world_from_light = source->world_from_light;
    light->position = lb_transform_point(&source->world_from_light, lb_vec3_make(0.0f, 0.0f, 0.0f));
    light->power = (float)(2.0 * TWO_PI * mean * (double)lb_rgb_luminance(light->emission));
    return lb_build_find_medium(builder, source->location, source->entity->medium, &light->medium);
}

/* The flux of a projection light of scale 1 through a texel: its luminance, times the solid angle of its place in the
 * plane z = 1, of which the image takes the middle with these half sides. */
static double texel_flux(const struct lb_builder *builder, const lb_image *image, uint32_t x, uint32_t y,
                         double half_width, double half_height)
{
    double across = half_width * (2.0 * ((double)x + 0.5) / (double)image->width - 1.0);
    double down = half_height * (2.0 * ((double)y + 0.5) / (double)image->height - 1.0);
    double square = 1.0 + across * across + down * down;
    double area = 4.0 * half_width * half_height / ((double)image->width * (double)image->height);
    return (double)lb_rgb_luminance(lb_build_texel_rgb(builder, image, x, y)) * area /
           (square * lb_sqrt_d(square));
}

/* The field of view is on the shorter axis. The light's transform takes the image's place to a square, and its rows
 * down. */
static double place_projection(const struct lb_builder *builder, const struct light_source *source, float fov,
                               lb_light *light)
{
    const lb_image *image = (const lb_image *)builder->arrays.images.data + light->image;
    double tangent = (double)lb_tan(fov * (LB_PI / 360.0f));
    double aspect = (double)image->width / (double)image->height, flux = 0.0;
    double half[2] = {tangent * (aspect > 1.0 ? aspect : 1.0), tangent * (aspect > 1.0 ? 1.0 : 1.0 / aspect)};
    light->light_from_world = source->light_from_world;
    for (int i = 0; i < 4; i++) {
        light->light_from_world.m[0][i] = (float)((double)source->light_from_world.m[0][i] / half[0]);
        light->light_from_world.m[1][i] = (float)(-(double)source->light_from_world.m[1][i] / half[1]);
    }
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            flux += texel_flux(builder, image, x, y, half[0], half[1]);
    return flux;
}

static enum lb_status build_projection(struct lb_builder *builder, const struct light_source *source,
                                       lb_light *light)
{
    const struct lb_parameters *parameters = source->parameters;
    const char *path;
    float fov, power;
    enum lb_status status;
    light->kind = LB_LIGHT_PROJECTION;
    if ((status = lb_build_file(builder, parameters, "filename", &path)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "fov", 90.0f, 1e-3f, 179.999f, &fov)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "power", -1.0f, -1e30f, 1e30f, &power)) != LB_OK)
        return status;
    if (!path)
        return lb_build_error(builder, source->location, "a projection light needs \"filename\"");
    if (source->is_flat)
        return lb_build_transform(builder, source->entity->world_from_light, source->location, NULL, NULL);
    if ((status = lb_build_light_image(builder, path, lb_build_place(parameters, "filename"), false,
                                       &light->image)) != LB_OK)
        return status;
    double flux = place_projection(builder, source, fov, light), scale = (double)source->scale;
    if (power > 0.0f && flux > 0.0)
        scale *= (double)power / flux;
    light->emission = lb_rgb_grey(flux > 0.0 ? (float)scale : 0.0f);
    light->position = lb_transform_point(&source->world_from_light, lb_vec3_make(0.0f, 0.0f, 0.0f));
    light->power = (float)(scale * flux);
    return lb_build_find_medium(builder, source->location, source->entity->medium, &light->medium);
}

static enum lb_status build_distant(struct lb_builder *builder, const struct light_source *source,
                                    lb_light *light)
{
    lb_vec3 from, axis;
    float illuminance;
    enum lb_status status;
    light->kind = LB_LIGHT_DISTANT;
    if ((status = read_emission(builder, source, "L", light)) != LB_OK ||
        (status = read_axis(builder, source, &from, &axis)) != LB_OK ||
        (status = lb_build_float(builder, source->parameters, "illuminance", -1.0f, -1e30f, 1e30f,
                                 &illuminance)) != LB_OK)
        return status;
    light->direction = lb_negate(axis);
    if (illuminance > 0.0f)
        light->emission = lb_rgb_scale(light->emission, illuminance);
    return LB_OK;
}

/* A constant light through a portal is a map of one texel (pbrt): the illuminance is that of the map, and light of a
 * spectrum, which elsewhere has luminance 1, is as bright as the spectrum says. */
static enum lb_status scale_constant_portal(const struct lb_builder *builder,
                                            const struct lb_parameters *parameters, float illuminance,
                                            lb_light *light)
{
    const struct lb_parameter *given = lb_parameters_find(parameters, "L");
    float luminance = lb_rgb_luminance(light->emission), factor = 1.0f;
    enum lb_status status = LB_OK;
    if (illuminance > 0.0f && luminance > 0.0f)
        factor = illuminance / (2.0f * LB_PI * luminance);
    else if (given)
        status = lb_spectrum_given_luminance(builder->description, given, builder->arena, builder->log,
                                             &factor, builder->error);
    light->emission = lb_rgb_scale(light->emission, factor);
    return status;
}

static enum lb_status build_infinite(struct lb_builder *builder, const struct light_source *source,
                                     lb_light *light)
{
    const struct lb_parameters *parameters = source->parameters;
    const struct lb_location *place = lb_build_place(parameters, "filename");
    bool portal = lb_parameters_find(parameters, "portal") != NULL;
    const char *path;
    float illuminance;
    enum lb_status status;
    if ((status = lb_build_file(builder, parameters, "filename", &path)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "illuminance", -1.0f, -1e30f, 1e30f, &illuminance)) !=
            LB_OK)
        return status;
    if (path && lb_parameters_find(parameters, "L"))
        return lb_build_error(builder, lb_build_place(parameters, "L"),
                              "an infinite light has \"L\" or \"filename\", not both");
    if (path && source->is_flat)
        return lb_build_transform(builder, source->entity->world_from_light, source->location, NULL, NULL);
    if (path && !portal) {
        light->world_from_light = source->world_from_light;
        light->light_from_world = source->light_from_world;
        return lb_build_environment(builder, path, place, source->scale, illuminance, light);
    }
    light->kind = LB_LIGHT_INFINITE_CONSTANT;
    status = path ? lb_build_map(builder, path, place, source->scale, illuminance, light)
                  : read_emission(builder, source, "L", light);
    if (status != LB_OK)
        return status;
    if (!path && portal)
        status = scale_constant_portal(builder, parameters, illuminance, light);
    else if (!path && illuminance > 0.0f)
        light->emission = lb_rgb_scale(light->emission, illuminance / LB_PI);
    if (status != LB_OK)
        return status;
    return portal ? lb_build_portal(builder, parameters, &source->light_from_world, light) : LB_OK;
}

struct light_kind {
    const char *name;
    enum lb_status (*build)(struct lb_builder *builder, const struct light_source *source, lb_light *light);
};

static const struct light_kind kinds[] = {
    {"point", build_point},
    {"spot", build_spot},
    {"distant", build_distant},
    {"infinite", build_infinite},
    {"goniometric", build_goniometric},
    {"projection", build_projection},
};

enum lb_status lb_build_check_emission(const struct lb_builder *builder, const struct lb_location *location,
                                       const lb_light *light)
{
    if (lb_is_finite(light->emission.r) && lb_is_finite(light->emission.g) && lb_is_finite(light->emission.b))
        return LB_OK;
    return lb_build_error(builder, location, "the light is infinitely bright");
}

static enum lb_status build_light(struct lb_builder *builder, const struct lb_light_entity *entity)
{
    struct light_source source = {.entity = entity,
                                  .parameters = &entity->entity.parameters,
                                  .location = &entity->entity.parameters.location};
    const struct light_kind *kind = lb_build_row(entity->entity.type, LB_ROWS(kinds));
    lb_light light;
    uint32_t group;
    enum lb_status status;
    if (!kind)
        return lb_build_unknown(builder, source.location, "light", entity->entity.type, LB_ROWS(kinds));
    if (builder->head.integrator.kind == LB_INTEGRATOR_OCCLUSION)
        return LB_OK;
    memset(&light, 0, sizeof light);
    light.medium = light.image = LB_NONE;
    source.is_flat = lb_build_is_flat(entity->world_from_light);
    if ((status = (source.is_flat ? lb_build_rows : lb_build_transform)(
             builder, entity->world_from_light, source.location, &source.world_from_light,
             &source.light_from_world)) != LB_OK ||
        (status = lb_build_float(builder, source.parameters, "scale", 1.0f, 0.0f, 1e30f, &source.scale)) !=
            LB_OK ||
        (status = kind->build(builder, &source, &light)) != LB_OK ||
        (status = lb_build_light_group(builder, source.parameters, &group)) != LB_OK ||
        (status = lb_build_check_unused(builder, &entity->entity)) != LB_OK ||
        (status = lb_build_check_emission(builder, source.location, &light)) != LB_OK)
        return status;
    if (lb_rgb_is_black(light.emission))
        return LB_OK;
    lb_light *built = lb_vector_add(&builder->arrays.lights, 1);
    if (!built)
        return lb_build_no_memory(builder);
    *built = light;
    return lb_build_note_group(builder, group, 1);
}

enum lb_status lb_build_lights(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    for (size_t i = 0; i < description->light_count; i++) {
        enum lb_status status = build_light(builder, &description->lights[i]);
        if (lb_build_go_on(builder, status) != LB_OK)
            return status;
    }
    return LB_OK;
}

void lb_build_far_power(const struct lb_builder *builder, lb_light *light)
{
    double r = (double)builder->head.radius, pi = (double)LB_PI;
    double luminance = (double)lb_rgb_luminance(light->emission);
    switch ((enum lb_light_kind)light->kind) {
    case LB_LIGHT_DISTANT:
        light->power = (float)(luminance * pi * r * r);
        break;
    case LB_LIGHT_INFINITE_IMAGE:
        light->power = (float)(luminance * (double)light->power * 4.0 * pi * pi * r * r);
        break;
    case LB_LIGHT_INFINITE_CONSTANT:
    case LB_LIGHT_KIND_COUNT:
        light->power = 0.0f;
        break;
    case LB_LIGHT_POINT: /* these know theirs when they are made */
    case LB_LIGHT_SPOT:
    case LB_LIGHT_GONIOMETRIC:
    case LB_LIGHT_PROJECTION:
    case LB_LIGHT_INFINITE_PORTAL:
    case LB_LIGHT_AREA:
        break;
    }
}
