/* Eight floats at once in plain C: loops that gcc and clang turn into whatever vectors the target has. */
#ifndef LB_CORE_CPU_LANES_PORTABLE_H
#define LB_CORE_CPU_LANES_PORTABLE_H

#include "core/kernel/box.h"

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

/* The same expression of each pair of lanes. */
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
OF_PAIRS(lanes_min, lb_min(a.v[i], b.v[i])) /* b where either is NaN */
OF_PAIRS(lanes_max, lb_max(a.v[i], b.v[i]))
#undef OF_PAIRS

LB_INLINE lanes lanes_abs(lanes a)
{
    lanes r;
    for (uint32_t i = 0; i < 8; i++)
        r.v[i] = lb_abs(a.v[i]);
    return r;
}

/* a * b + c, rounded once. */
LB_INLINE lanes lanes_fma(lanes a, lanes b, lanes c)
{
    lanes r;
    for (uint32_t i = 0; i < 8; i++)
        r.v[i] = lb_fma(a.v[i], b.v[i], c.v[i]);
    return r;
}

/* b where `sign` has its sign bit set, else a. */
LB_INLINE lanes lanes_select(lanes a, lanes b, lanes sign)
{
    lanes r;
    for (uint32_t i = 0; i < 8; i++)
        r.v[i] = lb_float_bits(sign.v[i]) >> 31 ? b.v[i] : a.v[i];
    return r;
}

/* Lane i of the result is lane (order >> 4 i) & 7 of a. */
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

/* Bit i: does it hold in lane i? Never for NaN. */
LB_INLINE uint32_t lanes_less_equal(lanes a, lanes b)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 8; i++)
        bits |= (uint32_t)(a.v[i] <= b.v[i]) << i;
    return bits;
}

/* Is any of three zero? */
LB_INLINE uint32_t lanes_any_zero(lanes a, lanes b, lanes c)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 8; i++)
        bits |= (uint32_t)(a.v[i] == 0.0f || b.v[i] == 0.0f || c.v[i] == 0.0f) << i;
    return bits;
}

/* Are the sign bits of three alike? */
LB_INLINE uint32_t lanes_same_sign(lanes a, lanes b, lanes c)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 8; i++)
        bits |= (uint32_t)((lb_float_bits(a.v[i]) >> 31) == (lb_float_bits(b.v[i]) >> 31) &&
                           (lb_float_bits(a.v[i]) >> 31) == (lb_float_bits(c.v[i]) >> 31))
                << i;
    return bits;
}

LB_INLINE bool prepare_ray(const lb_vec3 *origin, const lb_vec3 *direction, lb_slab_ray *ray)
{
    return lb_slab_prepare(*origin, *direction, ray);
}

/* The constants of struct node_ray (core/cpu/traverse_tests.h); returns the octant. */
LB_INLINE uint32_t prepare_nodes(const lb_slab_ray *ray, const lb_box *bounds, float near[4], float far[4])
{
    uint32_t octant = 0;
    for (uint32_t a = 0; a < 3; a++) {
        float rcp = ray->rcp[a], origin = ray->origin[a];
        float reach = lb_abs(origin) + lb_max(lb_abs(bounds->lower[a]), lb_abs(bounds->upper[a]));
        float unit = lb_abs(rcp) * reach;
        near[a] = -(origin * rcp) - (unit * 0x1p-21f + 0x1p-126f);
        far[a] = -(origin * rcp) + (unit * 0x1.8p-21f + 0x1p-126f);
        octant |= (uint32_t)(rcp < 0.0f) << a;
    }
    return octant;
}

#endif
