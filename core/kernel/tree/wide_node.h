/* Tells which children of a compressed node a ray may hit. It may name too many, but never too few: what is hit is
 * decided by exact tests later. */
#ifndef LB_CORE_KERNEL_TREE_WIDE_NODE_H
#define LB_CORE_KERNEL_TREE_WIDE_NODE_H

#include "core/kernel/tree/wide.h"

/* What a visit to a node found. */
typedef struct lb_wide_visit {
    uint32_t first_node, first_leaf, inner;
    uint32_t meta[2]; /* four slots in each word */
    uint32_t hit;     /* a bit for each slot, for empty ones too */
} lb_wide_visit;

/* The lesser and the greater number; b when a is NaN, which b never is. A GPU has one instruction for each. */
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

/* a * b + c, rounded once or twice. It is written in assembler, so that the only contraction that a compiler's output
 * may show is seen to be meant. */
LB_INLINE float lb_wide_multiply_add(float a, float b, float c)
{
#ifdef __CUDA_ARCH__
    float sum;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(sum) : "f"(a), "f"(b), "f"(c));
    return sum;
#else
    return a * b + c;
#endif
}

/* 32768 plus a byte of a word: the byte is put into the fraction of 32768, which a GPU does with one instruction. */
LB_INLINE float lb_wide_plane(uint32_t word, uint32_t byte)
{
#ifdef __CUDA_ARCH__
    return __uint_as_float(__byte_perm(word, 0x47000000u, 0x7404u | byte << 4));
#else
    return lb_bits_float(0x47000000u | (word >> (8 * byte) & 0xffu) << 8);
#endif
}

/* Finds the children that the ray may hit before `t_max`. A plane of a child's box is at t = (32768 + q) a + b, with a
 * and b made once for each node, where b includes the node's origin less 32768 steps of the grid. `reach` times 2^-20
 * is a margin for all that rounding can take from it and from the exact test of the box within, and for what the exact
 * test widens the far side by: together these are below 16 * 2^-24 of |1/d| (|origin - o| + 33024 scale), which is 1/30
 * of a step. Another margin is for what is lost below the least normal number. Where numbers overflow they become NaN
 * or too far outward, and limit nothing. */
LB_INLINE void lb_wide_children(const lb_wide_node *node, const lb_slab_ray *ray, float t_max,
                                lb_wide_visit *visit)
{
    float a[3], near_b[3], far_b[3], limit = t_max * LB_SLAB_WIDEN;
    uint32_t word[20], near_q[6], far_q[6], axis, half, slot;
    lb_wide_load(node, 20, word);
    for (axis = 0; axis < 3; axis++) {
        float scale = lb_bits_float((word[3] >> (8 * axis) & 0xffu) << 23), rcp = ray->rcp[axis];
        float from = lb_bits_float(word[axis]) - ray->origin[axis];
        float b = lb_wide_multiply_add(scale, -32768.0f, from) * rcp;
        float reach = lb_wide_multiply_add(scale, 33024.0f, lb_abs(from)) * lb_abs(rcp);
        bool backwards = rcp < 0.0f;
        a[axis] = scale * rcp;
        near_b[axis] = lb_wide_multiply_add(reach, -0x1p-20f, b) - 0x1p-126f;
        far_b[axis] = lb_wide_multiply_add(reach, 0x1p-20f, b) + 0x1p-126f;
        for (half = 0; half < 2; half++) { /* four children in each word */
            uint32_t lower = word[8 + 2 * axis + half], upper = word[14 + 2 * axis + half];
            near_q[2 * axis + half] = backwards ? upper : lower;
            far_q[2 * axis + half] = backwards ? lower : upper;
        }
    }
    visit->hit = 0;
    for (slot = 0; slot < 8; slot++) {
        float in = 0.0f, out = limit;
        for (axis = 0; axis < 3; axis++) {
            uint32_t of = 2 * axis + (slot >> 2);
            in = lb_wide_max(
                lb_wide_multiply_add(lb_wide_plane(near_q[of], slot & 3u), a[axis], near_b[axis]), in);
            out = lb_wide_min(lb_wide_multiply_add(lb_wide_plane(far_q[of], slot & 3u), a[axis], far_b[axis]),
                              out);
        }
        if (in <= out)
            visit->hit |= 1u << slot;
    }
    visit->inner = word[3] >> 24;
    visit->first_node = word[4];
    visit->first_leaf = word[5];
    visit->meta[0] = word[6];
    visit->meta[1] = word[7];
}

#endif
