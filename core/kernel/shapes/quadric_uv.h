/* Surface coordinates and normals of spheres, disks and cylinders, in the shape's own space. */
#ifndef LB_CORE_KERNEL_SHAPES_QUADRIC_UV_H
#define LB_CORE_KERNEL_SHAPES_QUADRIC_UV_H

#include "core/kernel/scene/scene.h"

/* The angle of a point about the z axis, in [0, 2 pi). */
LB_INLINE float lb_quadric_phi(lb_vec3 point)
{
    float phi = lb_atan2(point.y, point.x);
    return phi < 0.0f ? phi + 2.0f * LB_PI : phi;
}

/* The normal at a point of the shape, of any length but 0: outwards, or along +z for a disk. */
LB_INLINE lb_vec3 lb_quadric_outward(const lb_shape *shape, lb_vec3 point)
{
    if (shape->kind == LB_SHAPE_DISK)
        return lb_vec3_make(0.0f, 0.0f, 1.0f);
    if (shape->kind == LB_SHAPE_CYLINDER)
        point.z = 0.0f;
    return point;
}

/* The surface coordinates of a point. u runs with phi; v runs with the angle from z_min to z_max on a sphere, with the
 * height on a cylinder, and from the rim inwards on a disk. */
LB_FUNCTION lb_vec2 lb_quadric_uv(const lb_shape *shape, lb_vec3 point)
{
    lb_vec2 uv;
    uv.x = lb_quadric_phi(point) / shape->phi_max;
    if (shape->kind == LB_SHAPE_DISK) {
        float distance = lb_sqrt(point.x * point.x + point.y * point.y);
        uv.y = (shape->radius - distance) / (shape->radius - shape->inner_radius);
    } else if (shape->kind == LB_SHAPE_CYLINDER) {
        uv.y = (point.z - shape->z_min) / (shape->z_max - shape->z_min);
    } else {
        float theta = lb_acos(lb_clamp(point.z / shape->radius, -1.0f, 1.0f));
        float bottom = lb_acos(lb_clamp(shape->z_min / shape->radius, -1.0f, 1.0f));
        float top = lb_acos(lb_clamp(shape->z_max / shape->radius, -1.0f, 1.0f));
        uv.y = (bottom - theta) / (bottom - top);
    }
    return uv;
}

#endif
