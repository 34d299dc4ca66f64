/* Draws points of triangles, spheres, disks and cylinders that emit light, as seen from another point. */
#ifndef LB_CORE_KERNEL_LIGHTS_LIGHT_SHAPE_H
#define LB_CORE_KERNEL_LIGHTS_LIGHT_SHAPE_H

#include "core/kernel/lights/light_triangle.h"
#include "core/kernel/sampling.h"

/* A point of an emitter, as seen from another point. */
typedef struct lb_emitter_sample {
    lb_vec3 direction; /* of unit length, towards it */
    float distance;
    lb_vec3 ng;   /* the emitter's geometric normal there */
    float b1, b2; /* barycentric weights in a triangle; `point` is that of a quadric in its own space */
    lb_vec3 point;
    float pdf; /* by solid angle; 0: there is no such point */
} lb_emitter_sample;

/* Sets direction, distance and pdf for the point p, which was drawn with a density by area of `density` over the length
 * of ng. */
LB_FUNCTION void lb_emitter_by_area(lb_vec3 from, lb_vec3 p, float density, lb_emitter_sample *sample)
{
    lb_vec3 way = lb_sub(p, from);
    float square = lb_dot(way, way);
    sample->pdf = 0.0f;
    if (!(square > 0.0f))
        return;
    sample->distance = lb_sqrt(square);
    sample->direction = lb_scale(way, 1.0f / sample->distance);
    float cosine = lb_abs(lb_dot(sample->ng, sample->direction));
    if (cosine > 0.0f)
        sample->pdf = density * square / cosine;
}

/* ---- triangles ---- */

/* Is the light's triangle so near that points on it are drawn by direction? */
LB_INLINE bool lb_triangle_is_near(const lb_light *light, lb_vec3 from)
{
    lb_vec3 way = lb_sub(light->position, from);
    return lb_dot(way, way) < light->near_square;
}

/* Is the point behind the light's triangle? False where it is not known which side that is. */
LB_INLINE bool lb_triangle_shows_back(const lb_light *light, lb_vec3 from)
{
    const lb_vec3 *p = light->corners;
    lb_vec3 cross = lb_cross(lb_sub(p[1], p[0]), lb_sub(p[2], p[0]));
    return lb_dot(cross, lb_sub(p[0], from)) * light->facing > 0.0f;
}

/* Draws a point of a near triangle of three corners by direction, where rounding allows that: sets its barycentric
 * weights and returns the solid angle. 0: it is to be drawn by area. */
LB_SELDOM float lb_triangle_draw_near(const lb_vec3 *corners, lb_vec3 from, lb_vec2 u, float *b1, float *b2)
{
    lb_seen_triangle seen;
    lb_triangle_see(corners, from, &seen);
    if (seen.solid_angle > 0.0f)
        lb_triangle_weights(&seen, lb_triangle_direction(&seen, u), b1, b2);
    return seen.solid_angle;
}

/* The normal of an area light's triangle at these barycentric weights, where the shape must be asked; twice as long as
 * the triangle's area is large. */
LB_SELDOM lb_vec3 lb_triangle_normal(const lb_scene *scene, const lb_light *light, float b1, float b2)
{
    const lb_shape *shape = LB_ARRAY(scene, shapes, lb_shape) + light->primitive.shape;
    lb_corners corners = lb_mesh_corners(scene, shape, light->primitive.primitive);
    lb_vec3 ns;
    return lb_mesh_normals(scene, shape, &corners, b1, b2, &ns);
}

/* Draws a point of an area light's triangle: by direction where it is near, else by area. */
LB_FUNCTION void lb_triangle_sample(const lb_scene *scene, const lb_light *light, lb_vec3 from, lb_vec2 u,
                                    lb_emitter_sample *sample)
{
    const lb_vec3 *p = light->corners;
    lb_vec3 e1 = lb_sub(p[1], p[0]), e2 = lb_sub(p[2], p[0]);
    float root = lb_sqrt(u.x), b1 = root * (1.0f - u.y), b2 = root * u.y, solid_angle = 0.0f;
    if (lb_triangle_is_near(light, from))
        solid_angle = lb_triangle_draw_near(p, from, u, &b1, &b2);
    sample->b1 = b1;
    sample->b2 = b2;
    sample->ng = light->facing != 0.0f ? lb_scale(lb_cross(e1, e2), light->facing)
                                       : lb_triangle_normal(scene, light, b1, b2);
    /* By area the density is 2 over the length of ng, which is twice the triangle's area. */
    lb_emitter_by_area(from, lb_add_scaled(lb_add_scaled(p[0], e1, b1), e2, b2), 2.0f, sample);
    if (solid_angle > 0.0f && sample->pdf > 0.0f)
        sample->pdf = 1.0f / solid_angle;
}

/* The solid angle from which lb_triangle_sample draws directions of a near triangle, or 0 where it draws by area. */
LB_SELDOM float lb_triangle_angle_near(const lb_light *light, lb_vec3 from)
{
    lb_seen_triangle seen;
    lb_triangle_see(light->corners, from, &seen);
    return seen.solid_angle;
}

/* The density by solid angle with which lb_triangle_sample draws a point at this distance in this direction. */
LB_FUNCTION float lb_triangle_pdf(const lb_light *light, lb_vec3 from, float distance, lb_vec3 direction)
{
    const lb_vec3 *p = light->corners;
    float solid_angle = lb_triangle_is_near(light, from) ? lb_triangle_angle_near(light, from) : 0.0f;
    if (solid_angle > 0.0f)
        return 1.0f / solid_angle;
    lb_vec3 ng = lb_cross(lb_sub(p[1], p[0]), lb_sub(p[2], p[0]));
    return 2.0f * distance * distance / lb_abs(lb_dot(ng, direction));
}

/* ---- spheres, disks and cylinders ---- */

/* How much larger a small area with this normal is in world space than in the shape's own. */
LB_FUNCTION float lb_quadric_stretch(const lb_shape *shape, lb_vec3 normal)
{
    const lb_transform *m = &shape->world_from_object;
    lb_vec3 x = lb_vec3_make(m->m[0][0], m->m[1][0], m->m[2][0]);
    lb_vec3 y = lb_vec3_make(m->m[0][1], m->m[1][1], m->m[2][1]);
    lb_vec3 z = lb_vec3_make(m->m[0][2], m->m[1][2], m->m[2][2]);
    float volume = lb_abs(lb_dot(lb_cross(x, y), z));
    return volume * lb_length(lb_transform_normal(&shape->object_from_world, normal));
}

/* The area of a sphere, disk or cylinder in its own space. */
LB_FUNCTION float lb_quadric_area(const lb_shape *shape)
{
    if (shape->kind == LB_SHAPE_DISK)
        return 0.5f * shape->phi_max *
               (shape->radius * shape->radius - shape->inner_radius * shape->inner_radius);
    return shape->phi_max * shape->radius * (shape->z_max - shape->z_min);
}

/* The unit normal at a point of the shape, in the shape's own space. */
LB_INLINE lb_vec3 lb_quadric_normal(const lb_shape *shape, lb_vec3 point)
{
    lb_vec3 outward = lb_quadric_outward(shape, point);
    return shape->kind == LB_SHAPE_DISK ? outward : lb_scale(outward, 1.0f / shape->radius);
}

/* Draws a point of a sphere, disk or cylinder in its own space, uniformly by area there. */
LB_FUNCTION lb_vec3 lb_quadric_sample_point(const lb_shape *shape, lb_vec2 u)
{
    float s, c, radius, z;
    lb_sincos(u.y * shape->phi_max, &s, &c);
    if (shape->kind == LB_SHAPE_DISK) {
        float inner = shape->inner_radius * shape->inner_radius;
        radius = lb_sqrt(inner + u.x * (shape->radius * shape->radius - inner));
        z = shape->height;
    } else {
        z = shape->z_min + u.x * (shape->z_max - shape->z_min);
        radius = lb_sqrt(lb_max(0.0f, shape->radius * shape->radius - z * z));
        if (shape->kind == LB_SHAPE_CYLINDER)
            radius = shape->radius;
    }
    return lb_vec3_make(radius * c, radius * s, z);
}

/* Is the shape a whole sphere, in world space too? Then it sets its centre and radius there. */
LB_FUNCTION bool lb_quadric_ball(const lb_shape *shape, lb_vec3 *center, float *radius)
{
    const lb_transform *m = &shape->world_from_object;
    if (shape->kind != LB_SHAPE_SPHERE || shape->phi_max < 2.0f * LB_PI || shape->z_min > -shape->radius ||
        shape->z_max < shape->radius)
        return false;
    lb_vec3 x = lb_vec3_make(m->m[0][0], m->m[1][0], m->m[2][0]);
    lb_vec3 y = lb_vec3_make(m->m[0][1], m->m[1][1], m->m[2][1]);
    lb_vec3 z = lb_vec3_make(m->m[0][2], m->m[1][2], m->m[2][2]);
    float xx = lb_dot(x, x), slack = 1e-4f * xx;
    if (lb_abs(lb_dot(y, y) - xx) > slack || lb_abs(lb_dot(z, z) - xx) > slack ||
        lb_abs(lb_dot(x, y)) > slack || lb_abs(lb_dot(x, z)) > slack || lb_abs(lb_dot(y, z)) > slack)
        return false;
    *center = lb_vec3_make(m->m[0][3], m->m[1][3], m->m[2][3]);
    *radius = shape->radius * lb_sqrt(xx);
    return true;
}

/* The cone in which a ball is seen: 1 - cosine of its half angle. 0: the point lies inside the ball, or close to it. */
LB_FUNCTION float lb_ball_cone(lb_vec3 from, lb_vec3 center, float radius)
{
    lb_vec3 way = lb_sub(center, from);
    float sine2 = radius * radius / lb_dot(way, way);
    if (!(sine2 < 0.999999f))
        return 0.0f;
    return sine2 / (1.0f + lb_sqrt(1.0f - sine2));
}

/* Draws a point of a ball by a direction that is uniform in the cone. */
LB_FUNCTION void lb_ball_sample(const lb_shape *shape, lb_vec3 from, lb_vec3 center, float radius, float cone,
                                lb_vec2 u, lb_emitter_sample *sample)
{
    lb_vec3 way = lb_sub(center, from), s, t;
    float distance = lb_length(way);
    lb_vec3 axis = lb_scale(way, 1.0f / distance);
    lb_basis(axis, &s, &t);
    float below = u.x * cone; /* 1 - cosine of the angle to the axis */
    float sine2 = below * (2.0f - below), sine = lb_sqrt(sine2), cosine = 1.0f - below, sine_phi, cosine_phi;
    lb_sincos_turn(u.y, &sine_phi, &cosine_phi);
    sample->direction =
        lb_add(lb_add(lb_scale(s, sine * cosine_phi), lb_scale(t, sine * sine_phi)), lb_scale(axis, cosine));
    float depth = lb_sqrt(lb_max(0.0f, radius * radius - distance * distance * sine2));
    sample->distance = distance * cosine - depth;
    lb_vec3 p = lb_add_scaled(from, sample->direction, sample->distance);
    lb_vec3 n = lb_normalize(lb_sub(p, center));
    sample->ng = lb_shape_flips(shape) ? lb_negate(n) : n;
    sample->point = lb_transform_point(&shape->object_from_world, p);
    sample->pdf = LB_1_PI / (2.0f * cone);
}

LB_FUNCTION void lb_quadric_sample(const lb_shape *shape, lb_vec3 from, lb_vec2 u, lb_emitter_sample *sample)
{
    lb_vec3 center;
    float radius;
    if (lb_quadric_ball(shape, &center, &radius)) {
        float cone = lb_ball_cone(from, center, radius);
        if (cone > 0.0f) {
            lb_ball_sample(shape, from, center, radius, cone, u, sample);
            return;
        }
    }
    lb_vec3 point = lb_quadric_sample_point(shape, u), normal = lb_quadric_normal(shape, point);
    lb_vec3 n = lb_normalize(lb_transform_normal(&shape->object_from_world, normal));
    sample->ng = lb_shape_flips(shape) ? lb_negate(n) : n;
    sample->point = point;
    lb_emitter_by_area(from, lb_transform_point(&shape->world_from_object, point),
                       1.0f / (lb_quadric_area(shape) * lb_quadric_stretch(shape, normal)), sample);
}

/* The density by solid angle with which lb_quadric_sample draws the point p of world space from `from`; it is seen at
 * this distance, and at this cosine to its normal. */
LB_FUNCTION float lb_quadric_pdf(const lb_shape *shape, lb_vec3 from, lb_vec3 p, float distance, float cosine)
{
    lb_vec3 center;
    float radius;
    if (lb_quadric_ball(shape, &center, &radius)) {
        float cone = lb_ball_cone(from, center, radius);
        if (cone > 0.0f)
            return LB_1_PI / (2.0f * cone);
    }
    lb_vec3 normal = lb_quadric_normal(shape, lb_transform_point(&shape->object_from_world, p));
    return distance * distance / (lb_quadric_area(shape) * lb_quadric_stretch(shape, normal) * cosine);
}

#endif
