/* The tree in the form that suits GPUs: nodes of eight children in 80 bytes, whose boxes are quantised (Ylitie, Karras,
 * Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017). core/wave/wide_build.c makes
 * it of the scene's nodes. The quantised boxes are conservative, and every candidate goes through
 * core/kernel/tree/intersect.h, so that hits are the same bits as those of any other traversal. */
#ifndef LB_CORE_KERNEL_TREE_WIDE_H
#define LB_CORE_KERNEL_TREE_WIDE_H

#include "core/kernel/tree/intersect.h"

/* A node. Children sit in slots by where they lie: bit a of a slot's number is set on the upper side of axis a, so that
 * slot ^ octant of the ray counts from near to far. A child's box is origin + quantised * 2^(exponent - 127). */
typedef struct lb_wide_node {
    float origin[3];
    uint8_t exponent[3];
    /* a bit for each slot that holds a node; these nodes follow each other from first_node on, in the order of slots */
    uint8_t inner;
    uint32_t first_node, first_leaf; /* indices into lb_wide_tree.nodes and .leaves */
    /* For each slot with a leaf: bits 4-0 are its offset from first_leaf, bits 6-5 its number of elements less one.
     * Bit 7 is clear for triangles and set for others; an instance is alone in its leaf. LB_WIDE_EMPTY: the slot is
     * empty. For each slot with a node: bit 7 is set where no leaf below asks anything (enum lb_wide_asks). */
    uint8_t meta[8];
    uint8_t lower[3][8], upper[3][8];
} lb_wide_node;

#define LB_WIDE_EMPTY    0xffu
#define LB_WIDE_LEAF_MAX 4 /* the most elements that a leaf has */

/* One element of a leaf: a triangle, a quadric, a piece of a curve or an instance. */
typedef struct lb_wide_leaf {
    float corner[3][3]; /* for a triangle; for a quadric the lower and the upper corner of its box */
    /* Index of the shape, for a triangle with LB_WIDE_ALPHA where its shape has alpha; LB_NONE: an instance. */
    uint32_t shape;
    /* Number of the primitive over all shapes (lb_shape.first_primitive), or of the instance. */
    uint32_t number;
    /* Index into lb_scene.leaf_boxes, or LB_NONE: the box is made of the corners. For an instance 0, or LB_NONE: no
     * leaf of its tree asks anything. */
    uint32_t box;
} lb_wide_leaf;

#define LB_WIDE_ALPHA 0x80000000u

/* The trees of all geometries of a scene. */
typedef struct lb_wide_tree {
    const lb_wide_node *nodes;
    const lb_wide_leaf *leaves;
    const uint32_t *roots; /* for each geometry its first node, or LB_NONE */
    uint32_t asks;         /* enum lb_wide_asks */
    /* It is LB_WIDE_ASKING, and so few primitives ask that two walks are thought to cost less than one. */
    uint32_t few_ask;
} lb_wide_tree;

/* What hits may ask beyond the test of a triangle. The traversal is compiled for each of these, so that no scene pays
 * for what it does not have. Two of them are of walks alone, never of a tree: they share the work of LB_WIDE_ASKING, so
 * that rays which meet nothing but opaque triangles, as most do where few primitives ask, need no more than the
 * first, whose code calls nothing. */
enum lb_wide_asks {
    LB_WIDE_OPAQUE, /* nothing: all is opaque triangles */
    LB_WIDE_FIRST,  /* whatever asks is passed by, and the walk notes that it met such (LB_WIDE_MET) */
    LB_WIDE_REST,   /* only what asks is tested, and the hit so far is that of the first walk */
    LB_WIDE_ASKING, /* there are quadrics, or shapes with alpha */
    LB_WIDE_CURVES, /* there may be curves, too */
    LB_WIDE_MOVING  /* there may be instances that move, too */
};

/* On a stack that is lower than this, triangles that are to be tested may wait while the walk goes on. */
#define LB_WIDE_WAITING 12

/* How many entries the traversal's stack has. A node on the way down leaves at most one entry for its nodes and, in the
 * world, one for its others. Each tree has LB_TREE_DEPTH nodes on its longest way, beside leaves that were split and a
 * stand-in for its root. One more entry says where an instance ends. Entries of triangles that wait stand among the
 * first LB_WIDE_WAITING, but for the last of them, which may come behind two entries of the node that it waits for. */
#define LB_WIDE_STACK (3 * (LB_TREE_DEPTH + 2) + 1 + LB_WIDE_WAITING + 1)

/* Children of a node that are still to be visited, or triangles that are still to be tested. */
typedef struct lb_wide_entry {
    /* Index of the first child; LB_NONE: an instance ends here. With LB_WIDE_TRIANGLES: index of a leaf's element, and
     * `slots` has a bit for each element from there on that is to be tested. */
    uint32_t first_node;
    /* Bits 15-8: children still to be visited, by slot ^ octant; bits 7-0: the node's `inner`. */
    uint32_t slots;
} lb_wide_entry;

#define LB_WIDE_TRIANGLES 0x80000000u /* in first_node, whose indices are less */

/* What a walk seldom needs. It stands in shared memory, too, where it takes no registers. */
typedef struct lb_wide_aside {
    uint32_t instance; /* instance in whose tree the walk is; LB_NONE: the world's own */
    float into;        /* where the ray enters the instance's box; 0 in the world */
    uint32_t from;     /* 1 + number of the triangle that the ray leaves, if that lies in this tree; else 0 */
    /* A wavefront's: whose ray it is; LB_NONE: there are no more. With LB_WIDE_MET where a walk of LB_WIDE_FIRST has
     * met what may be a better hit, but asks. */
    uint32_t slot;
    const lb_ray *world; /* the ray in world space */
    /* The best hit, which is one if its t is less than the ray's t_max. Its primitive is numbered over all shapes. */
    lb_hit *hit;
} lb_wide_aside;

#define LB_WIDE_MET 0x80000000u

/* The traversal's stack. Its lower part stands where access is fast, in a GPU's shared memory, where the threads'
 * entries alternate; the rest stands in memory of the thread's own. 996 of 1000 entries or more find room in the lower
 * part (measured on the scenes dragon, coffee and sponza). */
#define LB_WIDE_FAST 6

typedef struct lb_wide_stack {
    lb_wide_aside *aside;
    lb_wide_entry *fast; /* entry i is at fast[i * stride], for i < LB_WIDE_FAST */
    uint32_t stride;
    lb_wide_entry slow[LB_WIDE_STACK - LB_WIDE_FAST];
} lb_wide_stack;

/* Writes and reads the stack's entry at a height. */
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

/* A flag in lb_wide_entry.slots: first_node is a node itself, and the slots named hold instances, quadrics or
 * curves. */
#define LB_WIDE_OTHERS 0x80000000u

/* The ray's octant: bit a says that it goes backwards along axis a. */
LB_INLINE uint32_t lb_wide_octant(const lb_slab_ray *ray)
{
    return (ray->rcp[0] < 0.0f ? 1u : 0u) | (ray->rcp[1] < 0.0f ? 2u : 0u) | (ray->rcp[2] < 0.0f ? 4u : 0u);
}

LB_INLINE uint32_t lb_wide_lowest(uint32_t mask) /* the number of the lowest bit; mask is not 0 */
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__ffs((int)mask) - 1u;
#else
    return (uint32_t)__builtin_ctz(mask);
#endif
}

/* The number of bits that are set. */
LB_INLINE uint32_t lb_wide_count(uint32_t mask)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__popc(mask);
#else
    return (uint32_t)__builtin_popcount(mask);
#endif
}

/* Turns a mask by slot into one by slot ^ octant. Both halves of 16 bits may hold a mask of 8. */
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

/* Byte `slot` of the eight in two words. */
LB_INLINE uint32_t lb_wide_byte(uint32_t first, uint32_t second, uint32_t slot)
{
#ifdef __CUDA_ARCH__
    return __byte_perm(first, second, slot) & 0xffu;
#else
    return (slot < 4 ? first : second) >> (8 * (slot & 3u)) & 0xffu;
#endif
}

/* Loads the first `count` words of what lies at `from`, which is aligned to 16 bytes; `count` is a multiple of 4. */
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

/* A traced hit with its primitive numbered within its shape, as all others have it. */
LB_INLINE lb_hit lb_wide_name(const lb_scene *scene, const lb_hit *hit)
{
    lb_hit named = *hit;
    if (named.primitive.shape != LB_NONE)
        named.primitive.primitive -= LB_ARRAY(scene, shapes, lb_shape)[named.primitive.shape].first_primitive;
    return named;
}

#endif
