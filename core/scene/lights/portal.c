/* Environments behind a portal: the map is turned into the portal's frame, and what windows of it are drawn from. */
#include "core/kernel/lights/environment.h"
#include "core/kernel/lights/portal.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/lights/lights.h"
#include "core/scene/textures/textures.h"

/* Of unit vectors: whether they are as good as at right angles; pbrt's limit. */
static bool is_square(lb_vec3 a, lb_vec3 b)
{
    return lb_abs(lb_dot(a, b)) <= 0.001f;
}

static lb_transform rows(lb_vec3 x, lb_vec3 y, lb_vec3 z)
{
    lb_transform t = {
        {{x.x, x.y, x.z, 0.0f}, {y.x, y.y, y.z, 0.0f}, {z.x, z.y, z.z, 0.0f}},
    };
    return t;
}

/* The portal's place and frame, from its four corners in world space. */
static enum lb_status build_frame(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  lb_light *light)
{
    const struct lb_location *place = lb_build_place(parameters, "portal");
    const float *values;
    size_t count;
    lb_vec3 p[4];
    enum lb_status status =
        lb_parameters_floats(parameters, "portal", LB_PARAMETER_POINT3, &values, &count, builder->error);
    if (status != LB_OK)
        return status;
    if (count != 12)
        return lb_build_error(builder, place, "\"portal\" needs 4 points, not %zu", count / 3);
    for (size_t i = 0; i < 12; i++)
        if (!lb_is_finite(values[i]))
            return lb_build_error(builder, place, "\"portal\" is not finite");
    for (size_t i = 0; i < 4; i++)
        p[i] = lb_vec3_make(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
    lb_vec3 x = lb_normalize(lb_sub(p[3], p[0])), y = lb_normalize(lb_sub(p[1], p[0]));
    lb_vec3 opposite_x = lb_normalize(lb_sub(p[2], p[1])), opposite_y = lb_normalize(lb_sub(p[2], p[3]));
    lb_vec3 across = lb_cross(x, y);
    if (!(lb_dot(across, across) > 0.01f))
        return lb_build_error(builder, place, "the portal is no rectangle: it has no area");
    if (!(lb_dot(x, opposite_x) >= 0.999f) || !(lb_dot(y, opposite_y) >= 0.999f) || !is_square(x, y))
        lb_build_warn(builder, place,
                      "the portal is no rectangle: what spans its first and its third corner is taken");
    lb_vec3 z = lb_normalize(across);
    light->position = p[0];
    light->direction = p[2];
    light->light_from_world = rows(x, y, z);
    light->world_from_light =
        rows(lb_vec3_make(x.x, y.x, z.x), lb_vec3_make(x.y, y.y, z.y), lb_vec3_make(x.z, y.z, z.z));
    return LB_OK;
}

/* Bilinear between the map's texels, at a point of its square. */
static lb_rgb map_at(const struct lb_builder *builder, const lb_image *map, lb_vec2 p)
{
    float x = p.x * (float)map->width - 0.5f, y = p.y * (float)map->height - 0.5f;
    float left = lb_floor(x), top = lb_floor(y);
    lb_rgb sum = lb_rgb_grey(0.0f);
    for (int32_t i = 0; i < 4; i++) {
        int32_t column = lb_to_int(left) + (i & 1), row = lb_to_int(top) + (i >> 1);
        float weight =
            ((i & 1) != 0 ? x - left : 1.0f - (x - left)) * ((i & 2) != 0 ? y - top : 1.0f - (y - top));
        float v[4];
        lb_image_wrap(LB_WRAP_OCTAHEDRAL, (int32_t)map->width, (int32_t)map->height, &column, &row);
        lb_build_texel(builder, map, (uint32_t)column, (uint32_t)row, v);
        sum = lb_rgb_add(sum, lb_rgb_scale(lb_rgb_make(v[0], v[1], v[2]), weight));
    }
    return sum;
}

/* An image of n x n colours in floats, all 1. */
static lb_rgb *add_image(struct lb_builder *builder, uint32_t n, uint32_t *index)
{
    size_t count = (size_t)n * n;
    uint64_t offset = builder->arrays.texels.count;
    *index = (uint32_t)builder->arrays.images.count;
    lb_image *image = lb_vector_add(&builder->arrays.images, 1);
    lb_rgb *texels = image ? lb_vector_add(&builder->arrays.texels, count * sizeof *texels) : NULL;
    if (!texels)
        return NULL;
    image->width = image->height = n;
    image->channels = 3;
    image->texel = LB_TEXEL_FLOAT;
    image->gamma = 1.0f;
    image->offset = offset;
    for (size_t i = 0; i < count; i++)
        texels[i] = lb_rgb_grey(1.0f);
    return texels;
}

/* The direction, in the portal's frame, of the middle of a cell. */
static lb_vec3 cell_direction(uint32_t n, uint32_t x, uint32_t y, float *stretch)
{
    return lb_portal_direction(lb_vec2_make(((float)x + 0.5f) / (float)n, ((float)y + 0.5f) / (float)n),
                               stretch);
}

/* The light's image becomes the map as it is seen by angles, of as many texels; one of a single texel where the light
 * has no map. */
static enum lb_status rectify(struct lb_builder *builder, const lb_transform *map_from_world, lb_light *light)
{
    uint32_t source = light->image;
    uint32_t n = source == LB_NONE ? 1 : ((const lb_image *)builder->arrays.images.data)[source].width;
    lb_rgb *texels = add_image(builder, n, &light->image);
    if (!texels)
        return lb_build_no_memory(builder);
    light->map_size = n;
    if (source == LB_NONE)
        return LB_OK;
    const lb_image *map = (const lb_image *)builder->arrays.images.data + source;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            float stretch;
            lb_vec3 d = lb_transform_vector(&light->world_from_light, cell_direction(n, x, y, &stretch));
            d = lb_normalize(lb_transform_vector(map_from_world, d));
            texels[(size_t)y * n + x] = map_at(builder, map, lb_octahedral_point(d));
        }
    return LB_OK;
}

/* Importance of the cells, their light by solid angle, and the power: what flows through the portal. */
static enum lb_status weigh(struct lb_builder *builder, lb_light *light)
{
    uint32_t n = light->map_size;
    struct lb_vector values = {.element = sizeof(double)};
    double *weights = lb_vector_add(&values, (size_t)n * n), flux = 0.0;
    if (!weights)
        return lb_build_no_memory(builder);
    const lb_image *image = (const lb_image *)builder->arrays.images.data + light->image;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            float v[4], stretch;
            lb_vec3 d = cell_direction(n, x, y, &stretch);
            lb_build_texel(builder, image, x, y, v);
            double weight = (double)lb_rgb_luminance(lb_rgb_make(v[0], v[1], v[2])) * (double)stretch;
            weights[(size_t)y * n + x] = weight;
            flux += weight * (double)d.z;
        }
    lb_vec3 across = lb_transform_vector(&light->light_from_world, lb_sub(light->direction, light->position));
    double area = (double)across.x * (double)across.y;
    light->power = (float)(area * flux / ((double)n * (double)n) * (double)lb_rgb_luminance(light->emission));
    enum lb_status status = lb_build_sums(builder, weights, n, &light->density);
    lb_vector_free(&values);
    return status;
}

enum lb_status lb_build_portal(struct lb_builder *builder, const struct lb_parameters *parameters,
                               const lb_transform *map_from_world, lb_light *light)
{
    enum lb_status status;
    light->kind = LB_LIGHT_INFINITE_PORTAL;
    if ((status = build_frame(builder, parameters, light)) != LB_OK ||
        (status = rectify(builder, map_from_world, light)) != LB_OK)
        return status;
    return weigh(builder, light);
}
