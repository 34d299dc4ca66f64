/* Curves as pbrt-v4 has them: cubic Bezier curves with a width. Flat ones and cylinders are ribbons that face the ray,
 * and differ only in their normals; ribbons proper have normals of their own. A curve is halved, as the ray sees it,
 * until each part is nearly straight (Nakamaru, Ohno, "Ray Tracing for Curves Primitive", 2002). All of this depends on
 * the ray and the piece alone, in a fixed order. A piece of a curve is called a strand. */
#ifndef LB_CORE_KERNEL_SHAPES_STRAND_H
#define LB_CORE_KERNEL_SHAPES_STRAND_H

#include "core/kernel/shapes/box.h"

/* ---- Bezier curves ---- */

/* The point that is the part `part` of the way from a to b. */
LB_INLINE lb_vec3 lb_strand_mix(float part, lb_vec3 a, lb_vec3 b)
{
    return lb_add(lb_scale(a, 1.0f - part), lb_scale(b, part));
}

/* The point at the part `part` of the curve; `*along` is how it changes with that. */
LB_INLINE lb_vec3 lb_strand_point(const lb_vec3 p[4], float part, lb_vec3 *along)
{
    lb_vec3 a = lb_strand_mix(part, p[0], p[1]), b = lb_strand_mix(part, p[1], p[2]),
            c = lb_strand_mix(part, p[2], p[3]);
    lb_vec3 d = lb_strand_mix(part, a, b), e = lb_strand_mix(part, b, c);
    *along = lb_scale(lb_sub(e, d), 3.0f);
    if (lb_vec3_is_zero(*along))
        *along = lb_sub(p[3], p[0]);
    return lb_strand_mix(part, d, e);
}

/* The normal at the part `part` of a ribbon's piece, on the arc between the unit normals at its ends. */
LB_SELDOM lb_vec3 lb_strand_normal(const lb_vec3 n[2], float part)
{
    bool far = lb_dot(n[0], n[1]) < 0.0f;
    lb_vec3 across = far ? lb_add(n[0], n[1]) : lb_sub(n[1], n[0]);
    float half = lb_asin(lb_clamp(0.5f * lb_length(across), 0.0f, 1.0f));
    float angle = far ? LB_PI - 2.0f * half : 2.0f * half, sine = lb_sin(angle);
    if (!(sine > 0.0f))
        return n[0];
    return lb_add(lb_scale(n[0], lb_sin((1.0f - part) * angle) / sine),
                  lb_scale(n[1], lb_sin(part * angle) / sine));
}

/* ---- a piece ---- */

/* The piece that is this primitive of a shape. */
LB_INLINE const lb_strand *lb_strand_of(const lb_scene *scene, const lb_shape *shape, uint32_t primitive)
{
    return LB_ARRAY(scene, strands, lb_strand) + shape->first_strand + primitive;
}

/* The two normals of a ribbon's piece. */
LB_INLINE const lb_vec3 *lb_strand_normals(const lb_scene *scene, const lb_shape *shape, uint32_t primitive)
{
    return LB_ARRAY(scene, normals, lb_vec3) + shape->first_normal + 2 * (uint64_t)primitive;
}

/* The piece's box in the space of its geometry, grown: its own box in the sense of rule 2
 * (core/kernel/tree/intersect.h). */
LB_FUNCTION lb_box lb_strand_box(const lb_shape *shape, const lb_strand *curve)
{
    lb_box box = lb_box_empty();
    float margin = 0.5f * lb_max(curve->width[0], curve->width[1]);
    for (uint32_t i = 0; i < 4; i++) {
        lb_vec3 p = curve->point[i];
        lb_box around;
        around.lower[0] = p.x - margin;
        around.lower[1] = p.y - margin;
        around.lower[2] = p.z - margin;
        around.upper[0] = p.x + margin;
        around.upper[1] = p.y + margin;
        around.upper[2] = p.z + margin;
        lb_box_add_box(&box, &around);
    }
    return lb_box_transform(&shape->world_from_object, &box);
}

/* A ray in the shape's own space: unit axes at its origin, of which z points along the ray and x runs with the
 * curve. */
typedef struct lb_strand_view {
    lb_vec3 origin, x, y, z;
    float length; /* length of the ray's direction */
} lb_strand_view;

/* Makes the view of a ray that is in the space of the geometry. False: nothing can be calculated with it. */
LB_FUNCTION bool lb_strand_look(const lb_shape *shape, const lb_strand *curve, lb_vec3 origin,
                                lb_vec3 direction, lb_strand_view *view)
{
    lb_vec3 d = lb_transform_vector(&shape->object_from_world, direction);
    float size = lb_max(lb_max(lb_abs(d.x), lb_abs(d.y)), lb_abs(d.z)), length;
    d = lb_scale(d, 1.0f / size); /* so that its square neither overflows nor vanishes */
    length = lb_length(d);
    view->origin = lb_transform_point(&shape->object_from_world, origin);
    view->length = length * size;
    view->z = lb_scale(d, 1.0f / length);
    view->y = lb_cross(view->z, lb_sub(curve->point[3], curve->point[0]));
    length = lb_length(view->y);
    if (length > 0.0f) {
        view->y = lb_scale(view->y, 1.0f / length);
        view->x = lb_cross(view->y, view->z);
    } else {
        lb_basis(view->z, &view->x, &view->y);
    }
    return view->length > 0.0f && view->length <= LB_FLOAT_MAX;
}

/* A point as the ray sees it. */
LB_INLINE lb_vec3 lb_strand_seen(const lb_strand_view *view, lb_vec3 p)
{
    lb_vec3 q = lb_sub(p, view->origin);
    return lb_vec3_make(lb_dot(q, view->x), lb_dot(q, view->y), lb_dot(q, view->z));
}

/* ---- where a ray meets a piece ---- */

/* How often a piece is halved at most. */
#define LB_STRAND_DEPTH 10

/* A part of a piece, as the ray sees it. */
typedef struct lb_strand_part {
    lb_vec3 point[4];
    float begin, end; /* where in the piece it begins and ends, 0 to 1 */
    uint32_t depth;   /* how often it is still to be halved */
} lb_strand_part;

/* Where a ray crosses a piece. */
typedef struct lb_strand_crossing {
    float t, u, v;
} lb_strand_crossing;

/* A search for crossings, from the piece's beginning to its end. */
typedef struct lb_strand_walk {
    const lb_strand *curve;
    const lb_vec3 *normals; /* a ribbon's normals, else NULL */
    lb_strand_view view;
    uint32_t height;
    lb_strand_part stack[LB_STRAND_DEPTH + 1]; /* the parts still to be looked at, the next one on top */
} lb_strand_walk;

/* The full width at a part of the piece. */
LB_INLINE float lb_strand_width(const lb_strand *curve, float part)
{
    return lb_mix(part, curve->width[0], curve->width[1]);
}

/* Do four numbers, with a margin, lie on both sides of 0? */
LB_INLINE bool lb_strand_spans(float a, float b, float c, float d, float margin)
{
    return lb_min(lb_min(a, b), lb_min(c, d)) - margin <= 0.0f &&
           lb_max(lb_max(a, b), lb_max(c, d)) + margin >= 0.0f;
}

/* May the ray meet the part? */
LB_INLINE bool lb_strand_is_near(const lb_strand *curve, const lb_strand_part *part)
{
    const lb_vec3 *p = part->point;
    float margin = 0.5f * lb_max(lb_strand_width(curve, part->begin), lb_strand_width(curve, part->end));
    return lb_strand_spans(p[0].y, p[1].y, p[2].y, p[3].y, margin) &&
           lb_strand_spans(p[0].x, p[1].x, p[2].x, p[3].x, margin) &&
           lb_max(lb_max(p[0].z, p[1].z), lb_max(p[2].z, p[3].z)) >= 0.0f;
}

/* How far three neighbouring points are from a straight, even row. */
LB_INLINE float lb_strand_bend(lb_vec3 a, lb_vec3 b, lb_vec3 c)
{
    lb_vec3 d = lb_add(lb_sub(a, lb_scale(b, 2.0f)), c);
    return lb_max(lb_max(lb_abs(d.x), lb_abs(d.y)), lb_abs(d.z));
}

/* How often a piece has to be halved until its parts are off a straight line by a twentieth of its width at most, as in
 * pbrt: half the logarithm to base 2 of the ratio below, rounded up. */
LB_INLINE uint32_t lb_strand_depth(const lb_strand *curve, const lb_vec3 p[4])
{
    float bend = lb_max(lb_strand_bend(p[0], p[1], p[2]), lb_strand_bend(p[1], p[2], p[3]));
    float ratio = 1.41421356f * 6.0f / 8.0f * bend / (0.05f * lb_max(curve->width[0], curve->width[1]));
    uint32_t exponent = lb_float_bits(ratio) >> 23 & 0xffu;
    if (!(bend > 0.0f) || exponent < 127u)
        return 0;
    exponent = (exponent - 127u) / 2u + 1u;
    return exponent < LB_STRAND_DEPTH ? exponent : LB_STRAND_DEPTH;
}

/* Starts a search. The ray is in the space of the geometry. False: it does not cross the piece. */
LB_FUNCTION bool lb_strand_start(const lb_scene *scene, const lb_shape *shape, uint32_t primitive,
                                 lb_vec3 origin, lb_vec3 direction, lb_strand_walk *walk)
{
    lb_strand_part *all = &walk->stack[0];
    const lb_strand *curve = lb_strand_of(scene, shape, primitive);
    walk->curve = curve;
    walk->height = 0;
    if (!lb_strand_look(shape, curve, origin, direction, &walk->view))
        return false;
    for (uint32_t i = 0; i < 4; i++)
        all->point[i] = lb_strand_seen(&walk->view, curve->point[i]);
    all->begin = 0.0f;
    all->end = 1.0f;
    if (!lb_strand_is_near(curve, all))
        return false;
    all->depth = lb_strand_depth(curve, all->point);
    walk->normals =
        shape->strand_type == LB_STRAND_RIBBON ? lb_strand_normals(scene, shape, primitive) : NULL;
    walk->height = 1;
    return true;
}

/* Replaces the part on top by its halves, as far as the ray may cross them, with the first half on top. */
LB_INLINE void lb_strand_halve(lb_strand_walk *walk)
{
    lb_strand_part *top = &walk->stack[walk->height - 1], first = *top, second = *top;
    const lb_vec3 *p = top->point;
    lb_vec3 a = lb_scale(lb_add(p[0], p[1]), 0.5f), b = lb_scale(lb_add(p[1], p[2]), 0.5f),
            c = lb_scale(lb_add(p[2], p[3]), 0.5f);
    lb_vec3 d = lb_scale(lb_add(a, b), 0.5f), e = lb_scale(lb_add(b, c), 0.5f);
    first.depth = second.depth = top->depth - 1;
    first.point[1] = a;
    first.point[2] = d;
    first.point[3] = second.point[0] = lb_scale(lb_add(d, e), 0.5f);
    second.point[1] = e;
    second.point[2] = c;
    first.end = second.begin = 0.5f * (first.begin + second.end);
    walk->height--;
    if (lb_strand_is_near(walk->curve, &second))
        walk->stack[walk->height++] = second;
    if (lb_strand_is_near(walk->curve, &first))
        walk->stack[walk->height++] = first;
}

/* The full width at a part of the piece as the ray sees it: ribbons are narrower from the side. */
LB_INLINE float lb_strand_seen_width(const lb_strand *curve, const lb_vec3 *normals,
                                     const lb_strand_view *view, float part)
{
    float width = lb_strand_width(curve, part);
    return normals == NULL ? width : width * lb_abs(lb_dot(lb_strand_normal(normals, part), view->z));
}

/* Does the ray cross a part that is nearly straight? It must pass between the lines across its ends, and within its
 * width. */
LB_INLINE bool lb_strand_meets(const lb_strand_walk *walk, const lb_strand_part *straight,
                               lb_strand_crossing *crossing)
{
    const lb_vec3 *p = straight->point;
    lb_vec3 along;
    float x = p[3].x - p[0].x, y = p[3].y - p[0].y, square = x * x + y * y;
    if (!((p[1].y - p[0].y) * -p[0].y + p[0].x * (p[0].x - p[1].x) >= 0.0f) ||
        !((p[2].y - p[3].y) * -p[3].y + p[3].x * (p[3].x - p[2].x) >= 0.0f) || !(square > 0.0f))
        return false;
    float way = lb_clamp((-p[0].x * x - p[0].y * y) / square, 0.0f, 1.0f);
    float part = lb_clamp(lb_mix(way, straight->begin, straight->end), 0.0f, 1.0f);
    float width = lb_strand_seen_width(walk->curve, walk->normals, &walk->view, part);
    lb_vec3 center = lb_strand_point(p, way, &along);
    float distance = center.x * center.x + center.y * center.y;
    if (!(distance <= 0.25f * width * width) || !(width > 0.0f) || !(center.z >= 0.0f))
        return false;
    float side = lb_clamp(lb_sqrt(distance) / width, 0.0f, 0.5f);
    crossing->t = center.z / walk->view.length;
    crossing->u = lb_mix(part, walk->curve->u[0], walk->curve->u[1]);
    crossing->v = center.x * along.y - center.y * along.x > 0.0f ? 0.5f + side : 0.5f - side;
    return crossing->t <= LB_FLOAT_MAX;
}

/* Finds the next crossing with t >= 0, in the order of u, not of t. False: there is none. */
LB_FUNCTION bool lb_strand_next(lb_strand_walk *walk, lb_strand_crossing *crossing)
{
    while (walk->height > 0) {
        if (walk->stack[walk->height - 1].depth > 0)
            lb_strand_halve(walk);
        else if (lb_strand_meets(walk, &walk->stack[--walk->height], crossing))
            return true;
    }
    return false;
}

/* ---- the surface there ---- */

/* How the position changes with u and v, in the shape's own space. */
typedef struct lb_strand_frame {
    lb_vec3 dpdu, dpdv;
    float width; /* as the ray sees it */
} lb_strand_frame;

/* Makes the frame at (u, v), where the ray of `view` crosses the piece. The ribbon of a cylinder turns by half a circle
 * from one side to the other. */
LB_SELDOM lb_strand_frame lb_strand_make_frame(const lb_scene *scene, const lb_shape *shape,
                                               uint32_t primitive, const lb_strand_view *view, float u,
                                               float v)
{
    const lb_strand *curve = lb_strand_of(scene, shape, primitive);
    const lb_vec3 *normals = NULL;
    float length = curve->u[1] - curve->u[0], part = lb_clamp((u - curve->u[0]) / length, 0.0f, 1.0f);
    lb_strand_frame frame;
    lb_strand_point(curve->point, part, &frame.dpdu);
    frame.dpdu = lb_scale(frame.dpdu, 1.0f / length);
    if (shape->strand_type == LB_STRAND_RIBBON)
        normals = lb_strand_normals(scene, shape, primitive);
    frame.width = lb_strand_seen_width(curve, normals, view, part);
    lb_vec3 normal = normals != NULL ? lb_strand_normal(normals, part) : view->z;
    frame.dpdv = lb_normalize(lb_cross(normal, frame.dpdu));
    if (shape->strand_type == LB_STRAND_CYLINDER) {
        float s, c;
        lb_sincos(LB_PI * (v - 0.5f), &s, &c);
        frame.dpdv =
            lb_sub(lb_scale(frame.dpdv, c), lb_scale(lb_cross(lb_normalize(frame.dpdu), frame.dpdv), s));
    }
    frame.dpdv = lb_scale(frame.dpdv, frame.width);
    return frame;
}

#endif
