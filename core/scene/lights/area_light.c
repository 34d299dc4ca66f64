/* Light from surfaces: a light for each triangle of a mesh, or for a quadric. Of a power given, a bilinear patch has
 * all, and its triangles have their parts. */
#include "core/scene/builder/light_groups.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/spectra.h"
#include "core/scene/builder/transforms.h"
#include "core/scene/lights/lights.h"

#include "core/kernel/lights/light.h"

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
    switch ((enum lb_shape_kind)shape->kind) {
    case LB_SHAPE_MESH:
        return triangle_area(builder, shape, primitive);
    case LB_SHAPE_SPHERE:
    case LB_SHAPE_CYLINDER:
        return round_area(shape);
    case LB_SHAPE_DISK:
    case LB_SHAPE_CURVES: /* which cannot shine */
        break;
    }
    return disk_area(shape);
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
struct lb_emission {
    bool is_read;
    lb_rgb radiance;   /* scale applied; an image's factor */
    uint32_t image;    /* over the shape's uv, or LB_NONE */
    uint32_t second;   /* 1: over its second coordinates, where it has them */
    double mean;       /* the image's mean luminance; 1 without */
    uint32_t spectrum; /* as in lb_light */
    float power;       /* of each primitive where above 0 */
    uint32_t twosided;
    uint32_t group; /* 0 or 1 + number of its light group */
};

static double mean_luminance(const struct lb_builder *builder, const lb_image *image)
{
    double sum = 0.0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            sum += (double)lb_rgb_luminance(lb_build_texel_rgb(builder, image, x, y));
    return sum / ((double)image->width * (double)image->height);
}

/* "L" or "filename", without scale. */
static enum lb_status read_radiance(struct lb_builder *builder, const struct lb_parameters *parameters,
                                    struct lb_emission *emission)
{
    static const char *const mappings[] = {"uv", "uv1"};
    const struct lb_location *place = lb_build_place(parameters, "filename");
    const char *path;
    enum lb_status status;
    emission->image = LB_NONE;
    emission->mean = 1.0;
    emission->radiance = lb_rgb_grey(1.0f);
    if ((status = lb_build_file(builder, parameters, "filename", &path)) != LB_OK)
        return status;
    if (!path)
        return (status = lb_build_colour(builder, parameters, "L", true, lb_build_white(parameters),
                                         &emission->radiance)) == LB_OK
                   ? lb_build_light_spectrum(builder, parameters, "L", &emission->spectrum)
                   : status;

    if (lb_parameters_find(parameters, "L"))
        return lb_build_error(builder, lb_build_place(parameters, "L"),
                              "an area light has \"L\" or \"filename\", not both");
    if ((status = lb_build_word(builder, parameters, "mapping", "mapping", mappings, 2, &emission->second)) !=
        LB_OK)
        return status;
    if ((status = lb_build_light_image(builder, path, place, false, &emission->image)) == LB_OK)
        emission->mean =
            mean_luminance(builder, (const lb_image *)builder->arrays.images.data + emission->image);
    return status;
}

static enum lb_status read_emission(struct lb_builder *builder, const struct lb_entity *entity,
                                    struct lb_emission *emission)
{
    const struct lb_parameters *parameters = &entity->parameters;
    float scale;
    enum lb_status status;
    if ((status = lb_build_check_area_light(builder, entity)) != LB_OK ||
        (status = read_radiance(builder, parameters, emission)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "scale", 1.0f, 0.0f, 1e30f, &scale)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "power", -1.0f, -1e30f, 1e30f, &emission->power)) !=
            LB_OK ||
        (status = lb_build_bool(builder, parameters, "twosided", false, &emission->twosided)) != LB_OK ||
        (status = lb_build_light_group(builder, parameters, &emission->group)) != LB_OK)
        return status;
    emission->radiance = lb_rgb_scale(emission->radiance, scale);
    emission->is_read = true;
    return lb_build_check_unused(builder, entity);
}

/* The emission of an area light of the description, which many shapes may have: it is read once. */
static enum lb_status find_emission(struct lb_builder *builder, uint32_t number,
                                    const struct lb_emission **emission)
{
    const struct lb_description *description = builder->description;
    if (!builder->emissions)
        builder->emissions =
            lb_arena_alloc(builder->arena, description->area_light_count, sizeof *builder->emissions);
    if (!builder->emissions)
        return lb_build_no_memory(builder);
    *emission = &builder->emissions[number];
    if ((*emission)->is_read)
        return LB_OK;
    return read_emission(builder, &description->area_lights[number], &builder->emissions[number]);
}

/* A triangle is near where its area is more than this part of the square of the distance to its middle. From further
 * off it looks nearly alike from everywhere, and points that are spread evenly over its area bring as little noise. */
#define NEAR 0.6

float lb_build_facing(const struct lb_builder *builder, const lb_light *light, lb_vec3 cross)
{
    const lb_shape *shape = (const lb_shape *)builder->arrays.shapes.data + light->primitive.shape;
    if ((shape->flags & LB_SHAPE_HAS_NORMALS) == 0)
        return lb_shape_flips(shape) ? -1.0f : 1.0f;
    const uint32_t *index = (const uint32_t *)builder->arrays.indices.data + shape->first_index +
                            3 * (size_t)light->primitive.primitive;
    const lb_vec3 *normals = (const lb_vec3 *)builder->arrays.normals.data + shape->first_normal;
    float reversed = (shape->flags & LB_SHAPE_REVERSED) != 0 ? -1.0f : 1.0f;
    int before = 0, behind = 0;
    for (int i = 0; i < 3; i++) {
        lb_vec3 n = normals[index[i]];
        float side = reversed * lb_dot(cross, n), sure = 1e-3f * lb_length(cross) * lb_length(n);
        before += side > sure;
        behind += side < -sure;
    }
    return before == 3 ? 1.0f : behind == 3 ? -1.0f : 0.0f;
}

/* What is kept of a triangle that emits light, and from where points on it are drawn by direction. */
static void build_triangle(const struct lb_builder *builder, const lb_shape *shape, double area,
                           lb_light *light)
{
    const lb_vec3 *positions = (const lb_vec3 *)builder->arrays.positions.data + shape->first_position;
    const uint32_t *index = (const uint32_t *)builder->arrays.indices.data + shape->first_index +
                            3 * (size_t)light->primitive.primitive;
    lb_vec3 *p = light->corners;
    for (int i = 0; i < 3; i++)
        p[i] = positions[index[i]];
    light->position = lb_scale(lb_add(lb_add(p[0], p[1]), p[2]), 1.0f / 3.0f);
    light->near_square = (float)(area / NEAR);
    if ((shape->flags & LB_SHAPE_PATTERNED) == 0)
        light->facing = lb_build_facing(builder, light, lb_cross(lb_sub(p[1], p[0]), lb_sub(p[2], p[0])));
}

static void build_primitive_light(const struct lb_builder *builder, const struct lb_emission *emission,
                                  uint32_t shape, uint32_t primitive, lb_light *light)
{
    const lb_shape *shapes = builder->arrays.shapes.data;
    double area = lb_build_primitive_area(builder, &shapes[shape], primitive), whole = area;
    double sides = emission->twosided ? 2.0 : 1.0;
    if (builder->patch_areas.count)
        whole = (double)((const float *)builder->patch_areas.data)[primitive];
    light->kind = LB_LIGHT_AREA;
    light->emission = emission->radiance;
    if (emission->power > 0.0f)
        light->emission =
            lb_rgb_scale(emission->radiance,
                         (float)((double)emission->power / ((double)LB_PI * sides * whole * emission->mean)));
    light->spectrum = emission->spectrum;
    light->twosided = emission->twosided;
    light->primitive.shape = shape;
    light->primitive.primitive = primitive;
    light->image = emission->image;
    light->medium = LB_NONE;
    if (shapes[shape].kind == LB_SHAPE_MESH)
        build_triangle(builder, &shapes[shape], area, light);
    light->power =
        (float)((double)lb_rgb_luminance(light->emission) * emission->mean * (double)LB_PI * sides * area);
}

enum lb_status lb_build_area_light(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                   uint32_t shape_index)
{
    lb_shape *shape = (lb_shape *)builder->arrays.shapes.data + shape_index;
    const struct lb_emission *emission = NULL;
    enum lb_status status = find_emission(builder, entity->area_light, &emission);
    if (status != LB_OK || lb_rgb_is_black(emission->radiance) || !(emission->mean > 0.0))
        return status;
    if (builder->arrays.lights.count + shape->primitive_count >= LB_NONE)
        return lb_build_error(builder, &entity->entity.parameters.location,
                              "the scene has more than 2^32 lights");
    shape->first_light = (uint32_t)builder->arrays.lights.count;
    shape->flags |= emission->image != LB_NONE ? LB_SHAPE_SHINES_BY_IMAGE : 0u;
    if (emission->second != 0 && (shape->flags & LB_SHAPE_HAS_SECOND_UV) != 0)
        shape->flags |= LB_SHAPE_SHINES_BY_SECOND_UV;
    lb_light *lights = lb_vector_add(&builder->arrays.lights, shape->primitive_count);
    if (!lights)
        return lb_build_no_memory(builder);
    if ((status = lb_build_note_group(builder, emission->group, shape->primitive_count)) != LB_OK)
        return status;
    for (uint32_t i = 0; i < shape->primitive_count; i++) {
        build_primitive_light(builder, emission, shape_index, i, &lights[i]);
        if ((status = lb_build_check_emission(builder, &entity->entity.parameters.location, &lights[i])) !=
            LB_OK)
            return status;
    }
    return LB_OK;
}
