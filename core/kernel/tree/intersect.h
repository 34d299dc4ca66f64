/* The exact hit tests, one triangle at a time. A hit depends on the ray and the scene alone, never on a tree, its width
 * or the order of visits, because of four rules:
 *   1. The triangle test is watertight, and its t must not be negative.
 *   2. A hit counts only if the ray passes the primitive's own box, and t is raised to where the ray enters that box;
 *      the box of an instance counts in the same way.
 *   3. The box test (core/kernel/shapes/box.h) is monotone in the bounds, so that every box around that one is passed
 *      too, and entered no later.
 *   4. Boxes are grown outward when they are made.
 * The closest hit is the one of the least (t, instance, shape, primitive). Every traversal must give what these
 * functions give. */
#ifndef LB_CORE_KERNEL_TREE_INTERSECT_H
#define LB_CORE_KERNEL_TREE_INTERSECT_H

#include "core/kernel/shapes/alpha.h"
#include "core/kernel/shapes/box.h"
#include "core/kernel/scene/move.h"
#include "core/kernel/shapes/strand.h"
#include "core/kernel/shapes/quadric.h"

/* ---- the triangle ---- */

/* Where a ray crosses a triangle: t and the barycentric weights of corners 1 and 2. Where it does not cross, t is
 * negative or NaN. */
typedef struct lb_triangle_crossing {
    float t, b1, b2;
} lb_triangle_crossing;

/* The test for triangles with an edge function of zero (Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection",
 * 2013). It is exact, as products of floats are exact in double and their difference has the right sign. All is passed
 * by value: on a GPU, what is passed by address lies in memory. */
LB_INLINE lb_triangle_crossing lb_triangle_hit_double(float x0, float y0, float z0, float x1, float y1,
                                                      float z1, float x2, float y2, float z2)
{
    double u = (double)x2 * (double)y1 - (double)y2 * (double)x1;
    double v = (double)x0 * (double)y2 - (double)y0 * (double)x2;
    double w = (double)x1 * (double)y0 - (double)y1 * (double)x0;
    double det = u + v + w;
    lb_triangle_crossing crossing;
    crossing.t = -1.0f;
    crossing.b1 = crossing.b2 = 0.0f;
    if (!((u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0)) || det == 0.0)
        return crossing;
    crossing.t = (float)((u * (double)z0 + v * (double)z1 + w * (double)z2) / det);
    crossing.b1 = (float)(v / det);
    crossing.b2 = (float)(w / det);
    return crossing;
}

/* Rule 1. `corner` holds x, y and z of each corner. An edge function is a difference of two rounded products that are
 * never contracted. When its two vertices change places only its sign changes, so that no ray slips through an edge
 * that two triangles share. False, also for NaN: the ray does not hit. */
LB_INLINE bool lb_triangle_hit(const lb_slab_ray *ray, const float corner[3][3], float *t, float *b1,
                               float *b2)
{
    float x[3], y[3], z[3], o[3], u, v, w, det;
    uint32_t i;
    lb_axes_turn(ray->origin, ray, o);
    for (i = 0; i < 3; i++) {
        float p[3], along;
        lb_axes_turn(corner[i], ray, p);
        along = p[2] - o[2];
        x[i] = (p[0] - o[0]) - ray->sx * along;
        y[i] = (p[1] - o[1]) - ray->sy * along;
        z[i] = ray->sz * along;
    }
    u = x[2] * y[1] - y[2] * x[1];
    v = x[0] * y[2] - y[0] * x[2];
    w = x[1] * y[0] - y[1] * x[0];
    if (u == 0.0f || v == 0.0f || w == 0.0f) {
        lb_triangle_crossing crossing =
            lb_triangle_hit_double(x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]);
        *t = crossing.t;
        *b1 = crossing.b1;
        *b2 = crossing.b2;
        return *t >= 0.0f;
    }
    if (!((u > 0.0f && v > 0.0f && w > 0.0f) || (u < 0.0f && v < 0.0f && w < 0.0f)))
        return false;
    det = u + v + w;
    *t = (u * z[0] + v * z[1] + w * z[2]) / det;
    *b1 = v / det;
    *b2 = w / det;
    return *t >= 0.0f;
}

/* Can the triangle be calculated with? One that has NaN, or is too large, is in no tree, and nothing hits it. */
LB_INLINE bool lb_triangle_is_regular(const float corner[3][3])
{
    uint32_t i, a;
    bool regular = true;
    for (i = 0; i < 3; i++)
        for (a = 0; a < 3; a++)
            regular = regular && lb_abs(corner[i][a]) <= LB_COORDINATE_MAX;
    return regular;
}

/* The triangle's own box, by which both rule 2 and the tree go. */
LB_INLINE lb_box lb_triangle_box(const float corner[3][3])
{
    lb_box box;
    uint32_t a;
    for (a = 0; a < 3; a++) {
        box.lower[a] = lb_box_grow_lower(lb_min(lb_min(corner[0][a], corner[1][a]), corner[2][a]));
        box.upper[a] = lb_box_grow_upper(lb_max(lb_max(corner[0][a], corner[1][a]), corner[2][a]));
    }
    return box;
}

/* The corners of a mesh's triangle, as the indices give them. */
LB_INLINE void lb_triangle_corners(const lb_scene *scene, const lb_shape *shape, uint32_t primitive,
                                   float corner[3][3])
{
    const uint32_t *index = LB_ARRAY(scene, indices, uint32_t) + shape->first_index + 3 * (uint64_t)primitive;
    const lb_vec3 *position = LB_ARRAY(scene, positions, lb_vec3) + shape->first_position;
    uint32_t i;
    for (i = 0; i < 3; i++) {
        lb_vec3 p = position[index[i]];
        corner[i][0] = p.x;
        corner[i][1] = p.y;
        corner[i][2] = p.z;
    }
}

/* ---- the search for a hit ---- */

/* A ray on its way through a scene: what it asks for, and the best hit so far. */
typedef struct lb_search {
    const lb_scene *scene;
    const lb_ray *ray; /* in world space */
    lb_hit best; /* until a hit is found, its t is the ray's t_max, and its names come before all others */
    bool found;
} lb_search;

/* The ray in the space of one geometry, which is the world's own or an instance's. */
typedef struct lb_search_space {
    lb_slab_ray ray;
    lb_vec3 origin, direction;
    uint32_t instance; /* LB_NONE: the world itself */
    float entry;       /* where it enters the instance's box; 0 in the world */
} lb_search_space;

/* Begins a search that has found nothing. */
LB_INLINE void lb_search_start(lb_search *search, const lb_scene *scene, const lb_ray *ray)
{
    search->scene = scene;
    search->ray = ray;
    search->best.t = ray->t_max;
    search->best.b1 = 0.0f;
    search->best.b2 = 0.0f;
    search->best.instance = 0;
    search->best.primitive.shape = 0;
    search->best.primitive.primitive = 0;
    search->found = false;
}

/* Ends a search. False: nothing was hit, and `hit` says so as well. */
LB_INLINE bool lb_search_end(const lb_search *search, lb_hit *hit)
{
    *hit = search->best;
    if (!search->found) {
        hit->instance = LB_NONE;
        hit->primitive.shape = LB_NONE;
    }
    return search->found;
}

/* Does a hit come before the best one? Of several at the same t it is the one of the smaller instance, where the
 * world's own come last, then of the smaller shape, then of the smaller primitive. */
LB_INLINE bool lb_hit_is_before(float t, uint32_t instance, lb_primitive primitive, const lb_hit *best)
{
    if (t != best->t)
        return t < best->t;
    if (instance != best->instance)
        return instance < best->instance;
    if (primitive.shape != best->primitive.shape)
        return primitive.shape < best->primitive.shape;
    return primitive.primitive < best->primitive.primitive;
}

LB_INLINE bool lb_search_is_before(const lb_search *search, float t, uint32_t instance,
                                   lb_primitive primitive)
{
    return lb_hit_is_before(t, instance, primitive, &search->best);
}

/* Makes a hit the best one. */
LB_INLINE void lb_search_keep(lb_search *search, float t, float b1, float b2, uint32_t instance,
                              lb_primitive primitive)
{
    search->best.t = t;
    search->best.b1 = b1;
    search->best.b2 = b2;
    search->best.instance = instance;
    search->best.primitive = primitive;
    search->found = true;
}

/* Is this the primitive that the ray leaves, and so cannot hit? */
LB_INLINE bool lb_search_leaves(const lb_search *search, const lb_search_space *space, lb_primitive primitive)
{
    const lb_shape *shape;
    if (search->ray->from == 0 || space->instance != search->ray->from_instance)
        return false;
    shape = LB_ARRAY(search->scene, shapes, lb_shape) + primitive.shape;
    return shape->first_primitive + primitive.primitive + 1 == search->ray->from;
}

/* Offers a triangle's hit that has passed rule 2: it must come before the best one, and alpha must let it count. True:
 * it is the best one now. */
LB_INLINE bool lb_search_take(lb_search *search, const lb_search_space *space, lb_primitive primitive,
                              float t, float b1, float b2)
{
    const lb_shape *shape;
    if (!lb_search_is_before(search, t, space->instance, primitive))
        return false;
    if (lb_search_leaves(search, space, primitive))
        return false;
    shape = LB_ARRAY(search->scene, shapes, lb_shape) + primitive.shape;
    if ((shape->flags & LB_SHAPE_HAS_ALPHA) &&
        !lb_alpha_passes(search->scene, shape, primitive.primitive, lb_alpha_sheet(space->instance, 0), b1,
                         b2, lb_vec3_make(0.0f, 0.0f, 0.0f), search->ray))
        return false;
    lb_search_keep(search, t, b1, b2, space->instance, primitive);
    return true;
}

/* The same with rule 2, for a triangle whose test gave t, b1 and b2 and whose own box is `box`. */
LB_INLINE bool lb_search_offer(lb_search *search, const lb_search_space *space, lb_primitive primitive,
                               const lb_box *box, float t, float b1, float b2)
{
    float entry;
    if (!lb_slab_passes(&space->ray, box, &entry))
        return false;
    return lb_search_take(search, space, primitive, lb_max(lb_max(entry, space->entry), t), b1, b2);
}

/* The same for a sphere, disk or cylinder, which may be crossed twice: its first crossing that counts is offered. */
LB_INLINE bool lb_search_quadric(lb_search *search, const lb_search_space *space, uint32_t number)
{
    const lb_shape *shape = LB_ARRAY(search->scene, shapes, lb_shape) + number;
    lb_box box = lb_quadric_box(shape);
    lb_quadric_crossings crossings;
    lb_primitive primitive;
    float entry, t;
    uint32_t i;
    primitive.shape = number;
    primitive.primitive = 0;
    if (!lb_slab_passes(&space->ray, &box, &entry))
        return false;
    lb_quadric_cross(shape, space->origin, space->direction, &crossings);
    for (i = 0; i < crossings.count; i++) {
        t = lb_max(lb_max(entry, space->entry), crossings.t[i]);
        if (!lb_search_is_before(search, t, space->instance, primitive))
            return false;
        if ((shape->flags & LB_SHAPE_HAS_ALPHA) &&
            !lb_alpha_passes(search->scene, shape, 0, lb_alpha_sheet(space->instance, i), 0.0f, 0.0f,
                             crossings.point[i], search->ray))
            continue;
        lb_search_keep(search, t, 0.0f, 0.0f, space->instance, primitive);
        return true;
    }
    return false;
}

/* Does a hit on a curve count, by the alpha at the crossing of this number? `space` has the ray in the space of the
 * geometry. */
LB_SELDOM bool lb_strand_passes_alpha(const lb_search *search, const lb_search_space *space,
                                      lb_primitive primitive, const lb_strand_walk *walk,
                                      const lb_strand_crossing *crossing, uint32_t number)
{
    const lb_shape *shape = LB_ARRAY(search->scene, shapes, lb_shape) + primitive.shape;
    lb_strand_frame frame = lb_strand_make_frame(search->scene, shape, primitive.primitive, &walk->view,
                                                 crossing->u, crossing->v);
    lb_texture_place place;
    LB_QUAD_NONE(&place);
    place.footprint = NULL;
    place.uv = lb_vec2_make(crossing->u, crossing->v);
    place.position = lb_add_scaled(space->origin, space->direction, crossing->t);
    place.normal =
        lb_normalize(lb_transform_normal(&shape->object_from_world, lb_cross(frame.dpdu, frame.dpdv)));
    return lb_alpha_decides(lb_texture_float(search->scene, &shape->alpha, &place), search->ray,
                            shape->first_primitive + primitive.primitive,
                            lb_alpha_sheet(space->instance, number));
}

/* Is a crossing of a curve another surface than the one before it? Parts that meet overlap a little; as in pbrt
 * crossings no farther apart than two widths are one surface. */
LB_INLINE bool lb_strand_is_apart(const lb_strand_walk *walk, float t, float before)
{
    float width = lb_max(walk->curve->width[0], walk->curve->width[1]);
    return lb_abs(t - before) * walk->view.length > 2.0f * width;
}

/* The same as lb_search_quadric for a piece of a curve, which may be crossed many times. True: its nearest crossing
 * that counts is the best hit now. */
LB_FUNCTION bool lb_search_strand(lb_search *search, const lb_search_space *space, lb_primitive primitive)
{
    const lb_shape *shape = LB_ARRAY(search->scene, shapes, lb_shape) + primitive.shape;
    lb_strand_walk walk;
    lb_strand_crossing crossing;
    lb_box box;
    float entry, before = 0.0f;
    uint32_t count = 0; /* crossings so far that are surfaces of their own */
    bool found = false;
    if (!lb_strand_start(search->scene, shape, primitive.primitive, space->origin, space->direction, &walk))
        return false;
    while (lb_strand_next(&walk, &crossing)) {
        box = lb_strand_box(shape, walk.curve);
        if (!lb_slab_passes(&space->ray, &box, &entry))
            return false;
        count += count == 0 || lb_strand_is_apart(&walk, crossing.t, before);
        before = crossing.t;
        crossing.t = lb_max(lb_max(entry, space->entry), crossing.t);
        if (!lb_search_is_before(search, crossing.t, space->instance, primitive) ||
            ((shape->flags & LB_SHAPE_HAS_ALPHA) &&
             !lb_strand_passes_alpha(search, space, primitive, &walk, &crossing, count - 1)))
            continue;
        lb_search_keep(search, crossing.t, crossing.u, crossing.v, space->instance, primitive);
        found = true;
    }
    return found;
}

/* Sets the space to world space, all but `ray`, which the caller prepares in its own way. */
LB_INLINE void lb_search_world(const lb_search *search, lb_search_space *space)
{
    space->instance = LB_NONE;
    space->entry = 0.0f;
    space->origin = search->ray->origin;
    space->direction = search->ray->direction;
}

/* Does the ray pass the box of an instance, of this number, and enter it before the best hit? */
LB_INLINE bool lb_search_reaches(const lb_search *search, const lb_search_space *world,
                                 const lb_instance *instance, uint32_t number, lb_search_space *space)
{
    space->instance = number;
    return lb_slab_passes(&world->ray, &instance->box, &space->entry) && !(space->entry > search->best.t);
}

/* Sets the space to that of an instance that stands still, all but `ray`. The direction keeps its length, so that t
 * means the same there. */
LB_INLINE void lb_search_turn(const lb_search *search, const lb_instance *instance, lb_search_space *space)
{
    space->origin = lb_transform_point(&instance->object_from_world, search->ray->origin);
    space->direction = lb_transform_vector(&instance->object_from_world, search->ray->direction);
}

/* Makes `stopped` a moving instance as it stands at a time. */
LB_SELDOM void lb_instance_stop(const lb_scene *scene, const lb_instance *instance, float time,
                                lb_instance *stopped)
{
    lb_pose pose;
    lb_move_pose(scene, instance->move, time, &pose);
    *stopped = *instance;
    stopped->world_from_object = pose.out;
    stopped->object_from_world = pose.in;
    stopped->move = 0;
}

/* Both also prepare the ray. False: it hits nothing there. */
LB_INLINE bool lb_search_enter_world(const lb_search *search, lb_search_space *space)
{
    lb_search_world(search, space);
    return search->ray->t_max > 0.0f && lb_slab_prepare(space->origin, space->direction, &space->ray);
}

LB_INLINE bool lb_search_enter_instance(const lb_search *search, const lb_search_space *world,
                                        uint32_t number, lb_search_space *space)
{
    const lb_instance *instance = LB_ARRAY(search->scene, instances, lb_instance) + number;
    lb_instance stopped;
    if (!lb_search_reaches(search, world, instance, number, space))
        return false;
    if (instance->move != 0) {
        lb_instance_stop(search->scene, instance, search->ray->time, &stopped);
        instance = &stopped;
    }
    lb_search_turn(search, instance, space);
    return lb_slab_prepare(space->origin, space->direction, &space->ray);
}

#endif
