/* Eight floats at once, in two halves of 128 bits, with NEON, which every 64-bit ARM has. */
#ifndef LB_CORE_CPU_LANES_NEON_H
#define LB_CORE_CPU_LANES_NEON_H

#include "core/kernel/shapes/box.h"

#include <arm_neon.h>

typedef struct lanes {
    float32x4_t low, high;
} lanes;

LB_INLINE lanes lanes_splat(float x)
{
    return (lanes){vdupq_n_f32(x), vdupq_n_f32(x)};
}

/* `from` need not be aligned. */
LB_INLINE lanes lanes_load(const float *from)
{
    return (lanes){vld1q_f32(from), vld1q_f32(from + 4)};
}

LB_INLINE void lanes_store(float *to, lanes a)
{
    vst1q_f32(to, a.low);
    vst1q_f32(to + 4, a.high);
}

/* Like lb_min and lb_max these give b where either is NaN, in which NEON's own instructions differ. */
LB_INLINE float32x4_t min_half(float32x4_t a, float32x4_t b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b);
}

LB_INLINE float32x4_t max_half(float32x4_t a, float32x4_t b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

/* Defines a function that applies the same operation to each lane of `a` and its counterpart of `b`. */
#define OF_PAIRS(name, operation)                                                                            \
    LB_INLINE lanes name(lanes a, lanes b)                                                                   \
    {                                                                                                        \
        return (lanes){operation(a.low, b.low), operation(a.high, b.high)};                                  \
    }
OF_PAIRS(lanes_add, vaddq_f32)
OF_PAIRS(lanes_sub, vsubq_f32)
OF_PAIRS(lanes_mul, vmulq_f32)
OF_PAIRS(lanes_div, vdivq_f32)
OF_PAIRS(lanes_min, min_half)
OF_PAIRS(lanes_max, max_half)
#undef OF_PAIRS

LB_INLINE lanes lanes_abs(lanes a)
{
    return (lanes){vabsq_f32(a.low), vabsq_f32(a.high)};
}

/* Bit i of the result is the uppermost bit of lane i. It tells signs of floats, and the results of comparisons, whose
 * lanes have no bit set or all. */
LB_INLINE uint32_t top_bits(uint32x4_t low, uint32x4_t high)
{
    static const int32_t places[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32x4_t low_bits = vshlq_u32(vshrq_n_u32(low, 31), vld1q_s32(places));
    uint32x4_t high_bits = vshlq_u32(vshrq_n_u32(high, 31), vld1q_s32(places + 4));
    return vaddvq_u32(vorrq_u32(low_bits, high_bits));
}

/* A number that is the same in all lanes, in the form that lanes_fma takes. */
typedef float32x4_t uniform;
LB_INLINE uniform uniform_make(float x)
{
    return vdupq_n_f32(x);
}

/* a * b + c, rounded once. */
LB_INLINE lanes lanes_fma(lanes a, uniform b, uniform c)
{
    return (lanes){vfmaq_f32(c, a.low, b), vfmaq_f32(c, a.high, b)};
}

LB_INLINE float32x4_t select_half(float32x4_t a, float32x4_t b, float32x4_t sign)
{
    return vbslq_f32(vreinterpretq_u32_s32(vshrq_n_s32(vreinterpretq_s32_f32(sign), 31)), b, a);
}

/* In each lane: b where `sign` is negative or -0, else a. */
LB_INLINE lanes lanes_select(lanes a, lanes b, lanes sign)
{
    return (lanes){select_half(a.low, b.low, sign.low), select_half(a.high, b.high, sign.high)};
}

/* A permutation of lanes, four bits for each: lane i of lanes_permute's result is lane (order >> 4 i) & 7 of its
 * argument. */
typedef uint32_t lanes_order;
LB_INLINE lanes_order lanes_order_make(uint32_t order)
{
    return order;
}

LB_INLINE lanes lanes_permute(lanes a, lanes_order order)
{
    float from[8], to[8];
    lanes_store(from, a);
    for (uint32_t i = 0; i < 8; i++)
        to[i] = from[order >> 4 * i & 7];
    return lanes_load(to);
}

/* Bit i says whether a <= b in lane i, which is false where either is NaN. */
LB_INLINE uint32_t lanes_less_equal(lanes a, lanes b)
{
    return top_bits(vcleq_f32(a.low, b.low), vcleq_f32(a.high, b.high));
}

LB_INLINE uint32x4_t any_zero_half(float32x4_t a, float32x4_t b, float32x4_t c)
{
    return vorrq_u32(vorrq_u32(vceqzq_f32(a), vceqzq_f32(b)), vceqzq_f32(c));
}

/* Bit i says whether any of the three is zero in lane i. */
LB_INLINE uint32_t lanes_any_zero(lanes a, lanes b, lanes c)
{
    return top_bits(any_zero_half(a.low, b.low, c.low), any_zero_half(a.high, b.high, c.high));
}

/* In each lane, the uppermost bit says whether the signs of the three differ. */
LB_INLINE uint32x4_t signs_differ_half(float32x4_t a, float32x4_t b, float32x4_t c)
{
    uint32x4_t sign = vreinterpretq_u32_f32(a);
    return vorrq_u32(veorq_u32(sign, vreinterpretq_u32_f32(b)), veorq_u32(sign, vreinterpretq_u32_f32(c)));
}

/* Bit i says whether the three have the same sign bit in lane i. */
LB_INLINE uint32_t lanes_same_sign(lanes a, lanes b, lanes c)
{
    return ~top_bits(signs_differ_half(a.low, b.low, c.low), signs_differ_half(a.high, b.high, c.high)) & 255;
}

#endif
