/* The tree as GPUs want it: 8-wide nodes of 80 bytes whose children's boxes are quantised (Ylitie, Karras, Laine, "Efficient
 * Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017). Made from lb_scene's nodes by cuda/wide_build.c. The
 * quantised boxes are conservative and every candidate goes through core/kernel/intersect.h, so that hits are the same bits as
 * any other traversal's. */
#ifndef LB_CORE_KERNEL_WIDE_H
#define LB_CORE_KERNEL_WIDE_H

#include "core/kernel/intersect.h"

/* Children sit in slots by where they lie: bit a of a slot is set on the upper side of axis a, so that slot ^ octant of the ray
 * counts from near to far. A child's box is origin + quantised * 2^(exponent - 127). */
typedef struct lb_wide_node {
    float origin[3];
    uint8_t exponent[3];
    uint8_t inner; /* slots that hold nodes: these follow each other from first_node, in slot order */
    uint32_t first_node, first_leaf; /* in lb_wide_tree.nodes and .leaves */
    uint8_t
        meta[8]; /* of a slot with a leaf: bits 4-0 its offset from first_leaf, 6-5 its elements - 1, 7 set:
                                        of others, else of triangles; an instance is alone in its leaf; LB_WIDE_EMPTY: nothing */
    uint8_t lower[3][8], upper[3][8];
} lb_wide_node;

#define LB_WIDE_EMPTY    0xffu
#define LB_WIDE_LEAF_MAX 4 /* elements a leaf */

/* One element of a leaf. */
typedef struct lb_wide_leaf {
    float corner[3][3];     /* triangles */
    lb_primitive primitive; /* of others: a quadric's shape; or LB_NONE, and primitive is the instance */
    uint32_t box;           /* index into lb_scene.leaf_boxes, or LB_NONE: the box made from the corners */
} lb_wide_leaf;

typedef struct lb_wide_tree {
    const lb_wide_node *nodes;
    const lb_wide_leaf *leaves;
    const uint32_t *roots; /* by geometry: its first node, or LB_NONE */
} lb_wide_tree;

/* Entries of the traversal's stack: a node on the way down leaves at most one for its nodes and, in the world, one for its
 * instances; each tree has LB_TREE_DEPTH nodes on its longest way, leaves that were split and its root's stand-in. */
#define LB_WIDE_STACK (3 * (LB_TREE_DEPTH + 2))

typedef struct lb_wide_entry {
    uint32_t first_node;
    uint32_t slots; /* bits 15-8: children still to visit, by slot ^ octant; bits 7-0: the node's `inner` */
} lb_wide_entry;

/* The traversal's stack: its lower part where access is fast (a GPU's shared memory, where the threads' entries alternate), the rest in
 * memory of the thread's own. */
#define LB_WIDE_FAST 8

typedef struct lb_wide_stack {
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

/* In lb_wide_entry.slots: first_node is a node itself, and its slots named hold an instance each. */
#define LB_WIDE_INSTANCES 0x80000000u

/* The ray made ready for one node after another. */
typedef struct lb_wide_search {
    lb_search search;
    lb_search_space space; /* that of the tree being walked */
    uint32_t octant;
    bool in_instance;
    uint32_t floor; /* stack height at which the instance is done */
} lb_wide_search;

typedef struct lb_wide_found {
    lb_hit hit;
    bool better; /* it is the best now */
} lb_wide_found;

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

/* b when a is NaN; b never is. One instruction each on a GPU. */
LB_INLINE float lb_wide_min(float a, float b)
{
#ifdef __CUDA_ARCH__
    return fminf(a, b);
#else
    return lb_min(a, b);
#endif
}

LB_INLINE float lb_wide_max(float a, float b)
{
#ifdef __CUDA_ARCH__
    return fmaxf(a, b);
#else
    return lb_max(a, b);
#endif
}

/* Which children the ray may hit before `t_max`, by slot. A child's slab is q * a + b with a, b made once a node; `slack` holds all
 * that rounding can take from it and from the exact test of the box within: both subtract, multiply and add once, each off by at
 * most 2^-24 of |1/d| (|origin - o| + 256 scale). */
LB_INLINE uint32_t lb_wide_children(const lb_wide_node *node, const lb_slab_ray *ray, float t_max)
{
    float a[3], near_b[3], far_b[3];
    uint32_t word[20], near_q[6], far_q[6], axis, slot, mask = 0;
    lb_wide_load(node, 20, word);
    for (axis = 0; axis < 3; axis++) {
        float scale = lb_bits_float((word[3] >> (8 * axis) & 0xffu) << 23);
        float from = lb_bits_float(word[axis]) - ray->origin[axis];
        float rcp = ray->rcp[axis], b = from * rcp;
        float slack = lb_abs(rcp) * (lb_abs(from) + 256.0f * scale) * (8.0f * 0x1p-24f);
        bool backwards = rcp < 0.0f;
        a[axis] = scale * rcp;
        near_b[axis] = b - slack;
        far_b[axis] = b + slack;
        for (slot = 0; slot < 2; slot++) { /* four of them a word */
            uint32_t lower = word[8 + 2 * axis + slot], upper = word[14 + 2 * axis + slot];
            near_q[2 * axis + slot] = backwards ? upper : lower;
            far_q[2 * axis + slot] = backwards ? lower : upper;
        }
    }
    for (slot = 0; slot < 8; slot++) {
        float in = 0.0f, out = t_max;
        uint32_t shift = 8 * (slot & 3u);
        for (axis = 0; axis < 3; axis++) {
            float near_plane = (float)(near_q[2 * axis + (slot >> 2)] >> shift & 0xffu);
            float far_plane = (float)(far_q[2 * axis + (slot >> 2)] >> shift & 0xffu);
            in = lb_wide_max(near_plane * a[axis] + near_b[axis], in);
            out = lb_wide_min(far_plane * a[axis] + far_b[axis], out);
        }
        if (in <= out * LB_SLAB_WIDEN &&
            ((word[6 + (slot >> 2)] >> shift & 0xffu) != LB_WIDE_EMPTY || (word[3] >> (24 + slot) & 1u)))
            mask |= 1u << slot;
    }
    return mask;
}

LB_INLINE bool lb_wide_triangle(lb_wide_search *s, const lb_wide_leaf *leaf)
{
    float t, b1, b2, corner[3][3];
    uint32_t word[12], i;
    lb_box box;
    lb_primitive primitive;
    lb_wide_load(leaf, 12, word);
    for (i = 0; i < 9; i++)
        corner[i / 3][i % 3] = lb_bits_float(word[i]);
    if (!lb_triangle_hit(&s->space.ray, corner, &t, &b1, &b2))
        return false;
    primitive.shape = word[9];
    primitive.primitive = word[10];
    if (word[11] == LB_NONE)
        box = lb_triangle_box(corner);
    else
        box = LB_ARRAY(s->search.scene, leaf_boxes, lb_box)[word[11]];
    return lb_search_offer(&s->search, &s->space, primitive, &box, t, b1, b2);
}

/* Spheres and disks are rare: their test is a function of its own, by value, and prepares the ray again. */
LB_FUNCTION lb_wide_found lb_wide_quadric_found(const lb_scene *scene, const lb_ray *ray, uint32_t instance,
                                                uint32_t number, lb_hit best)
{
    lb_wide_found result;
    lb_search search;
    lb_search_space space;
    lb_search_start(&search, scene, ray);
    search.best = best;
    result.better = lb_search_enter_world(&search, &space);
    if (result.better && instance != LB_NONE) {
        lb_search_space world = space;
        result.better = lb_search_enter_instance(&search, &world, instance, &space);
    }
    result.better = result.better && lb_search_quadric(&search, &space, number);
    result.hit = search.best;
    return result;
}

LB_INLINE bool lb_wide_quadric(lb_wide_search *s, uint32_t number)
{
    lb_wide_found result =
        lb_wide_quadric_found(s->search.scene, s->search.ray, s->space.instance, number, s->search.best);
    if (result.better) {
        s->search.best = result.hit;
        s->search.found = true;
    }
    return result.better;
}

/* Enters the tree of `geometry` by its root: the next entry to visit. False: it is empty. */
LB_INLINE bool lb_wide_enter(lb_wide_search *s, const lb_wide_tree *tree, uint32_t geometry,
                             lb_wide_entry *entry)
{
    uint32_t root = tree->roots[geometry];
    s->octant = lb_wide_octant(&s->space.ray);
    /* As if the root were the one child, in slot 0, of a node above it. */
    entry->first_node = root;
    entry->slots = 1u << (8 + s->octant) | 1u;
    return root != LB_NONE;
}

/* Tests the leaves among the children `hit` of a node, nearest slot first, and collects those that hold an instance, by slot ^
 * octant. True: a hit, and `any` is all that was asked. */
LB_INLINE bool lb_wide_leaves(lb_wide_search *s, const lb_wide_tree *tree, const lb_wide_node *node,
                              uint32_t hit, bool any, uint32_t *instances)
{
    uint32_t step, i;
    for (step = 0; step < 8; step++) {
        uint32_t slot = step ^ s->octant, meta = node->meta[slot], count = (meta >> 5 & 3u) + 1u;
        const lb_wide_leaf *leaf = tree->leaves + node->first_leaf + (meta & 31u);
        if (!(hit >> slot & 1u))
            continue;
        if ((meta & 128u) && leaf->primitive.shape == LB_NONE) {
            *instances |= 1u << step;
            continue;
        }
        for (i = 0; i < count; i++, leaf++) {
            bool better =
                (meta & 128u) ? lb_wide_quadric(s, leaf->primitive.shape) : lb_wide_triangle(s, leaf);
            if (better && any)
                return true;
        }
    }
    return false;
}

LB_INLINE uint32_t lb_wide_by_step(uint32_t slots,
                                   uint32_t octant) /* a mask by slot, turned into one by slot ^ octant */
{
    uint32_t step, mask = 0;
    for (step = 0; step < 8; step++)
        mask |= (slots >> (step ^ octant) & 1u) << step;
    return mask;
}

/* The number of the instance that the next of an entry's pending slots holds. */
LB_INLINE uint32_t lb_wide_take_instance(const lb_wide_search *s, const lb_wide_tree *tree,
                                         lb_wide_entry *entry)
{
    const lb_wide_node *node = tree->nodes + entry->first_node;
    uint32_t step = lb_wide_lowest(entry->slots >> 8);
    entry->slots &= ~(1u << (8 + step));
    return tree->leaves[node->first_leaf + (node->meta[step ^ s->octant] & 31u)].primitive.primitive;
}

/* The node that the next of an entry's slots holds. */
LB_INLINE uint32_t lb_wide_take_node(const lb_wide_search *s, lb_wide_entry *entry)
{
    uint32_t step = lb_wide_lowest(entry->slots >> 8), slot = step ^ s->octant;
    entry->slots &= ~(1u << (8 + step));
    return entry->first_node + lb_wide_count(entry->slots & 0xffu & ((1u << slot) - 1u));
}

/* The closest hit, or, when `any`, whether there is one at all (the hit is then some hit). */
LB_INLINE bool lb_wide_trace(const lb_scene *scene, const lb_wide_tree *tree, const lb_ray *ray, bool any,
                             lb_wide_stack *stack, lb_hit *hit)
{
    lb_wide_search s;
    lb_wide_entry entry;
    uint32_t height = 0;
    lb_search_start(&s.search, scene, ray);
    if (!lb_search_enter_world(&s.search, &s.space))
        return lb_search_end(&s.search, hit);
    s.in_instance = false;
    s.floor = 0;
    if (!lb_wide_enter(&s, tree, 0, &entry))
        return lb_search_end(&s.search, hit);
    for (;;) {
        if (!(entry.slots >> 8 & 0xffu)) { /* nothing left in it */
            if (s.in_instance && height == s.floor) {
                s.in_instance = false;
                lb_search_enter_world(&s.search, &s.space); /* cheaper than to keep it */
                s.octant = lb_wide_octant(&s.space.ray);
            }
            if (height == 0)
                break;
            entry = lb_wide_get(stack, --height);
        } else if (entry.slots & LB_WIDE_INSTANCES) {
            uint32_t instance = lb_wide_take_instance(&s, tree, &entry);
            lb_wide_entry inside;
            if (lb_search_enter_instance(&s.search, &s.space, instance, &s.space) &&
                lb_wide_enter(&s, tree, LB_ARRAY(scene, instances, lb_instance)[instance].geometry,
                              &inside)) {
                lb_wide_put(stack, height++, entry);
                s.in_instance = true;
                s.floor = height;
                entry = inside;
            } else {
                lb_search_enter_world(&s.search, &s.space); /* cheaper than to keep it */
                s.octant = lb_wide_octant(&s.space.ray);
            }
        } else {
            uint32_t number = lb_wide_take_node(&s, &entry), hits, instances = 0;
            const lb_wide_node *node = tree->nodes + number;
            hits = lb_wide_children(node, &s.space.ray, s.search.best.t);
            if (entry.slots >> 8 & 0xffu)
                lb_wide_put(stack, height++, entry);
            entry.first_node = node->first_node;
            entry.slots = lb_wide_by_step(hits & node->inner, s.octant) << 8 | node->inner;
            if (lb_wide_leaves(&s, tree, node, hits & ~(uint32_t)node->inner, any, &instances))
                break;
            if (instances) {
                if (entry.slots >> 8 & 0xffu)
                    lb_wide_put(stack, height++, entry);
                entry.first_node = number;
                entry.slots = LB_WIDE_INSTANCES | instances << 8;
            }
        }
    }
    return lb_search_end(&s.search, hit);
}

#endif
