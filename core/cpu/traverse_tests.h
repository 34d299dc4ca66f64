/* Tests a ray against eight children of a node, and against eight triangles, in terms of the lanes that one of
 * core/cpu/lanes_*.h gives: the same operations in the same order with all of them. */
#ifndef LB_CORE_CPU_TRAVERSE_TESTS_H
#define LB_CORE_CPU_TRAVERSE_TESTS_H

#include "core/kernel/tree/intersect.h"

/* ---- nodes ---- */

/* A ray as the tests against nodes take it. It enters a slab at fma(bound, rcp, near) and leaves it at fma(bound, rcp,
 * far). These must never miss what the box test of core/kernel/shapes/box.h hits. With u = 2^-24, that test computes
 * (bound - origin) * rcp with an error of at most 2 u |rcp| (|origin| + |bound|) to the first order, and widens the
 * exit by 4 u; here origin * rcp, its sum with the margin and the fma add an error of at most 3 u of the same. With
 * margins of 8 u and 12 u a ray therefore never enters later or leaves earlier than there. The least normal float makes
 * up for underflow. Where a product overflows, the result is infinite to the safe side or NaN, which the comparisons
 * pass over. */
struct node_ray {
    uniform rcp[3], near[3], far[3];
    uint32_t near_offset[3], far_offset[3]; /* where the bounds stand in an lb_node, in bytes */
    uint32_t octant;
};

LB_INLINE void make_node_ray(struct node_ray *ray, const lb_slab_ray *slab, const lb_box *bounds)
{
    float near[4], far[4];
    ray->octant = prepare_nodes(slab, bounds, near, far);
    for (uint32_t a = 0; a < 3; a++) {
        uint32_t lower = 32 * a, upper = 96 + 32 * a; /* where lb_node has them, in bytes */
        bool backwards = ray->octant >> a & 1;
        ray->rcp[a] = uniform_make(slab->rcp[a]);
        ray->near[a] = uniform_make(near[a]);
        ray->far[a] = uniform_make(far[a]);
        ray->near_offset[a] = backwards ? upper : lower;
        ray->far_offset[a] = backwards ? lower : upper;
    }
}

/* Where a ray crosses one bound of each of eight children. */
LB_INLINE lanes node_slab(const lb_node *node, uint32_t offset, uniform rcp, uniform constant)
{
    return lanes_fma(lanes_load((const float *)(const void *)((const char *)node + offset)), rcp, constant);
}

/* Finds where a ray enters each of a node's eight children, and where it leaves each, which is at `closest` at the
 * latest. */
LB_INLINE void cross_children(const lb_node *node, const struct node_ray *ray, float closest, lanes *in,
                              lanes *out)
{
    const uint32_t *near = ray->near_offset, *far = ray->far_offset;
    *in = lanes_max(lanes_max(node_slab(node, near[0], ray->rcp[0], ray->near[0]),
                              node_slab(node, near[1], ray->rcp[1], ray->near[1])),
                    lanes_max(node_slab(node, near[2], ray->rcp[2], ray->near[2]), lanes_splat(0.0f)));
    *out = lanes_min(lanes_min(node_slab(node, far[0], ray->rcp[0], ray->far[0]),
                               node_slab(node, far[1], ray->rcp[1], ray->far[1])),
                     lanes_min(node_slab(node, far[2], ray->rcp[2], ray->far[2]), lanes_splat(closest)));
}

/* Which children does a ray pass before `closest`, a bit for each in the order that is given, and where does it enter
 * them? */
LB_INLINE uint32_t test_node(const lb_node *node, const struct node_ray *ray, uint32_t order, float closest,
                             lanes *distance)
{
    lanes_order place = lanes_order_make(order);
    lanes in, out;
    cross_children(node, ray, closest, &in, &out);
    in = lanes_permute(in, place);
    out = lanes_permute(out, place);
    *distance = in;
    return lanes_less_equal(in, out);
}

/* The same in the order of the children's own numbers, once in bits 0-7 for the children that the ray comes to from
 * outside and once in bits 8-15 for those that it starts in. The latter hold the surface that it leaves, which seldom
 * hides anything, and so come last. */
LB_INLINE uint32_t test_node_any(const lb_node *node, const struct node_ray *ray, float closest)
{
    lanes in, out;
    cross_children(node, ray, closest, &in, &out);
    uint32_t hit = lanes_less_equal(in, out), inside = lanes_less_equal(in, lanes_splat(0.0f));
    return (hit & ~inside) | (hit & inside) << 8;
}

/* ---- triangles ---- */

/* What the test of eight triangles leaves to be looked at one by one. */
struct candidates {
    uint32_t hit;  /* lanes whose triangle is hit at t <= closest */
    uint32_t zero; /* lanes where an edge function is zero, which need the exact test */
    float t[8];    /* where the hit is, but never before the entry into the triangle's own box */
    float v[8], w[8], det[8];
};

struct lanes_vec {
    lanes x, y, z;
};

/* Makes the box of each triangle and tests the ray against it, by the operations of lb_triangle_box and lb_slab_passes.
 * Bit i says whether the ray passes the box of triangle i; `*entry` is where. */
LB_INLINE uint32_t pass_own_boxes(const float *corners, uint32_t n, const lb_slab_ray *ray, lanes *entry)
{
    lanes in = lanes_splat(0.0f), out = lanes_splat(LB_FLOAT_MAX);
    for (uint32_t a = 0; a < 3; a++) {
        lanes p = lanes_load(corners + a * n), q = lanes_load(corners + (3 + a) * n);
        lanes r = lanes_load(corners + (6 + a) * n), rcp = lanes_splat(ray->rcp[a]),
              origin = lanes_splat(ray->origin[a]);
        lanes lower = lanes_min(lanes_min(p, q), r), upper = lanes_max(lanes_max(p, q), r);
        lanes ulp = lanes_splat(0x1p-23f), least = lanes_splat(0x1p-64f);
        lower = lanes_sub(lower, lanes_add(lanes_mul(lanes_abs(lower), ulp), least));
        upper = lanes_add(upper, lanes_add(lanes_mul(lanes_abs(upper), ulp), least));
        in = lanes_max(lanes_mul(lanes_sub(lanes_select(lower, upper, rcp), origin), rcp), in);
        out = lanes_min(lanes_mul(lanes_sub(lanes_select(upper, lower, rcp), origin), rcp), out);
    }
    *entry = in;
    return lanes_less_equal(in, lanes_mul(out, lanes_splat(LB_SLAB_WIDEN)));
}

/* One corner of each of eight triangles, moved and sheared as in lb_triangle_hit. */
LB_INLINE struct lanes_vec shear_corner(const float *x, const float *y, const float *z,
                                        const lb_slab_ray *ray)
{
    struct lanes_vec corner;
    lanes along = lanes_sub(lanes_load(z), lanes_splat(ray->origin[ray->kz]));
    corner.x = lanes_sub(lanes_sub(lanes_load(x), lanes_splat(ray->origin[ray->kx])),
                         lanes_mul(lanes_splat(ray->sx), along));
    corner.y = lanes_sub(lanes_sub(lanes_load(y), lanes_splat(ray->origin[ray->ky])),
                         lanes_mul(lanes_splat(ray->sy), along));
    corner.z = lanes_mul(lanes_splat(ray->sz), along);
    return corner;
}

LB_INLINE lanes edge_function(lanes a, lanes b, lanes c, lanes d)
{
    return lanes_sub(lanes_mul(a, b), lanes_mul(c, d));
}

/* Tests the n triangles of a leaf at once, by the operations of lb_triangle_hit and of rule 2
 * (core/kernel/tree/intersect.h). Where triangles are held in fragments, rule 2 is left to the caller. `entry` is where
 * the ray enters the box of the instance. */
LB_INLINE void test_triangles(const float *corners, uint32_t n, const lb_slab_ray *ray, float entry,
                              float closest, bool fragments, struct candidates *candidates)
{
    const float *x = corners + ray->kx * n, *y = corners + ray->ky * n, *z = corners + ray->kz * n;
    struct lanes_vec a = shear_corner(x, y, z, ray), b = shear_corner(x + 3 * n, y + 3 * n, z + 3 * n, ray);
    struct lanes_vec c = shear_corner(x + 6 * n, y + 6 * n, z + 6 * n, ray);
    lanes u = edge_function(c.x, b.y, c.y, b.x);
    lanes v = edge_function(a.x, c.y, a.y, c.x);
    lanes w = edge_function(b.x, a.y, b.y, a.x);
    uint32_t all = (1u << n) - 1, zero = lanes_any_zero(u, v, w) & all,
             hit = lanes_same_sign(u, v, w) & all & ~zero;
    candidates->zero = zero;
    candidates->hit = 0;
    if (hit == 0)
        return;
    lanes det = lanes_add(lanes_add(u, v), w), least = lanes_splat(0.0f), own;
    lanes t = lanes_div(lanes_add(lanes_add(lanes_mul(u, a.z), lanes_mul(v, b.z)), lanes_mul(w, c.z)), det);
    hit &= lanes_less_equal(least, t) & lanes_less_equal(t, lanes_splat(closest));
    if (hit == 0)
        return;
    if (!fragments) {
        hit &= pass_own_boxes(corners, n, ray, &own);
        t = lanes_max(lanes_max(own, lanes_splat(entry)), t);
        hit &= lanes_less_equal(t, lanes_splat(closest));
    }
    candidates->hit = hit;
    lanes_store(candidates->t, t);
    lanes_store(candidates->v, v);
    lanes_store(candidates->w, w);
    lanes_store(candidates->det, det);
}

#endif
