/* Alpha decides which hits on a shape count. Traversals ask for it, in whatever order they find hits, so the answer
 * depends on the ray and the primitive alone. */
#ifndef LB_CORE_KERNEL_SHAPES_ALPHA_H
#define LB_CORE_KERNEL_SHAPES_ALPHA_H

#include "core/kernel/hash.h"
#include "core/kernel/shapes/quadric_uv.h"
#include "core/kernel/textures/texture.h"

/* A triangle's texture coordinates at the barycentric weights b1, b2 of its corners 1 and 2, from those of the mesh
 * that begin at `first` in lb_scene.uvs. */
LB_INLINE lb_vec2 lb_mesh_uv_from(const lb_scene *scene, const lb_shape *shape, uint64_t first,
                                  uint32_t primitive, float b1, float b2)
{
    const uint32_t *corner =
        LB_ARRAY(scene, indices, uint32_t) + shape->first_index + 3 * (uint64_t)primitive;
    const lb_vec2 *uv = LB_ARRAY(scene, uvs, lb_vec2) + first;
    lb_vec2 a = uv[corner[0]], b = uv[corner[1]], c = uv[corner[2]];
    float b0 = 1.0f - b1 - b2;
    return lb_vec2_make(b0 * a.x + b1 * b.x + b2 * c.x, b0 * a.y + b1 * b.y + b2 * c.y);
}

/* The same from the mesh's first ones. A mesh without coordinates has (0,0), (1,0) and (1,1) at the corners of each
 * triangle. */
LB_INLINE lb_vec2 lb_mesh_uv(const lb_scene *scene, const lb_shape *shape, uint32_t primitive, float b1,
                             float b2)
{
    if ((shape->flags & LB_SHAPE_HAS_UV) == 0)
        return lb_vec2_make(b1 + b2, b2);
    return lb_mesh_uv_from(scene, shape, shape->first_uv, primitive, b1, b2);
}

/* A triangle's point at barycentric weights, in the space of its geometry. */
LB_INLINE lb_vec3 lb_mesh_point(const lb_scene *scene, const lb_shape *shape, uint32_t primitive, float b1,
                                float b2)
{
    const uint32_t *corner =
        LB_ARRAY(scene, indices, uint32_t) + shape->first_index + 3 * (uint64_t)primitive;
    const lb_vec3 *position = LB_ARRAY(scene, positions, lb_vec3) + shape->first_position;
    float b0 = 1.0f - b1 - b2;
    return lb_add(lb_add(lb_scale(position[corner[0]], b0), lb_scale(position[corner[1]], b1)),
                  lb_scale(position[corner[2]], b2));
}

/* Tells the surfaces apart that a ray may meet in one primitive: those of its instances (LB_NONE: it is in none), and
 * of each the crossings, numbered from 0 along the ray. */
LB_INLINE uint64_t lb_alpha_sheet(uint32_t instance, uint32_t crossing)
{
    return (uint64_t)(instance + 1u) << 32 | crossing;
}

/* Does a surface of this alpha stop the ray? An alpha of 1 always does, 0 never, and one between them does with this
 * probability, by a hash of the ray, the primitive and the sheet (lb_alpha_sheet). Surfaces one behind the other are
 * decided independently of each other. */
LB_FUNCTION bool lb_alpha_decides(float alpha, const lb_ray *ray, uint32_t primitive, uint64_t sheet)
{
    if (alpha >= 1.0f)
        return true;
    if (!(alpha > 0.0f))
        return false;
    uint64_t hash = primitive;
    hash = lb_hash_combine(hash, (uint64_t)lb_float_bits(ray->origin.x) << 32 | lb_float_bits(ray->origin.y));
    hash =
        lb_hash_combine(hash, (uint64_t)lb_float_bits(ray->origin.z) << 32 | lb_float_bits(ray->direction.x));
    hash = lb_hash_combine(hash,
                           (uint64_t)lb_float_bits(ray->direction.y) << 32 | lb_float_bits(ray->direction.z));
    if (sheet != 0)
        hash = lb_hash_combine(hash, sheet);
    return (float)(hash >> 40) * 0x1p-24f < alpha;
}

/* The geometric normal, on either side of the surface, in the space of the shape's geometry. */
LB_SELDOM lb_vec3 lb_alpha_normal(const lb_scene *scene, const lb_shape *shape, uint32_t primitive,
                                  lb_vec3 point)
{
    if (shape->kind != LB_SHAPE_MESH) {
        lb_vec3 n = lb_quadric_outward(shape, point);
        return lb_normalize(lb_transform_normal(&shape->object_from_world, n));
    }
    lb_vec3 corner = lb_mesh_point(scene, shape, primitive, 0.0f, 0.0f);
    return lb_normalize(lb_cross(lb_sub(lb_mesh_point(scene, shape, primitive, 1.0f, 0.0f), corner),
                                 lb_sub(lb_mesh_point(scene, shape, primitive, 0.0f, 1.0f), corner)));
}

/* The place where a shape's alpha is looked up, in the space of its geometry. On a triangle that is the point at
 * barycentric weights b1, b2; on a sphere or disk it is `point`, which is in the shape's own space. */
LB_INLINE lb_texture_place lb_alpha_place(const lb_scene *scene, const lb_shape *shape, uint32_t primitive,
                                          float b1, float b2, lb_vec3 point)
{
    lb_texture_place place;
    place.footprint = NULL;
    LB_QUAD_NONE(&place);
    place.normal = lb_vec3_make(0.0f, 0.0f, 0.0f);
    /* Images have no use for the normal, and they are nearly all that gives alpha. */
    if (shape->alpha.texture != LB_NONE &&
        LB_ARRAY(scene, textures, lb_texture)[shape->alpha.texture].kind != LB_TEXTURE_IMAGE)
        place.normal = lb_alpha_normal(scene, shape, primitive, point);
    if (shape->kind == LB_SHAPE_MESH) {
        place.uv = lb_mesh_uv(scene, shape, primitive, b1, b2);
        place.position = lb_mesh_point(scene, shape, primitive, b1, b2);
    } else {
        place.uv = lb_quadric_uv(shape, point);
        place.position = lb_transform_point(&shape->world_from_object, point);
    }
    return place;
}

/* Does a hit on a shape with LB_SHAPE_HAS_ALPHA count? `ray` is the ray in world space, and where it hits is said as
 * for lb_alpha_place and lb_alpha_sheet. */
LB_FUNCTION bool lb_alpha_passes(const lb_scene *scene, const lb_shape *shape, uint32_t primitive,
                                 uint64_t sheet, float b1, float b2, lb_vec3 point, const lb_ray *ray)
{
    lb_texture_place place = lb_alpha_place(scene, shape, primitive, b1, b2, point);
    return lb_alpha_decides(lb_texture_float(scene, &shape->alpha, &place), ray,
                            shape->first_primitive + primitive, sheet);
}

#endif
