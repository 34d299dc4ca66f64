/* Normal maps of materials. */
#include "core/scene/materials/materials.h"

#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/textures/textures.h"

/* The image file of tangent-space normals; its numbers are taken as they are. */
enum lb_status lb_build_normal_map(struct lb_builder *builder, const struct lb_parameters *parameters,
                                   const char *name, uint32_t *image, bool *given)
{
    const struct lb_encoding encoding = {"linear", lb_build_place(parameters, name), LB_IMAGE_NUMBERS};
    const char *path;
    enum lb_status status = lb_build_file(builder, parameters, name, &path);
    *given = status == LB_OK && path;
    if (!*given)
        return status;
    status = lb_build_image(builder, path, &encoding, image);
    if (status != LB_OK)
        return status;
    const lb_image *images = builder->arrays.images.data;
    if (images[*image].channels < 3)
        return lb_build_error(builder, encoding.location, "%s: a normal map needs red, green and blue", path);
    return LB_OK;
}
