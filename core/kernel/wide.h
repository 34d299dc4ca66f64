/* The tree as GPUs want it: 8-wide nodes of 80 bytes whose children's boxes are quantised (Ylitie, Karras, Laine,
 * "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017). Made from lb_scene's nodes by
 * core/wave/wide_build.c. The quantised boxes are conservative and every candidate goes through
 * core/kernel/intersect.h, so that hits are the same bits as any other traversal's. */
#ifndef LB_CORE_KERNEL_WIDE_H
#define LB_CORE_KERNEL_WIDE_H

#include "core/kernel/intersect.h"

/* Children sit in slots by where they lie: bit a of a slot is set on the upper side of axis a, so that slot ^ octant of
 * the ray counts from near to far. A child's box is origin + quantised * 2^(exponent - 127). */
typedef struct lb_wide_node {
    float origin[3];
    uint8_t exponent[3];
    uint8_t inner; /* slots that hold nodes: these follow each other from first_node, in slot order */
    uint32_t first_node, first_leaf; /* in lb_wide_tree.nodes and .leaves */
    /* Of a slot with a leaf: bits 4-0 its offset from first_leaf, 6-5 its elements - 1, 7 set: of others,
     * else of triangles; an instance is alone in its leaf; LB_WIDE_EMPTY: nothing. */
    uint8_t meta[8];
    uint8_t lower[3][8], upper[3][8];
} lb_wide_node;

#define LB_WIDE_EMPTY    0xffu
#define LB_WIDE_LEAF_MAX 4 /* elements a leaf */

/* One element of a leaf: a triangle, a quadric, a piece of a curve or an instance. */
typedef struct lb_wide_leaf {
    float corner[3][3]; /* of a triangle */
    uint32_t shape;     /* of a triangle with LB_WIDE_ALPHA where its shape has alpha; LB_NONE: an instance */
    uint32_t number;    /* of the primitive over all shapes (lb_shape.first_primitive); or of the instance */
    uint32_t box;       /* index into lb_scene.leaf_boxes, or LB_NONE: the box made from the corners */
} lb_wide_leaf;

#define LB_WIDE_ALPHA 0x80000000u

typedef struct lb_wide_tree {
    const lb_wide_node *nodes;
    const lb_wide_leaf *leaves;
    const uint32_t *roots; /* by geometry: its first node, or LB_NONE */
    uint32_t asks;         /* enum lb_wide_asks */
} lb_wide_tree;

/* What hits take besides a triangle's test: the traversal is compiled for each, so that none pays for more. */
enum lb_wide_asks {
    LB_WIDE_OPAQUE, /* nothing: all is opaque triangles */
    LB_WIDE_ASKING, /* there are quadrics, or shapes with alpha */
    LB_WIDE_CURVES, /* and curves */
    LB_WIDE_MOVING  /* and instances that move */
};

/* Entries of the traversal's stack: a node on the way down leaves at most one for its nodes and, in the world, one for
 * its others; each tree has LB_TREE_DEPTH nodes on its longest way, leaves that were split and its root's stand-in. One
 * more says where an instance ends. */
#define LB_WIDE_STACK (3 * (LB_TREE_DEPTH + 2) + 1)

typedef struct lb_wide_entry {
    uint32_t first_node;
    uint32_t slots; /* bits 15-8: children still to visit, by slot ^ octant; bits 7-0: the node's `inner` */
} lb_wide_entry;

/* What a walk seldom needs, where it takes no registers: in shared memory too. */
typedef struct lb_wide_aside {
    uint32_t instance; /* in whose tree it is; LB_NONE: the world's own */
    float into;        /* where the ray enters the instance's box; 0 in the world */
    uint32_t from;     /* 1 + number of the triangle that the ray leaves, where it lies in this tree; or 0 */
    uint32_t unused;
    const lb_ray *world; /* the ray in world space */
    /* The best one, where its t is less than the ray's t_max. Its primitive is numbered over all shapes. */
    lb_hit *hit;
} lb_wide_aside;

/* The traversal's stack: its lower part where access is fast (a GPU's shared memory, where the threads' entries
 * alternate), the rest in memory of the thread's own. Of the entries put there 996 in 1000 or more find room in the
 * lower part (dragon, coffee, sponza). */
#define LB_WIDE_FAST 6

typedef struct lb_wide_stack {
    lb_wide_aside *aside;
    lb_wide_entry *fast; /* entry i at fast[i * stride], i < LB_WIDE_FAST */
    uint32_t stride;
    lb_wide_entry slow[LB_WIDE_STACK - LB_WIDE_FAST];
} lb_wide_stack;

LB_INLINE void lb_wide_put(lb_wide_stack *stack, uint32_t height, lb_wide_entry entry)
{
    if (height < LB_WIDE_FAST)
        stack->fast[height * stack->stride] = entry;
    else
        stack->slow[height - LB_WIDE_FAST] = entry;
}

LB_INLINE lb_wide_entry lb_wide_get(const lb_wide_stack *stack, uint32_t height)
{
    return height < LB_WIDE_FAST ? stack->fast[height * stack->stride] : stack->slow[height - LB_WIDE_FAST];
}

/* In lb_wide_entry.slots: first_node is a node itself, and its slots named hold instances, quadrics or curves. */
#define LB_WIDE_OTHERS 0x80000000u

LB_INLINE uint32_t lb_wide_octant(const lb_slab_ray *ray)
{
    return (ray->rcp[0] < 0.0f ? 1u : 0u) | (ray->rcp[1] < 0.0f ? 2u : 0u) | (ray->rcp[2] < 0.0f ? 4u : 0u);
}

LB_INLINE uint32_t lb_wide_lowest(uint32_t mask) /* of the bits; mask is not 0 */
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__ffs((int)mask) - 1u;
#else
    return (uint32_t)__builtin_ctz(mask);
#endif
}

LB_INLINE uint32_t lb_wide_count(uint32_t mask)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__popc(mask);
#else
    return (uint32_t)__builtin_popcount(mask);
#endif
}

/* A mask by slot turned into one by slot ^ octant. Both halves of 16 bits may hold one of 8. */
LB_INLINE uint32_t lb_wide_by_step(uint32_t mask, uint32_t octant)
{
    if (octant & 1u)
        mask = (mask & 0x5555u) << 1 | (mask >> 1 & 0x5555u);
    if (octant & 2u)
        mask = (mask & 0x3333u) << 2 | (mask >> 2 & 0x3333u);
    if (octant & 4u)
        mask = (mask & 0x0f0fu) << 4 | (mask >> 4 & 0x0f0fu);
    return mask;
}

/* Byte `slot` of eight in two words. */
LB_INLINE uint32_t lb_wide_byte(uint32_t first, uint32_t second, uint32_t slot)
{
#ifdef __CUDA_ARCH__
    return __byte_perm(first, second, slot) & 0xffu;
#else
    return (slot < 4 ? first : second) >> (8 * (slot & 3u)) & 0xffu;
#endif
}

/* The first `count` words of what lies at `from`, which is aligned to 16 bytes; count is a multiple of 4. */
LB_INLINE void lb_wide_load(const void *from, uint32_t count, uint32_t *word)
{
#ifdef __CUDA_ARCH__
    const uint4 *quads = (const uint4 *)from;
#pragma unroll
    for (uint32_t i = 0; i < count / 4; i++) {
        uint4 quad = __ldg(quads + i);
        word[4 * i] = quad.x;
        word[4 * i + 1] = quad.y;
        word[4 * i + 2] = quad.z;
        word[4 * i + 3] = quad.w;
    }
#else
    memcpy(word, from, count * sizeof *word);
#endif
}

/* A traced hit as others name it: its primitive numbered within its shape. */
LB_INLINE lb_hit lb_wide_name(const lb_scene *scene, const lb_hit *hit)
{
    lb_hit named = *hit;
    if (named.primitive.shape != LB_NONE)
        named.primitive.primitive -= LB_ARRAY(scene, shapes, lb_shape)[named.primitive.shape].first_primitive;
    return named;
}

#endif
