/* A ray prepared for tests against boxes and triangles, and the slab test on which every processor agrees. Which boxes
 * a ray passes decides which hits count (core/kernel/tree/intersect.h). Therefore these functions are fixed sequences
 * of IEEE operations, and monotone in the bounds: a box around another one is passed wherever the inner one is, and
 * entered no later. */
#ifndef LB_CORE_KERNEL_SHAPES_BOX_H
#define LB_CORE_KERNEL_SHAPES_BOX_H

#include "core/kernel/base.h"
#include "core/kernel/math.h"
#include "core/kernel/scene/scene.h"

/* A ray in the space of one geometry. Its direction need not be of unit length. */
typedef struct lb_slab_ray {
    float origin[4]; /* the fourth element of each array is not used, but lets a vector be stored at once */
    /* One over the direction: finite, not zero, and with the direction's sign, also that of a zero. */
    float rcp[4];
    uint32_t kx, ky, kz; /* kz is the axis along which the direction is largest; kx and ky follow it */
    uint32_t unused_axis;
    float sx, sy, sz; /* a shear that turns the ray onto its axis kz and scales its direction to 1 there */
    float unused_shear;
} lb_slab_ray;

/* A direction whose largest component lies outside these hits nothing, like a ray that is not finite. */
#define LB_DIRECTION_MIN 0x1p-100f
#define LB_DIRECTION_MAX 0x1p+100f
/* What lies beyond this on any axis is in no tree, and nothing hits it. The product of two such numbers is finite, with
 * room for sums. Scenes that go beyond it are refused (core/scene/shapes/shape.c). */
#define LB_COORDINATE_MAX 0x1p+60f

#define LB_FLOAT_MAX 0x1.fffffep+127f

/* The far side of a slab counts as passed so much later than computed that rounding cannot make the ray miss (Ize,
 * "Robust BVH Ray Traversal", 2013). */
#define LB_SLAB_WIDEN (1.0f + 0x1p-22f)

/* One over d, limited so that products with it stay finite. The limit stands for a movement of 2^-96 of the way along
 * the ray, far less than boxes are grown by. */
LB_INLINE float lb_slab_reciprocal(float d, float limit)
{
    float rcp = 1.0f / d;
    return lb_abs(rcp) <= limit ? rcp : __builtin_copysignf(limit, d);
}

/* v[axis]. A GPU chooses among registers here, as an index would put the vector into memory. */
LB_INLINE float lb_component(const float *v, uint32_t axis)
{
#ifdef __CUDA_ARCH__
    float x = v[0], y = v[1], z = v[2];
    return axis == 0 ? x : axis == 1 ? y : z;
#else
    return v[axis];
#endif
}

/* The components of v along the axes kx, ky and kz of a ray, which follow each other in the order x, y, z, x ... */
LB_INLINE void lb_axes_turn(const float *v, const lb_slab_ray *ray, float turned[3])
{
#ifdef __CUDA_ARCH__
    float x = v[0], y = v[1], z = v[2];
    bool along_x = ray->kz == 0, along_z = ray->kz == 2;
    turned[0] = along_z ? x : along_x ? y : z;
    turned[1] = along_z ? y : along_x ? z : x;
    turned[2] = along_z ? z : along_x ? x : y;
#else
    turned[0] = v[ray->kx];
    turned[1] = v[ray->ky];
    turned[2] = v[ray->kz];
#endif
}

/* Prepares a ray. False: it hits nothing, whatever the scene. */
LB_INLINE bool lb_slab_prepare(lb_vec3 origin, lb_vec3 direction, lb_slab_ray *ray)
{
    float d[3], ax = lb_abs(direction.x), ay = lb_abs(direction.y), az = lb_abs(direction.z), limit;
    uint32_t kz = ax > ay ? (ax > az ? 0u : 2u) : (ay > az ? 1u : 2u), a;
    d[0] = direction.x;
    d[1] = direction.y;
    d[2] = direction.z;
    ray->origin[0] = origin.x;
    ray->origin[1] = origin.y;
    ray->origin[2] = origin.z;
    ray->kz = kz;
    ray->kx = kz == 2 ? 0 : kz + 1;
    ray->ky = ray->kx == 2 ? 0 : ray->kx + 1;
    ray->sx = lb_component(d, ray->kx) / lb_component(d, kz);
    ray->sy = lb_component(d, ray->ky) / lb_component(d, kz);
    ray->sz = 1.0f / lb_component(d, kz);
    limit = lb_min(lb_abs(ray->sz) * 0x1p+96f, LB_FLOAT_MAX);
    for (a = 0; a < 3; a++)
        ray->rcp[a] = lb_slab_reciprocal(d[a], limit);
    return ax <= LB_DIRECTION_MAX && ay <= LB_DIRECTION_MAX && az <= LB_DIRECTION_MAX &&
           lb_max(lb_max(ax, ay), az) >= LB_DIRECTION_MIN && lb_abs(origin.x) <= LB_FLOAT_MAX &&
           lb_abs(origin.y) <= LB_FLOAT_MAX && lb_abs(origin.z) <= LB_FLOAT_MAX;
}

/* Does the ray pass the box at some t >= 0? `*entry` becomes the t at which it enters, 0 where it starts inside. */
LB_INLINE bool lb_slab_passes(const lb_slab_ray *ray, const lb_box *box, float *entry)
{
    float in = 0.0f, out = LB_FLOAT_MAX;
    uint32_t a;
    for (a = 0; a < 3; a++) {
        bool backwards = ray->rcp[a] < 0.0f;
        float near = backwards ? box->upper[a] : box->lower[a];
        float far = backwards ? box->lower[a] : box->upper[a];
        in = lb_max((near - ray->origin[a]) * ray->rcp[a], in);
        out = lb_min((far - ray->origin[a]) * ray->rcp[a], out);
    }
    *entry = in;
    return in <= out * LB_SLAB_WIDEN;
}

/* A bound moved outward by one to two units in the last place, as a ray may lie in a box's face. Next to zero, where
 * that unit is next to nothing, it moves by 2^-64. It is monotone, so that a grown union is the union of grown
 * boxes. */
LB_INLINE float lb_box_grow_lower(float x)
{
    return x - (lb_abs(x) * 0x1p-23f + 0x1p-64f);
}

LB_INLINE float lb_box_grow_upper(float x)
{
    return x + (lb_abs(x) * 0x1p-23f + 0x1p-64f);
}

/* The box of nothing, to which boxes can be added. */
LB_INLINE lb_box lb_box_empty(void)
{
    lb_box box;
    uint32_t a;
    for (a = 0; a < 3; a++) {
        box.lower[a] = LB_FLOAT_MAX;
        box.upper[a] = -LB_FLOAT_MAX;
    }
    return box;
}

LB_INLINE bool lb_box_is_empty(const lb_box *box)
{
    return box->lower[0] > box->upper[0];
}

/* Can the box be calculated with? It must not be empty, NaN, or too large. */
LB_INLINE bool lb_box_is_regular(const lb_box *box)
{
    uint32_t a;
    bool regular = !lb_box_is_empty(box);
    for (a = 0; a < 3; a++)
        regular = regular && lb_abs(box->lower[a]) <= LB_COORDINATE_MAX &&
                  lb_abs(box->upper[a]) <= LB_COORDINATE_MAX;
    return regular;
}

/* Makes `box` the box around both. */
LB_INLINE void lb_box_add_box(lb_box *box, const lb_box *other)
{
    uint32_t a;
    for (a = 0; a < 3; a++) {
        box->lower[a] = lb_min(other->lower[a], box->lower[a]);
        box->upper[a] = lb_max(other->upper[a], box->upper[a]);
    }
}

/* The box of an affine image of a box, grown. Its sums are rounded, and so are the rays that are turned into the inner
 * space, so it grows by some units in the last place of the largest term, not of the result alone. */
LB_INLINE lb_box lb_box_transform(const lb_transform *m, const lb_box *box)
{
    lb_box image = lb_box_empty();
    uint32_t r, a;
    if (lb_box_is_empty(box))
        return image;
    for (r = 0; r < 3; r++) {
        float lower = m->m[r][3], upper = lower, size = lb_abs(lower);
        for (a = 0; a < 3; a++) {
            float p = m->m[r][a] * box->lower[a], q = m->m[r][a] * box->upper[a];
            lower += lb_min(p, q);
            upper += lb_max(p, q);
            size += lb_max(lb_abs(p), lb_abs(q));
        }
        image.lower[r] = lb_box_grow_lower(lower - size * 0x1p-20f);
        image.upper[r] = lb_box_grow_upper(upper + size * 0x1p-20f);
    }
    return image;
}

#endif
