/* Spheres, disks and cylinders, whole and partial, as pbrt defines them. The ray is taken into the shape's own space
 * and the equation solved in double, so that large spheres and far rays stay precise. */
#ifndef LB_CORE_KERNEL_SHAPES_QUADRIC_H
#define LB_CORE_KERNEL_SHAPES_QUADRIC_H

#include "core/kernel/shapes/box.h"
#include "core/kernel/shapes/quadric_uv.h"

/* Where a ray crosses a quadric: the crossings with t >= 0 that clipping leaves, in their order. */
typedef struct lb_quadric_crossings {
    uint32_t count;
    float t[2];
    lb_vec3 point[2]; /* in the shape's own space */
} lb_quadric_crossings;

/* A ray in the shape's own space. */
typedef struct lb_quadric_ray {
    double o[3], d[3]; /* in the shape's own space */
} lb_quadric_ray;

/* The shape's box in the space of its geometry, grown: its own box in the sense of rule 2
 * (core/kernel/tree/intersect.h). */
LB_FUNCTION lb_box lb_quadric_box(const lb_shape *shape)
{
    lb_box box;
    float r = shape->radius;
    box.lower[0] = box.lower[1] = -r;
    box.upper[0] = box.upper[1] = r;
    box.lower[2] = shape->kind == LB_SHAPE_DISK ? shape->height : lb_max(shape->z_min, -r);
    box.upper[2] = shape->kind == LB_SHAPE_DISK ? shape->height : lb_min(shape->z_max, r);
    if (shape->kind == LB_SHAPE_CYLINDER) {
        box.lower[2] = shape->z_min;
        box.upper[2] = shape->z_max;
    }
    if (box.lower[2] > box.upper[2])
        return lb_box_empty();
    return lb_box_transform(&shape->world_from_object, &box);
}

/* Adds the crossing at t, unless the clipping takes it away. */
LB_FUNCTION void lb_quadric_add(lb_quadric_crossings *crossings, const lb_shape *shape,
                                const lb_quadric_ray *ray, double t)
{
    double x = ray->o[0] + t * ray->d[0], y = ray->o[1] + t * ray->d[1], z = ray->o[2] + t * ray->d[2];
    uint32_t n = crossings->count;
    if (!(t >= 0.0 && t <= (double)LB_FLOAT_MAX))
        return;
    if (shape->kind == LB_SHAPE_SPHERE) {
        if ((shape->z_min > -shape->radius && z < (double)shape->z_min) ||
            (shape->z_max < shape->radius && z > (double)shape->z_max))
            return;
    } else if (shape->kind == LB_SHAPE_CYLINDER) {
        if (z < (double)shape->z_min || z > (double)shape->z_max)
            return;
    } else {
        double square = x * x + y * y, inner = (double)shape->inner_radius;
        if (square > (double)shape->radius * (double)shape->radius || square < inner * inner)
            return;
        z = (double)shape->height;
    }
    crossings->point[n] = lb_vec3_make((float)x, (float)y, (float)z);
    if (shape->phi_max < 2.0f * LB_PI && lb_quadric_phi(crossings->point[n]) > shape->phi_max)
        return;
    crossings->t[n] = (float)t;
    crossings->count = n + 1;
}

/* Adds the crossings with a round shape. `across` is the part of the ray by which the distance is measured that must be
 * the radius: to the centre of a sphere, or to the z axis. */
LB_FUNCTION void lb_quadric_cross_round(const lb_shape *shape, const lb_quadric_ray *ray,
                                        const lb_quadric_ray *across, lb_quadric_crossings *crossings)
{
    const double *o = across->o, *d = across->d;
    double r = (double)shape->radius;
    double a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    double b = o[0] * d[0] + o[1] * d[1] + o[2] * d[2];
    double c = o[0] * o[0] + o[1] * o[1] + o[2] * o[2] - r * r;
    double square = b * b - a * c, q, t0, t1;
    if (!(square >= 0.0) || !(a > 0.0))
        return;
    q = b < 0.0 ? lb_sqrt_d(square) - b : -(lb_sqrt_d(square) + b);
    t0 = q / a;
    t1 = q != 0.0 ? c / q : t0;
    lb_quadric_add(crossings, shape, ray, t0 < t1 ? t0 : t1);
    lb_quadric_add(crossings, shape, ray, t0 < t1 ? t1 : t0);
}

LB_FUNCTION void lb_quadric_cross_cylinder(const lb_shape *shape, const lb_quadric_ray *ray,
                                           lb_quadric_crossings *crossings)
{
    lb_quadric_ray across = *ray;
    across.o[2] = across.d[2] = 0.0;
    lb_quadric_cross_round(shape, ray, &across, crossings);
}

/* Finds the crossings of a ray, which is in the space of the geometry. Returns their number, 0 to 2. */
LB_FUNCTION uint32_t lb_quadric_cross(const lb_shape *shape, const lb_vec3 origin, const lb_vec3 direction,
                                      lb_quadric_crossings *crossings)
{
    const lb_transform *m = &shape->object_from_world;
    lb_quadric_ray ray;
    uint32_t r;
    crossings->count = 0;
    for (r = 0; r < 3; r++) {
        const float *row = m->m[r];
        ray.o[r] = (double)row[0] * (double)origin.x + (double)row[1] * (double)origin.y +
                   (double)row[2] * (double)origin.z + (double)row[3];
        ray.d[r] = (double)row[0] * (double)direction.x + (double)row[1] * (double)direction.y +
                   (double)row[2] * (double)direction.z;
    }
    if (shape->kind == LB_SHAPE_SPHERE)
        lb_quadric_cross_round(shape, &ray, &ray, crossings);
    else if (shape->kind == LB_SHAPE_CYLINDER)
        lb_quadric_cross_cylinder(shape, &ray, crossings);
    else if (ray.d[2] != 0.0)
        lb_quadric_add(crossings, shape, &ray, ((double)shape->height - ray.o[2]) / ray.d[2]);
    return crossings->count;
}

#endif
