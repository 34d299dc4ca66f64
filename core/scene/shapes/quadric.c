/* Spheres, disks and cylinders. */
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/shapes/shapes.h"

#include "core/kernel/shapes/quadric.h"

static enum lb_status build_size(const struct lb_builder *builder, const struct lb_shape_entity *entity,
                                 lb_shape *shape)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    float phi;
    enum lb_status status;
    if ((status = lb_build_float(builder, parameters, "radius", 1.0f, 1e-30f, 1e18f, &shape->radius)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "phimax", 360.0f, -1e30f, 1e30f, &phi)) != LB_OK)
        return status;
    shape->phi_max = lb_clamp(phi, 0.0f, 360.0f) * (LB_PI / 180.0f);
    shape->primitive_count = 1;
    return LB_OK;
}

/* Nothing of it is left: it is dropped. */
static enum lb_status drop(const struct lb_builder *builder, const struct lb_shape_entity *entity,
                           lb_shape *shape)
{
    lb_build_warn(builder, &entity->entity.parameters.location, "the shape has no area: it is left out");
    shape->primitive_count = 0;
    return LB_OK;
}

static enum lb_status reach(struct lb_builder *builder, const struct lb_shape_entity *entity,
                            const lb_shape *shape)
{
    lb_box box = lb_quadric_box(shape);
    return lb_build_reach(builder, &entity->entity.parameters.location, &box);
}

enum lb_status lb_build_sphere(struct lb_builder *builder, const struct lb_shape_entity *entity,
                               lb_shape *shape)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    const float most = 1e30f;
    float low, high;
    enum lb_status status = build_size(builder, entity, shape);
    shape->kind = LB_SHAPE_SPHERE;
    if (status != LB_OK ||
        (status = lb_build_float(builder, parameters, "zmin", -shape->radius, -most, most, &low)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "zmax", shape->radius, -most, most, &high)) != LB_OK)
        return status;
    shape->z_min = lb_clamp(lb_min(low, high), -shape->radius, shape->radius);
    shape->z_max = lb_clamp(lb_max(low, high), -shape->radius, shape->radius);
    return shape->z_min < shape->z_max && shape->phi_max > 0.0f ? reach(builder, entity, shape)
                                                                : drop(builder, entity, shape);
}

enum lb_status lb_build_cylinder(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                 lb_shape *shape)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    const float most = 1e18f;
    float low, high;
    enum lb_status status = build_size(builder, entity, shape);
    shape->kind = LB_SHAPE_CYLINDER;
    if (status != LB_OK ||
        (status = lb_build_float(builder, parameters, "zmin", -1.0f, -most, most, &low)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "zmax", 1.0f, -most, most, &high)) != LB_OK)
        return status;
    shape->z_min = lb_min(low, high);
    shape->z_max = lb_max(low, high);
    return shape->z_min < shape->z_max && shape->phi_max > 0.0f ? reach(builder, entity, shape)
                                                                : drop(builder, entity, shape);
}

enum lb_status lb_build_disk(struct lb_builder *builder, const struct lb_shape_entity *entity,
                             lb_shape *shape)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    enum lb_status status = build_size(builder, entity, shape);
    shape->kind = LB_SHAPE_DISK;
    if (status != LB_OK ||
        (status = lb_build_float(builder, parameters, "height", 0.0f, -1e30f, 1e30f, &shape->height)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "innerradius", 0.0f, 0.0f, 1e30f,
                                 &shape->inner_radius)) != LB_OK)
        return status;
    return shape->inner_radius < shape->radius && shape->phi_max > 0.0f ? reach(builder, entity, shape)
                                                                        : drop(builder, entity, shape);
}
