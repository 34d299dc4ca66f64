/* Turns the shading normal of a surface: bump maps, which give heights, and normal maps, as in pbrt-v4. */
#ifndef LB_CORE_KERNEL_MATERIALS_RELIEF_H
#define LB_CORE_KERNEL_MATERIALS_RELIEF_H

#include "core/kernel/materials/footprint.h"
#include "core/kernel/shapes/surface.h"

/* How position and normal change with the surface coordinates. */
typedef struct lb_tangents {
    lb_vec3 dpdu, dpdv; /* of the surface itself */
    /* Of the surface as it is shaded: these are perpendicular to its normal where that is interpolated. */
    lb_vec3 su, sv;
    lb_vec3 dndu, dndv; /* of that normal */
} lb_tangents;

/* ---- meshes ---- */

/* The tangents of a mesh, in the space of its geometry. */
LB_FUNCTION void lb_mesh_tangents(const lb_scene *scene, const lb_shape *shape, const lb_hit *hit,
                                  lb_tangents *tangents)
{
    const lb_vec3 zero = lb_vec3_make(0.0f, 0.0f, 0.0f);
    lb_corners corners = lb_mesh_corners(scene, shape, hit->primitive.primitive);
    lb_vec2 uv[3];
    lb_mesh_corner_uvs(scene, shape, &corners, uv);
    lb_vec3 ns, ng = lb_mesh_normals(scene, shape, &corners, hit->b1, hit->b2, &ns);
    lb_vec3 d0 = lb_sub(corners.p[0], corners.p[2]), d1 = lb_sub(corners.p[1], corners.p[2]);
    if (!lb_mesh_solve(uv, d0, d1, &tangents->dpdu, &tangents->dpdv) ||
        lb_vec3_is_zero(lb_cross(tangents->dpdu, tangents->dpdv)))
        lb_basis(lb_normalize(ng), &tangents->dpdu, &tangents->dpdv);
    tangents->su = tangents->dpdu;
    tangents->sv = tangents->dpdv;
    tangents->dndu = tangents->dndv = zero;
    if ((shape->flags & (LB_SHAPE_HAS_NORMALS | LB_SHAPE_HAS_TANGENTS)) == 0)
        return;
    ns = lb_normalize(ns);
    if ((shape->flags & LB_SHAPE_HAS_TANGENTS) != 0) {
        lb_vec3 given = lb_mesh_interpolate(LB_ARRAY(scene, tangents, lb_vec3) + shape->first_tangent,
                                            corners.index, hit->b1, hit->b2);
        tangents->su = lb_vec3_is_zero(given) ? tangents->dpdu : given;
    }
    tangents->sv = lb_cross(ns, tangents->su);
    if (lb_vec3_is_zero(tangents->sv))
        lb_basis(ns, &tangents->su, &tangents->sv);
    else
        tangents->su = lb_cross(tangents->sv, ns);
    if ((shape->flags & LB_SHAPE_HAS_NORMALS) == 0)
        return;
    const lb_vec3 *n = LB_ARRAY(scene, normals, lb_vec3) + shape->first_normal;
    lb_vec3 n2 = n[corners.index[2]];
    float side = (shape->flags & LB_SHAPE_REVERSED) != 0 ? -1.0f : 1.0f;
    if (!lb_mesh_solve(uv, lb_scale(lb_sub(n[corners.index[0]], n2), side),
                       lb_scale(lb_sub(n[corners.index[1]], n2), side), &tangents->dndu, &tangents->dndv))
        tangents->dndu = tangents->dndv = zero;
}

/* ---- spheres, disks and cylinders ---- */

/* The tangents of a quadric at a point of its own space, in the space of its geometry. */
LB_FUNCTION void lb_quadric_tangents(const lb_shape *shape, lb_vec3 point, lb_tangents *tangents)
{
    const lb_transform *m = &shape->world_from_object;
    float distance = lb_sqrt(point.x * point.x + point.y * point.y);
    float c = distance > 0.0f ? point.x / distance : 1.0f, s = distance > 0.0f ? point.y / distance : 0.0f;
    lb_vec3 dpdu = lb_scale(lb_vec3_make(-point.y, point.x, 0.0f), shape->phi_max), dpdv;
    if (distance == 0.0f)
        dpdu = lb_vec3_make(0.0f, 1e-6f * shape->radius * shape->phi_max, 0.0f);
    tangents->dndu = tangents->dndv = lb_vec3_make(0.0f, 0.0f, 0.0f);
    if (shape->kind == LB_SHAPE_DISK) {
        dpdv = lb_scale(lb_vec3_make(c, s, 0.0f), shape->inner_radius - shape->radius);
    } else if (shape->kind == LB_SHAPE_CYLINDER) {
        dpdv = lb_vec3_make(0.0f, 0.0f, shape->z_max - shape->z_min);
        tangents->dndu = lb_transform_normal(&shape->object_from_world, lb_scale(dpdu, 1.0f / shape->radius));
    } else {
        float bottom = lb_acos(lb_clamp(shape->z_min / shape->radius, -1.0f, 1.0f));
        float top = lb_acos(lb_clamp(shape->z_max / shape->radius, -1.0f, 1.0f));
        dpdv = lb_scale(lb_vec3_make(point.z * c, point.z * s, -distance), top - bottom);
        tangents->dndu = lb_transform_normal(&shape->object_from_world, lb_scale(dpdu, 1.0f / shape->radius));
        tangents->dndv = lb_transform_normal(&shape->object_from_world, lb_scale(dpdv, 1.0f / shape->radius));
    }
    tangents->su = tangents->dpdu = lb_transform_vector(m, dpdu);
    tangents->sv = tangents->dpdv = lb_transform_vector(m, dpdv);
}

/* ---- curves ---- */

/* The tangents of a curve, in the space of its geometry. As in pbrt, its normal counts as constant. */
LB_SELDOM void lb_strand_tangents(const lb_scene *scene, const lb_shape *shape, const lb_ray *ray,
                                  const lb_hit *hit, lb_tangents *tangents)
{
    lb_strand_frame frame = lb_strand_hit_frame(scene, shape, ray, hit);
    tangents->su = tangents->dpdu = lb_transform_vector(&shape->world_from_object, frame.dpdu);
    tangents->sv = tangents->dpdv = lb_transform_vector(&shape->world_from_object, frame.dpdv);
    tangents->dndu = tangents->dndv = lb_vec3_make(0.0f, 0.0f, 0.0f);
}

/* ---- all ---- */

/* The tangents where `ray` hit, in world space. */
LB_FUNCTION void lb_surface_tangents(const lb_scene *scene, const lb_shape *shape, const lb_ray *ray,
                                     const lb_hit *hit, lb_tangents *tangents)
{
    if (shape->kind == LB_SHAPE_MESH)
        lb_mesh_tangents(scene, shape, hit, tangents);
    else if (shape->kind == LB_SHAPE_CURVES)
        lb_strand_tangents(scene, shape, ray, hit, tangents);
    else
        lb_quadric_tangents(shape, lb_quadric_point(scene, shape, ray, hit), tangents);
    if (hit->instance == LB_NONE)
        return;
    const lb_instance *instance = LB_ARRAY(scene, instances, lb_instance) + hit->instance;
    const lb_transform *m = &instance->world_from_object, *inverse = &instance->object_from_world;
    lb_pose pose;
    if (instance->move != 0) {
        lb_move_pose(scene, instance->move, ray->time, &pose);
        m = &pose.out;
        inverse = &pose.in;
    }
    tangents->dpdu = lb_transform_vector(m, tangents->dpdu);
    tangents->dpdv = lb_transform_vector(m, tangents->dpdv);
    tangents->su = lb_transform_vector(m, tangents->su);
    tangents->sv = lb_transform_vector(m, tangents->sv);
    tangents->dndu = lb_transform_normal(inverse, tangents->dndu);
    tangents->dndv = lb_transform_normal(inverse, tangents->dndv);
}

/* How much u, or v, changes over a small way, by least squares in the plane of dpdu and dpdv. `along` is the one of
 * these that is asked for, `other` the other. 0: it is not known. */
LB_FUNCTION float lb_tangent_change(lb_vec3 along, lb_vec3 other, lb_vec3 way)
{
    float aa = lb_dot(along, along), ab = lb_dot(along, other), bb = lb_dot(other, other);
    float inverse = 1.0f / (aa * bb - ab * ab);
    float change = (bb * lb_dot(along, way) - ab * lb_dot(other, way)) * inverse;
    return lb_is_finite(inverse) && lb_is_finite(change) ? lb_clamp(change, -1e8f, 1e8f) : 0.0f;
}

/* Half the sum of how much u, or v, changes from pixel to pixel along x and along y, as lb_tangent_change has it. */
LB_FUNCTION float lb_relief_shift(lb_vec3 along, lb_vec3 other, const lb_footprint *footprint)
{
    return 0.5f * (lb_abs(lb_tangent_change(along, other, footprint->dpdx)) +
                   lb_abs(lb_tangent_change(along, other, footprint->dpdy)));
}

/* Tilts the tangents by heights of the displacement texture, which is evaluated at the place and a little further along
 * u and along v. */
LB_FUNCTION void lb_relief_bump(const lb_scene *scene, const lb_input *displacement,
                                const lb_texture_place *place, lb_vec3 ns, lb_tangents *tangents)
{
    const float least = 0.0005f;
    lb_texture_place shifted = *place;
    float du = lb_relief_shift(tangents->dpdu, tangents->dpdv, place->footprint);
    float dv = lb_relief_shift(tangents->dpdv, tangents->dpdu, place->footprint);
    du = du == 0.0f ? least : du;
    dv = dv == 0.0f ? least : dv;
    float height = lb_texture_float(scene, displacement, place);
    shifted.position = lb_add_scaled(place->position, tangents->su, du);
    shifted.uv.x = place->uv.x + du;
    float along_u = (lb_texture_float(scene, displacement, &shifted) - height) / du;
    shifted.position = lb_add_scaled(place->position, tangents->sv, dv);
    shifted.uv = lb_vec2_make(place->uv.x, place->uv.y + dv);
    float along_v = (lb_texture_float(scene, displacement, &shifted) - height) / dv;
    tangents->su = lb_add(lb_add_scaled(tangents->su, ns, along_u), lb_scale(tangents->dndu, height));
    tangents->sv = lb_add(lb_add_scaled(tangents->sv, ns, along_v), lb_scale(tangents->dndv, height));
}

/* Turns the tangents to the normal that a map gives in the frame of u and the shading normal. */
LB_FUNCTION void lb_relief_normal_map(const lb_scene *scene, uint32_t image, lb_vec2 uv, lb_vec3 ns,
                                      lb_tangents *tangents)
{
    lb_rgb texel = lb_image_lookup(scene, LB_ARRAY(scene, images, lb_image) + image, LB_WRAP_REPEAT, false,
                                   false, uv.x, 1.0f - uv.y);
    lb_vec3 local =
        lb_normalize(lb_vec3_make(2.0f * texel.r - 1.0f, 2.0f * texel.g - 1.0f, 2.0f * texel.b - 1.0f));
    lb_vec3 x = lb_normalize(tangents->su), y = lb_cross(ns, x);
    lb_vec3 n = lb_add(lb_add(lb_scale(x, local.x), lb_scale(y, local.y)), lb_scale(ns, local.z));
    tangents->su = lb_add_scaled(tangents->su, n, -lb_dot(tangents->su, n));
    tangents->sv = lb_cross(n, tangents->su);
}

/* Turns the shading normal `*n` of the surface by the material's map, and sets `*tangent` to the direction of u that is
 * perpendicular to it. */
LB_FUNCTION void lb_relief_turn(const lb_scene *scene, const lb_material *material, const lb_shape *shape,
                                const lb_surface *surface, const lb_ray *ray, const lb_hit *hit,
                                const lb_texture_place *place, lb_vec3 *n, lb_vec3 *tangent)
{
    lb_tangents tangents;
    lb_surface_tangents(scene, shape, ray, hit, &tangents);
    if ((material->flags & LB_MATERIAL_NORMAL_MAPPED) != 0)
        lb_relief_normal_map(scene, material->normal_map, place->uv, surface->ns, &tangents);
    else
        lb_relief_bump(scene, &material->displacement, place, surface->ns, &tangents);
    lb_vec3 turned = lb_normalize(lb_cross(tangents.su, tangents.sv));
    *tangent = tangents.su;
    if (lb_dot(turned, turned) > 0.5f) /* otherwise the turned normal is not known */
        *n = lb_face_forward(turned, surface->ng);
}

/* Turns the shading normal `*n` of the surface by the map of that number. */
LB_SELDOM void lb_relief_coat(const lb_scene *scene, uint32_t image, const lb_shape *shape,
                              const lb_surface *surface, const lb_ray *ray, const lb_hit *hit,
                              const lb_texture_place *place, lb_vec3 *n)
{
    lb_tangents tangents;
    lb_surface_tangents(scene, shape, ray, hit, &tangents);
    lb_relief_normal_map(scene, image, place->uv, surface->ns, &tangents);
    lb_vec3 turned = lb_normalize(lb_cross(tangents.su, tangents.sv));
    if (lb_dot(turned, turned) > 0.5f)
        *n = lb_face_forward(turned, surface->ng);
}

#endif
