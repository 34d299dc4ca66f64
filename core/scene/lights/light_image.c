/* The images of lights. */
#include "core/scene/builder/messages.h"
#include "core/scene/builder/spectra.h"
#include "core/scene/lights/lights.h"
#include "core/scene/textures/textures.h"

enum lb_status lb_build_light_image(struct lb_builder *builder, const char *path,
                                    const struct lb_location *location, bool grey, uint32_t *index)
{
    const struct lb_encoding encoding = {NULL, location, grey ? LB_IMAGE_NUMBERS : LB_IMAGE_LIGHT};
    enum lb_status status = LB_OK;
    if (!grey)
        status = lb_build_sigmoids(builder);
    if (status == LB_OK)
        status = lb_build_image(builder, path, &encoding, index);
    if (status != LB_OK)
        return status;
    const lb_image *image = (const lb_image *)builder->arrays.images.data + *index;
    if (image->channels < 3 && !grey)
        return lb_build_error(builder, location, "%s: the image of a light must have colours", path);
    if (image->texel != LB_TEXEL_FLOAT)
        return LB_OK;
    float *values = (float *)(void *)((char *)builder->arrays.texels.data + image->offset);
    size_t count = (size_t)image->width * image->height * image->channels;
    for (size_t i = 0; i < count; i++)
        values[i] = lb_max(values[i], 0.0f);
    return LB_OK;
}

lb_rgb lb_build_texel_rgb(const struct lb_builder *builder, const lb_image *image, uint32_t x, uint32_t y)
{
    float v[4];
    lb_build_texel(builder, image, x, y, v);
    return image->channels < 3 ? lb_rgb_grey(v[0]) : lb_rgb_make(v[0], v[1], v[2]);
}
