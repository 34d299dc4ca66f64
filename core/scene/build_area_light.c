/* Light from surfaces: a light for each triangle of a mesh, or for a quadric. Of a power given, a bilinear patch has
 * all, and its triangles have their parts. */
#include "core/scene/build.h"

#include <string.h>

static double length_of_cross(lb_vec3 a, lb_vec3 b)
{
    double x = (double)a.y * (double)b.z - (double)a.z * (double)b.y;
    double y = (double)a.z * (double)b.x - (double)a.x * (double)b.z;
    double z = (double)a.x * (double)b.y - (double)a.y * (double)b.x;
    return lb_sqrt_d(x * x + y * y + z * z);
}

static double triangle_area(const struct lb_builder *builder, const lb_shape *shape, uint32_t primitive)
{
    const lb_vec3 *positions = (const lb_vec3 *)builder->arrays.positions.data + shape->first_position;
    const uint32_t *corners =
        (const uint32_t *)builder->arrays.indices.data + shape->first_index + 3 * (size_t)primitive;
    lb_vec3 p = positions[corners[0]];
    return 0.5 * length_of_cross(lb_sub(positions[corners[1]], p), lb_sub(positions[corners[2]], p));
}

/* The area of a sphere or cylinder in the world: exact for uniform scales, else that of one of the same volume. */
static double round_area(const lb_shape *shape)
{
    double object =
        (double)shape->phi_max * (double)shape->radius * ((double)shape->z_max - (double)shape->z_min);
    float volume = (float)lb_abs_d(lb_build_determinant(&shape->world_from_object));
    return object * (double)lb_pow(volume, 2.0f / 3.0f);
}

static double disk_area(const lb_shape *shape)
{
    double r = (double)shape->radius, inner = (double)shape->inner_radius;
    lb_vec3 x = lb_transform_vector(&shape->world_from_object, lb_vec3_make(1.0f, 0.0f, 0.0f));
    lb_vec3 y = lb_transform_vector(&shape->world_from_object, lb_vec3_make(0.0f, 1.0f, 0.0f));
    return 0.5 * (double)shape->phi_max * (r * r - inner * inner) * length_of_cross(x, y);
}

double lb_build_primitive_area(const struct lb_builder *builder, const lb_shape *shape, uint32_t primitive)
{
    switch (shape->kind) {
    case LB_SHAPE_MESH:
        return triangle_area(builder, shape, primitive);
    case LB_SHAPE_SPHERE:
    case LB_SHAPE_CYLINDER:
        return round_area(shape);
    default:
        return disk_area(shape);
    }
}

enum lb_status lb_build_check_area_light(const struct lb_builder *builder, const struct lb_entity *entity)
{
    static const char *const kinds[] = {"diffuse"};
    if (strcmp(entity->type, kinds[0]) == 0)
        return LB_OK;
    return lb_build_unknown(builder, &entity->parameters.location, "area light", entity->type,
                            LB_ROWS(kinds));
}

/* What an AreaLightSource directive says. */
struct emission {
    lb_rgb radiance; /* scale applied */
    float power;     /* of each primitive where above 0 */
    uint32_t twosided;
};

static enum lb_status read_emission(const struct lb_builder *builder, const struct lb_entity *entity,
                                    struct emission *emission)
{
    const struct lb_parameters *parameters = &entity->parameters;
    float scale;
    enum lb_status status = LB_OK;
    if ((status = lb_build_check_area_light(builder, entity)) != LB_OK)
        return status;
    if (lb_parameters_find(parameters, "filename"))
        status = lb_build_not_yet(builder, lb_build_place(parameters, "filename"),
                                  "area lights with images are not rendered yet: the light is white");
    if (status != LB_OK ||
        (status = lb_build_colour(builder, parameters, "L", true, lb_rgb_grey(1.0f), &emission->radiance)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "scale", 1.0f, 0.0f, 1e30f, &scale)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "power", -1.0f, -1e30f, 1e30f, &emission->power)) !=
            LB_OK ||
        (status = lb_build_bool(builder, parameters, "twosided", false, &emission->twosided)) != LB_OK)
        return status;
    emission->radiance = lb_rgb_scale(emission->radiance, scale);
    return lb_build_check_unused(builder, entity);
}

enum lb_status lb_build_area_light(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                   uint32_t shape_index)
{
    lb_shape *shape = (lb_shape *)builder->arrays.shapes.data + shape_index;
    struct emission emission;
    enum lb_status status =
        read_emission(builder, &builder->description->area_lights[entity->area_light], &emission);
    if (status != LB_OK || lb_rgb_is_black(emission.radiance))
        return status;
    if (builder->arrays.lights.count + shape->primitive_count >= LB_NONE)
        return lb_build_error(builder, &entity->entity.parameters.location,
                              "the scene has more than 2^32 lights");
    shape->first_light = (uint32_t)builder->arrays.lights.count;
    lb_light *lights = lb_vector_add(&builder->arrays.lights, shape->primitive_count);
    if (!lights)
        return lb_build_no_memory(builder);
    for (uint32_t i = 0; i < shape->primitive_count; i++) {
        double area = lb_build_primitive_area(builder, shape, i);
        double sides = emission.twosided ? 2.0 : 1.0;
        lb_light *light = &lights[i];
        light->kind = LB_LIGHT_AREA;
        light->emission = emission.radiance;
        if (emission.power > 0.0f) {
            double whole =
                builder->patch_areas.count ? (double)((const float *)builder->patch_areas.data)[i] : area;
            light->emission = lb_rgb_scale(emission.radiance,
                                           (float)((double)emission.power / ((double)LB_PI * sides * whole)));
        }
        if ((status = lb_build_check_emission(builder, &entity->entity.parameters.location, light)) != LB_OK)
            return status;
        light->twosided = emission.twosided;
        light->primitive.shape = shape_index;
        light->primitive.primitive = i;
        light->medium = light->image = LB_NONE;
        light->power = (float)((double)lb_rgb_luminance(light->emission) * (double)LB_PI * sides * area);
    }
    return LB_OK;
}
