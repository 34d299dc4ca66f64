/* The point of a surface that a hit is: its position with error bounds, its normals and coordinates, and rays that
 * leave from there. */
#ifndef LB_CORE_KERNEL_SHAPES_SURFACE_H
#define LB_CORE_KERNEL_SHAPES_SURFACE_H

#include "core/kernel/shapes/alpha.h"
#include "core/kernel/scene/move.h"
#include "core/kernel/shapes/strand.h"
#include "core/kernel/scene/scene.h"

/* A point of a surface, in world space. */
typedef struct lb_surface {
    lb_vec3 position, error; /* no coordinate of `position` is wrong by more than that of `error` */
    /* Unit normals: the geometric one, and on the same side of the surface the one for shading. An emitter shines
     * towards the side of ng, which is also the outside of a media interface. */
    lb_vec3 ng, ns;
} lb_surface;

/* The shape that a ray has hit. The hit names it by its number in the geometry, as traversals do. */
LB_INLINE const lb_shape *lb_hit_shape(const lb_scene *scene, const lb_hit *hit)
{
    uint32_t number = hit->primitive.shape;
    if (hit->instance != LB_NONE)
        number += LB_ARRAY(scene, instances, lb_instance)[hit->instance].shape_shift;
    return LB_ARRAY(scene, shapes, lb_shape) + number;
}

/* The most by which n roundings make a product or sum wrong, relatively (Higham). */
#define LB_ROUNDING(n) ((n)*0x1p-24f / (1.0f - (n)*0x1p-24f))

LB_INLINE lb_vec3 lb_vec3_abs(lb_vec3 v)
{
    return lb_vec3_make(lb_abs(v.x), lb_abs(v.y), lb_abs(v.z));
}

/* v through a transform whose elements are replaced by their absolute values; `translation` is 1 where it shall count,
 * else 0. */
LB_INLINE lb_vec3 lb_transform_size(const lb_transform *t, lb_vec3 v, float translation)
{
    return lb_vec3_make(lb_abs(t->m[0][0]) * v.x + lb_abs(t->m[0][1]) * v.y + lb_abs(t->m[0][2]) * v.z +
                            translation * lb_abs(t->m[0][3]),
                        lb_abs(t->m[1][0]) * v.x + lb_abs(t->m[1][1]) * v.y + lb_abs(t->m[1][2]) * v.z +
                            translation * lb_abs(t->m[1][3]),
                        lb_abs(t->m[2][0]) * v.x + lb_abs(t->m[2][1]) * v.y + lb_abs(t->m[2][2]) * v.z +
                            translation * lb_abs(t->m[2][3]));
}

/* Takes a point with its error through a transform. The error grows by the roundings on the way out, and by those with
 * which a traversal will take a ray that starts there back in through the inverse. */
LB_FUNCTION void lb_surface_transform(const lb_transform *t, const lb_transform *inverse, lb_vec3 *position,
                                      lb_vec3 *error)
{
    lb_vec3 out = lb_transform_size(t, lb_vec3_abs(*position), 1.0f);
    lb_vec3 moved = lb_transform_point(t, *position);
    lb_vec3 back = lb_transform_size(inverse, lb_vec3_abs(moved), 1.0f);
    lb_vec3 grown = lb_add(lb_scale(*error, 1.0f + LB_ROUNDING(3)), lb_scale(back, LB_ROUNDING(3)));
    *error = lb_add(lb_transform_size(t, grown, 0.0f), lb_scale(out, LB_ROUNDING(3)));
    *position = moved;
}

/* ---- meshes ---- */

/* The corners of a triangle: their numbers in the mesh, and their positions. */
typedef struct lb_corners {
    uint32_t index[3];
    lb_vec3 p[3];
} lb_corners;

LB_INLINE lb_corners lb_mesh_corners(const lb_scene *scene, const lb_shape *shape, uint32_t primitive)
{
    const uint32_t *index = LB_ARRAY(scene, indices, uint32_t) + shape->first_index + 3 * (uint64_t)primitive;
    const lb_vec3 *position = LB_ARRAY(scene, positions, lb_vec3) + shape->first_position;
    lb_corners corners;
    for (uint32_t i = 0; i < 3; i++) {
        corners.index[i] = index[i];
        corners.p[i] = position[index[i]];
    }
    return corners;
}

/* The vector at barycentric weights between those of the corners, of any length. */
LB_INLINE lb_vec3 lb_mesh_interpolate(const lb_vec3 *vectors, const uint32_t index[3], float b1, float b2)
{
    return lb_add(lb_add(lb_scale(vectors[index[0]], 1.0f - b1 - b2), lb_scale(vectors[index[1]], b1)),
                  lb_scale(vectors[index[2]], b2));
}

/* Is the geometric normal opposite to what the winding says? */
LB_INLINE bool lb_shape_flips(const lb_shape *shape)
{
    return ((shape->flags & LB_SHAPE_REVERSED) != 0) != ((shape->flags & LB_SHAPE_SWAPS) != 0);
}

/* The geometric normal by the winding in the space of the object; its length is twice the triangle's area. `*ns` is the
 * normal interpolated from the file's ones, of any length, whose side then decides that of both. Without such normals
 * both are the same. */
LB_OFTEN lb_vec3 lb_mesh_normals(const lb_scene *scene, const lb_shape *shape, const lb_corners *corners,
                                 float b1, float b2, lb_vec3 *ns)
{
    lb_vec3 ng = lb_cross(lb_sub(corners->p[1], corners->p[0]), lb_sub(corners->p[2], corners->p[0]));
    if (lb_shape_flips(shape))
        ng = lb_negate(ng);
    *ns = ng;
    if ((shape->flags & LB_SHAPE_HAS_NORMALS) == 0)
        return ng;
    const lb_vec3 *normals = LB_ARRAY(scene, normals, lb_vec3) + shape->first_normal;
    lb_vec3 n = lb_mesh_interpolate(normals, corners->index, b1, b2);
    if (!(lb_dot(n, n) > 0.0f))
        return ng;
    *ns = (shape->flags & LB_SHAPE_REVERSED) != 0 ? lb_negate(n) : n;
    return lb_face_forward(ng, *ns);
}

/* The point of a mesh that was hit, in the space of its geometry. */
LB_FUNCTION void lb_surface_mesh(const lb_scene *scene, const lb_shape *shape, const lb_hit *hit,
                                 lb_surface *surface)
{
    lb_corners corners = lb_mesh_corners(scene, shape, hit->primitive.primitive);
    lb_vec3 a = lb_scale(corners.p[0], 1.0f - hit->b1 - hit->b2);
    lb_vec3 b = lb_scale(corners.p[1], hit->b1);
    lb_vec3 c = lb_scale(corners.p[2], hit->b2);
    surface->position = lb_add(lb_add(a, b), c);
    surface->error = lb_scale(lb_add(lb_add(lb_vec3_abs(a), lb_vec3_abs(b)), lb_vec3_abs(c)), LB_ROUNDING(7));
    lb_vec3 ns;
    surface->ng = lb_normalize(lb_mesh_normals(scene, shape, &corners, hit->b1, hit->b2, &ns));
    surface->ns = (shape->flags & LB_SHAPE_HAS_NORMALS) != 0 ? lb_normalize(ns) : surface->ng;
}

/* ---- spheres, disks and cylinders ---- */

/* Origin and direction of a ray of world space in the space of the geometry that it hit. */
LB_INLINE void lb_hit_space(const lb_scene *scene, const lb_ray *ray, const lb_hit *hit, lb_vec3 *origin,
                            lb_vec3 *direction)
{
    *origin = ray->origin;
    *direction = ray->direction;
    if (hit->instance == LB_NONE)
        return;
    const lb_instance *instance = LB_ARRAY(scene, instances, lb_instance) + hit->instance;
    if (instance->move != 0) {
        lb_moved_ray moved = lb_move_into(scene, instance->move, ray->time, *origin, *direction);
        *origin = moved.origin;
        *direction = moved.direction;
        return;
    }
    *origin = lb_transform_point(&instance->object_from_world, *origin);
    *direction = lb_transform_vector(&instance->object_from_world, *direction);
}

/* Where a ray of world space hits a quadric: in the quadric's own space, moved exactly onto it. */
LB_FUNCTION lb_vec3 lb_quadric_point(const lb_scene *scene, const lb_shape *shape, const lb_ray *ray,
                                     const lb_hit *hit)
{
    lb_vec3 origin, direction;
    lb_hit_space(scene, ray, hit, &origin, &direction);
    origin = lb_transform_point(&shape->object_from_world, origin);
    direction = lb_transform_vector(&shape->object_from_world, direction);
    lb_vec3 point = lb_add_scaled(origin, direction, hit->t);
    if (shape->kind == LB_SHAPE_DISK) {
        point.z = shape->height;
        return point;
    }
    if (shape->kind == LB_SHAPE_CYLINDER) {
        float distance = lb_sqrt(point.x * point.x + point.y * point.y), scale = shape->radius / distance;
        return distance > 0.0f ? lb_vec3_make(point.x * scale, point.y * scale, point.z)
                               : lb_vec3_make(shape->radius, 0.0f, point.z);
    }
    float length = lb_length(point);
    return length > 0.0f ? lb_scale(point, shape->radius / length) : lb_vec3_make(shape->radius, 0.0f, 0.0f);
}

/* The point of a quadric, which is given in its own space, in the space of its geometry. */
LB_FUNCTION void lb_surface_quadric(const lb_shape *shape, lb_vec3 point, lb_surface *surface)
{
    bool disk = shape->kind == LB_SHAPE_DISK;
    lb_vec3 outward = lb_quadric_outward(shape, point);
    lb_vec3 n = lb_normalize(lb_transform_normal(&shape->object_from_world, outward));
    surface->ng = lb_shape_flips(shape) ? lb_negate(n) : n;
    surface->ns = surface->ng;
    surface->position = point;
    surface->error = disk ? lb_vec3_make(0.0f, 0.0f, 0.0f) : lb_scale(lb_vec3_abs(outward), LB_ROUNDING(5));
    lb_surface_transform(&shape->world_from_object, &shape->object_from_world, &surface->position,
                         &surface->error);
}

/* ---- curves ---- */

/* The frame where a ray of world space hits a curve, in the curve's own space. */
LB_SELDOM lb_strand_frame lb_strand_hit_frame(const lb_scene *scene, const lb_shape *shape, const lb_ray *ray,
                                              const lb_hit *hit)
{
    const lb_strand *curve = lb_strand_of(scene, shape, hit->primitive.primitive);
    lb_vec3 origin, direction;
    lb_strand_view view;
    lb_hit_space(scene, ray, hit, &origin, &direction);
    lb_strand_look(shape, curve, origin, direction, &view);
    return lb_strand_make_frame(scene, shape, hit->primitive.primitive, &view, hit->b1, hit->b2);
}

/* The point of a curve that was hit, in the space of its geometry. It is somewhere in the curve's thickness, which
 * therefore is its error, as in pbrt. */
LB_SELDOM void lb_surface_strand(const lb_scene *scene, const lb_shape *shape, const lb_ray *ray,
                                 const lb_hit *hit, lb_surface *surface)
{
    lb_strand_frame frame = lb_strand_hit_frame(scene, shape, ray, hit);
    lb_vec3 origin, direction;
    lb_vec3 n = lb_transform_normal(&shape->object_from_world, lb_cross(frame.dpdu, frame.dpdv));
    lb_hit_space(scene, ray, hit, &origin, &direction);
    surface->ng = lb_normalize(lb_shape_flips(shape) ? lb_negate(n) : n);
    surface->ns = surface->ng;
    surface->position = lb_add_scaled(origin, direction, hit->t);
    surface->error = lb_transform_size(&shape->world_from_object,
                                       lb_vec3_make(frame.width, frame.width, frame.width), 0.0f);
}

/* ---- all ---- */

/* Takes a point of a surface out of the space of its geometry, by a transform and its inverse. */
LB_INLINE void lb_surface_carry(const lb_transform *out, const lb_transform *in, lb_surface *surface)
{
    lb_surface_transform(out, in, &surface->position, &surface->error);
    surface->ng = lb_normalize(lb_transform_normal(in, surface->ng));
    surface->ns = lb_normalize(lb_transform_normal(in, surface->ns));
    surface->ns = lb_face_forward(surface->ns, surface->ng);
}

/* The same for a geometry that moves. */
LB_SELDOM void lb_surface_move(const lb_scene *scene, uint32_t move, float time, lb_surface *surface)
{
    lb_pose pose;
    lb_move_pose(scene, move, time, &pose);
    lb_surface_carry(&pose.out, &pose.in, surface);
}

/* Makes the point of the surface that `ray` hit, in world space. */
LB_FUNCTION void lb_surface_make(const lb_scene *scene, const lb_shape *shape, const lb_ray *ray,
                                 const lb_hit *hit, lb_surface *surface)
{
    if (shape->kind == LB_SHAPE_MESH)
        lb_surface_mesh(scene, shape, hit, surface);
    else if (shape->kind == LB_SHAPE_CURVES)
        lb_surface_strand(scene, shape, ray, hit, surface);
    else
        lb_surface_quadric(shape, lb_quadric_point(scene, shape, ray, hit), surface);
    if (hit->instance == LB_NONE)
        return;
    const lb_instance *instance = LB_ARRAY(scene, instances, lb_instance) + hit->instance;
    if (instance->move != 0)
        lb_surface_move(scene, instance->move, ray->time, surface);
    else
        lb_surface_carry(&instance->world_from_object, &instance->object_from_world, surface);
}

/* Takes a vector from the space of what moves to world space. */
LB_SELDOM lb_vec3 lb_surface_move_vector(const lb_scene *scene, uint32_t move, float time, lb_vec3 v)
{
    lb_pose pose;
    lb_move_pose(scene, move, time, &pose);
    return lb_transform_vector(&pose.out, v);
}

/* Takes a vector from the space of the geometry that `ray` hit to world space. */
LB_INLINE lb_vec3 lb_surface_vector(const lb_scene *scene, const lb_ray *ray, const lb_hit *hit, lb_vec3 v)
{
    if (hit->instance == LB_NONE)
        return v;
    const lb_instance *instance = LB_ARRAY(scene, instances, lb_instance) + hit->instance;
    if (instance->move != 0)
        return lb_surface_move_vector(scene, instance->move, ray->time, v);
    return lb_transform_vector(&instance->world_from_object, v);
}

/* The surface coordinates of the hit. */
LB_FUNCTION lb_vec2 lb_surface_uv(const lb_scene *scene, const lb_shape *shape, const lb_ray *ray,
                                  const lb_hit *hit)
{
    if (shape->kind == LB_SHAPE_MESH)
        return lb_mesh_uv(scene, shape, hit->primitive.primitive, hit->b1, hit->b2);
    if (shape->kind == LB_SHAPE_CURVES)
        return lb_vec2_make(hit->b1, hit->b2);
    return lb_quadric_uv(shape, lb_quadric_point(scene, shape, ray, hit));
}

/* The surface coordinates of a triangle's corners, those of the file or the default ones. */
LB_INLINE void lb_mesh_corner_uvs(const lb_scene *scene, const lb_shape *shape, const lb_corners *corners,
                                  lb_vec2 uv[3])
{
    uv[0] = lb_vec2_make(0.0f, 0.0f);
    uv[1] = lb_vec2_make(1.0f, 0.0f);
    uv[2] = lb_vec2_make(1.0f, 1.0f);
    if ((shape->flags & LB_SHAPE_HAS_UV) != 0)
        for (uint32_t i = 0; i < 3; i++)
            uv[i] = (LB_ARRAY(scene, uvs, lb_vec2) + shape->first_uv)[corners->index[i]];
}

/* Finds how a quantity changes along u and along v. d0 and d1 are its differences between a triangle's corners 0 and 2,
 * and between 1 and 2. False: the triangle's coordinates do not tell. */
LB_FUNCTION bool lb_mesh_solve(const lb_vec2 uv[3], lb_vec3 d0, lb_vec3 d1, lb_vec3 *along_u,
                               lb_vec3 *along_v)
{
    lb_vec2 a = lb_vec2_make(uv[0].x - uv[2].x, uv[0].y - uv[2].y);
    lb_vec2 b = lb_vec2_make(uv[1].x - uv[2].x, uv[1].y - uv[2].y);
    float determinant = a.x * b.y - a.y * b.x;
    if (!(lb_abs(determinant) >= 1e-9f))
        return false;
    *along_u = lb_scale(lb_sub(lb_scale(d0, b.y), lb_scale(d1, a.y)), 1.0f / determinant);
    *along_v = lb_scale(lb_sub(lb_scale(d1, a.x), lb_scale(d0, b.x)), 1.0f / determinant);
    return true;
}

/* How a triangle's position changes with u; zero where its coordinates do not tell. */
LB_FUNCTION lb_vec3 lb_mesh_dpdu(const lb_scene *scene, const lb_shape *shape, const lb_corners *corners)
{
    lb_vec2 uv[3];
    lb_vec3 dpdu, dpdv;
    lb_mesh_corner_uvs(scene, shape, corners, uv);
    if (!lb_mesh_solve(uv, lb_sub(corners->p[0], corners->p[2]), lb_sub(corners->p[1], corners->p[2]), &dpdu,
                       &dpdv))
        return lb_vec3_make(0.0f, 0.0f, 0.0f);
    return dpdu;
}

/* The direction in which u grows, in world space, of any length; zero where there is none. */
LB_FUNCTION lb_vec3 lb_surface_dpdu(const lb_scene *scene, const lb_shape *shape, const lb_ray *ray,
                                    const lb_hit *hit)
{
    lb_vec3 tangent;
    if (shape->kind == LB_SHAPE_CURVES) {
        tangent =
            lb_transform_vector(&shape->world_from_object, lb_strand_hit_frame(scene, shape, ray, hit).dpdu);
    } else if (shape->kind != LB_SHAPE_MESH) {
        lb_vec3 point = lb_quadric_point(scene, shape, ray, hit);
        tangent = lb_transform_vector(&shape->world_from_object, lb_vec3_make(-point.y, point.x, 0.0f));
    } else {
        lb_corners corners = lb_mesh_corners(scene, shape, hit->primitive.primitive);
        if ((shape->flags & LB_SHAPE_HAS_TANGENTS) != 0)
            tangent = lb_mesh_interpolate(LB_ARRAY(scene, tangents, lb_vec3) + shape->first_tangent,
                                          corners.index, hit->b1, hit->b2);
        else
            tangent = lb_mesh_dpdu(scene, shape, &corners);
    }
    return lb_surface_vector(scene, ray, hit, tangent);
}

/* position + offset, and at least one float further in the direction of `towards`, as the offset may be 0 or too small
 * to matter. */
LB_INLINE float lb_nudge(float position, float offset, float towards)
{
    return (position + offset) + lb_copysign(lb_abs(position) * 0x1p-22f + 0x1p-126f, towards);
}

/* Gives `ray` this direction, and an origin from which it does not meet the surface that it leaves: beyond the error
 * bounds of the position, along the geometric normal (Pharr, Jakob, Humphreys, 4th ed., 6.8.6). A triangle is also
 * excluded by its number, because the error of its own test grows with its size. */
LB_FUNCTION void lb_surface_leave(const lb_shape *shape, const lb_surface *surface, const lb_hit *hit,
                                  lb_vec3 direction, lb_ray *ray)
{
    lb_vec3 side = lb_dot(direction, surface->ng) < 0.0f ? lb_negate(surface->ng) : surface->ng;
    lb_vec3 offset = lb_scale(side, lb_dot(lb_vec3_abs(side), surface->error));
    ray->origin.x = lb_nudge(surface->position.x, offset.x, side.x);
    ray->origin.y = lb_nudge(surface->position.y, offset.y, side.y);
    ray->origin.z = lb_nudge(surface->position.z, offset.z, side.z);
    ray->direction = direction;
    ray->from = shape->kind == LB_SHAPE_MESH ? shape->first_primitive + hit->primitive.primitive + 1 : 0;
    ray->from_instance = hit->instance;
}

/* The medium of a ray that leaves the surface in this direction after it came in `medium`. */
LB_INLINE uint32_t lb_surface_medium(const lb_shape *shape, const lb_surface *surface, lb_vec3 direction,
                                     uint32_t medium)
{
    if (shape->has_media_interface == 0)
        return medium;
    return lb_dot(direction, surface->ng) > 0.0f ? shape->medium_outside : shape->medium_inside;
}

#endif
