/* Where on a texture a point of a surface is. */
#include "core/scene/textures/textures.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/transforms.h"

#include <string.h>

enum lb_status lb_build_texture_space(const struct lb_builder *builder,
                                      const struct lb_texture_entity *entity, lb_texture *texture)
{
    return lb_build_transform(builder, entity->world_from_texture, &entity->entity.parameters.location, NULL,
                              &texture->texture_from_world);
}

enum lb_status lb_build_texture_vector(const struct lb_builder *builder,
                                       const struct lb_parameters *parameters, const char *name,
                                       lb_vec3 fallback, lb_vec3 *value)
{
    const float standard[3] = {fallback.x, fallback.y, fallback.z};
    float v[3];
    enum lb_status status =
        lb_parameters_triple(parameters, name, LB_PARAMETER_VECTOR3, standard, v, builder->error);
    if (status != LB_OK)
        return status;
    *value = lb_vec3_make(v[0], v[1], v[2]);
    return LB_OK;
}

static enum lb_status build_uv_mapping(const struct lb_builder *builder,
                                       const struct lb_texture_entity *entity, lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    const float most = 1e30f;
    enum lb_status status;
    if ((status = lb_build_float(builder, parameters, "uscale", 1.0f, -most, most, &texture->su)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "vscale", 1.0f, -most, most, &texture->sv)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "udelta", 0.0f, -most, most, &texture->du)) != LB_OK)
        return status;
    return lb_build_float(builder, parameters, "vdelta", 0.0f, -most, most, &texture->dv);
}

static enum lb_status build_planar_mapping(const struct lb_builder *builder,
                                           const struct lb_texture_entity *entity, lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    const lb_vec3 x = lb_vec3_make(1.0f, 0.0f, 0.0f), y = lb_vec3_make(0.0f, 1.0f, 0.0f);
    const float most = 1e30f;
    enum lb_status status;
    if ((status = lb_build_texture_vector(builder, parameters, "v1", x, &texture->s_axis)) != LB_OK ||
        (status = lb_build_texture_vector(builder, parameters, "v2", y, &texture->t_axis)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "udelta", 0.0f, -most, most, &texture->du)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "vdelta", 0.0f, -most, most, &texture->dv)) != LB_OK)
        return status;
    return lb_build_texture_space(builder, entity, texture);
}

struct mapping_kind {
    const char *name;
    uint32_t mapping;
    enum lb_status (*build)(const struct lb_builder *builder, const struct lb_texture_entity *entity,
                            lb_texture *texture);
};

static const struct mapping_kind mappings[] = {
    {"uv", LB_MAPPING_UV, build_uv_mapping},
    {"spherical", LB_MAPPING_SPHERICAL, lb_build_texture_space},
    {"cylindrical", LB_MAPPING_CYLINDRICAL, lb_build_texture_space},
    {"planar", LB_MAPPING_PLANAR, build_planar_mapping},
    {"uv1", LB_MAPPING_SECOND_UV, build_uv_mapping},
};

enum lb_status lb_build_mapping(const struct lb_builder *builder, const struct lb_texture_entity *entity,
                                lb_texture *texture)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    static const char *const other[] = {"uscale", "vscale", "udelta", "vdelta", "v1", "v2"};
    const char *name;
    enum lb_status status = lb_parameters_string(parameters, "mapping", "uv", &name, builder->error);
    if (status != LB_OK)
        return status;
    /* Those of other mappings are left alone. */
    lb_build_ignore(&entity->entity, other, sizeof other / sizeof other[0]);
    const struct mapping_kind *kind = lb_build_row(name, LB_ROWS(mappings));
    if (!kind)
        return lb_build_unknown(builder, lb_build_place(parameters, "mapping"), "mapping", name,
                                LB_ROWS(mappings));
    texture->mapping = kind->mapping;
    return kind->build(builder, entity, texture);
}
