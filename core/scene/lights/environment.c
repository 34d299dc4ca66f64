/* Environment maps: square images in the equal-area octahedral layout, and what is drawn from them. */
#include "core/scene/builder/messages.h"
#include "core/scene/lights/lights.h"

/* Cosine to +z of the direction at the centre of a texel, 0 below the horizon (Clarberg's equal-area
 * mapping). */
static double cosine_above(const lb_image *image, uint32_t x, uint32_t y)
{
    double u = 2.0 * ((double)x + 0.5) / (double)image->width - 1.0;
    double v = 2.0 * ((double)y + 0.5) / (double)image->height - 1.0;
    double inside = 1.0 - (lb_abs_d(u) + lb_abs_d(v));
    return inside > 0.0 ? 1.0 - (1.0 - inside) * (1.0 - inside) : 0.0;
}

/* What pbrt-v4 takes for the illuminance of a surface that faces +z: it is half of that. */
static double map_illuminance(const struct lb_image *image, const float *luminances)
{
    double sum = 0.0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            sum += (double)luminances[(size_t)y * image->width + x] * cosine_above(image, x, y);
    return sum * 2.0 * (double)LB_PI / ((double)image->width * (double)image->height);
}

/* Drawing from what is above the mean leaves the rest to the rays that scatter (MIS compensation). */
static double compensate(float *luminances, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += (double)luminances[i];
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        luminances[i] = lb_max((float)((double)luminances[i] - mean), 0.0f);
    return mean;
}

/* The luminances of all texels; NULL: out of memory. */
static float *map_luminances(const struct lb_builder *builder, const lb_image *image,
                             struct lb_vector *values)
{
    size_t n = image->width;
    float *luminances = lb_vector_add(values, n * n);
    for (uint32_t y = 0; luminances && y < n; y++)
        for (uint32_t x = 0; x < n; x++)
            luminances[(size_t)y * n + x] = lb_rgb_luminance(lb_build_texel_rgb(builder, image, x, y));
    return luminances;
}

enum lb_status lb_build_map(struct lb_builder *builder, const char *path, const struct lb_location *location,
                            float scale, float illuminance, lb_light *light)
{
    double lit = 0.0;
    bool grey = light->kind == LB_LIGHT_GONIOMETRIC;
    enum lb_status status = lb_build_light_image(builder, path, location, grey, &light->image);
    if (status != LB_OK)
        return status;
    const lb_image *image = (const lb_image *)builder->arrays.images.data + light->image;
    if (image->width != image->height)
        return lb_build_error(builder, location,
                              "%s: an environment map must be square, not %u x %u (equal-area octahedral)",
                              path, image->width, image->height);
    if (illuminance > 0.0f) {
        struct lb_vector values = {.element = sizeof(float)};
        const float *luminances = map_luminances(builder, image, &values);
        if (!luminances)
            return lb_build_no_memory(builder);
        lit = map_illuminance(image, luminances);
        lb_vector_free(&values);
    }
    light->emission = lb_rgb_grey(lit > 0.0 ? (float)((double)scale * (double)illuminance / lit) : scale);
    return LB_OK;
}

enum lb_status lb_build_environment(struct lb_builder *builder, const char *path,
                                    const struct lb_location *location, float scale, float illuminance,
                                    lb_light *light)
{
    enum lb_status status = lb_build_map(builder, path, location, scale, illuminance, light);
    if (status != LB_OK)
        return status;
    struct lb_vector values = {.element = sizeof(float)};
    const lb_image *image = (const lb_image *)builder->arrays.images.data + light->image;
    float *luminances = map_luminances(builder, image, &values);
    if (!luminances)
        return lb_build_no_memory(builder);
    light->kind = LB_LIGHT_INFINITE_IMAGE;
    light->power = (float)compensate(luminances, (size_t)image->width * image->width);
    status = lb_build_importance(builder, luminances, image->width, light);
    lb_vector_free(&values);
    return status;
}
