/* Eight floats at once in plain C: loops that gcc and clang turn into whatever vectors the target has. The other files
 * of this name are to give the same bits. */
#ifndef LB_CORE_CPU_LANES_PORTABLE_H
#define LB_CORE_CPU_LANES_PORTABLE_H

#include "core/kernel/shapes/box.h"

typedef struct lanes {
    float v[8];
} lanes;

LB_INLINE lanes lanes_splat(float x)
{
    lanes r;
    for (uint32_t i = 0; i < 8; i++)
        r.v[i] = x;
    return r;
}

/* `from` need not be aligned. */
LB_INLINE lanes lanes_load(const float *from)
{
    lanes r;
    for (uint32_t i = 0; i < 8; i++)
        r.v[i] = from[i];
    return r;
}

LB_INLINE void lanes_store(float *to, lanes a)
{
    for (uint32_t i = 0; i < 8; i++)
        to[i] = a.v[i];
}

/* Defines a function that applies the same expression to each lane of `a` and its counterpart of `b`. */
#define OF_PAIRS(name, expression)                                                                           \
    LB_INLINE lanes name(lanes a, lanes b)                                                                   \
    {                                                                                                        \
        lanes r;                                                                                             \
        for (uint32_t i = 0; i < 8; i++)                                                                     \
            r.v[i] = expression;                                                                             \
        return r;                                                                                            \
    }
OF_PAIRS(lanes_add, a.v[i] + b.v[i])
OF_PAIRS(lanes_sub, a.v[i] - b.v[i])
OF_PAIRS(lanes_mul, a.v[i] * b.v[i])
OF_PAIRS(lanes_div, a.v[i] / b.v[i])
OF_PAIRS(lanes_min, lb_min(a.v[i], b.v[i])) /* both give b where either is NaN */
OF_PAIRS(lanes_max, lb_max(a.v[i], b.v[i]))
#undef OF_PAIRS

LB_INLINE lanes lanes_abs(lanes a)
{
    lanes r;
    for (uint32_t i = 0; i < 8; i++)
        r.v[i] = lb_abs(a.v[i]);
    return r;
}

/* A number that is the same in all lanes, in the form that lanes_fma takes. */
typedef float uniform;
LB_INLINE uniform uniform_make(float x)
{
    return x;
}

/* a * b + c, rounded once. */
LB_INLINE lanes lanes_fma(lanes a, uniform b, uniform c)
{
    lanes r;
    for (uint32_t i = 0; i < 8; i++)
        r.v[i] = lb_fma(a.v[i], b, c);
    return r;
}

/* In each lane: b where `sign` is negative or -0, else a. */
LB_INLINE lanes lanes_select(lanes a, lanes b, lanes sign)
{
    lanes r;
    for (uint32_t i = 0; i < 8; i++)
        r.v[i] = lb_float_bits(sign.v[i]) >> 31 ? b.v[i] : a.v[i];
    return r;
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
    lanes r;
    for (uint32_t i = 0; i < 8; i++)
        r.v[i] = a.v[order >> 4 * i & 7];
    return r;
}

/* Bit i says whether a <= b in lane i, which is false where either is NaN. */
LB_INLINE uint32_t lanes_less_equal(lanes a, lanes b)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 8; i++)
        bits |= (uint32_t)(a.v[i] <= b.v[i]) << i;
    return bits;
}

/* Bit i says whether any of the three is zero in lane i. */
LB_INLINE uint32_t lanes_any_zero(lanes a, lanes b, lanes c)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 8; i++)
        bits |= (uint32_t)(a.v[i] == 0.0f || b.v[i] == 0.0f || c.v[i] == 0.0f) << i;
    return bits;
}

/* Bit i says whether the three have the same sign bit in lane i. */
LB_INLINE uint32_t lanes_same_sign(lanes a, lanes b, lanes c)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 8; i++)
        bits |= (uint32_t)((lb_float_bits(a.v[i]) >> 31) == (lb_float_bits(b.v[i]) >> 31) &&
                           (lb_float_bits(a.v[i]) >> 31) == (lb_float_bits(c.v[i]) >> 31))
                << i;
    return bits;
}

#endif
