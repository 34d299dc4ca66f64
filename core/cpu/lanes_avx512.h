/* Eight floats at once with AVX-512VL: its mask registers and three-input logic. */
#ifndef LB_CORE_CPU_LANES_AVX512_H
#define LB_CORE_CPU_LANES_AVX512_H

#include "core/kernel/base.h"

#include <immintrin.h>

typedef __m256 lanes;

LB_INLINE lanes lanes_splat(float x)
{
    return _mm256_set1_ps(x);
}

/* `from` need not be aligned. */
LB_INLINE lanes lanes_load(const float *from)
{
    return _mm256_loadu_ps(from);
}

LB_INLINE void lanes_store(float *to, lanes a)
{
    _mm256_storeu_ps(to, a);
}

LB_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm256_add_ps(a, b);
}

LB_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm256_sub_ps(a, b);
}

LB_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm256_mul_ps(a, b);
}

LB_INLINE lanes lanes_div(lanes a, lanes b)
{
    return _mm256_div_ps(a, b);
}

/* As lb_min and lb_max: b where either is NaN. */
LB_INLINE lanes lanes_min(lanes a, lanes b)
{
    return _mm256_min_ps(a, b);
}

LB_INLINE lanes lanes_max(lanes a, lanes b)
{
    return _mm256_max_ps(a, b);
}

LB_INLINE lanes lanes_abs(lanes a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

/* a * b + c, rounded once. */
LB_INLINE lanes lanes_fma(lanes a, lanes b, lanes c)
{
    return _mm256_fmadd_ps(a, b, c);
}

/* b where `sign` has its sign bit set, else a. */
LB_INLINE lanes lanes_select(lanes a, lanes b, lanes sign)
{
    return _mm256_blendv_ps(a, b, sign);
}

/* Lane i of the result is lane (order >> 4 i) & 7 of a. */
typedef __m256i lanes_order;
LB_INLINE lanes_order lanes_order_make(uint32_t order)
{
    return _mm256_srlv_epi32(_mm256_set1_epi32((int)order), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
}

LB_INLINE lanes lanes_permute(lanes a, lanes_order order)
{
    return _mm256_permutevar8x32_ps(a, order);
}

/* Bit i: does it hold in lane i? Never for NaN. */
LB_INLINE uint32_t lanes_less_equal(lanes a, lanes b)
{
    return _mm256_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

/* Is any of three zero? */
LB_INLINE uint32_t lanes_any_zero(lanes a, lanes b, lanes c)
{
    lanes zero = _mm256_setzero_ps();
    return (uint32_t)_mm256_cmp_ps_mask(a, zero, _CMP_EQ_OQ) | _mm256_cmp_ps_mask(b, zero, _CMP_EQ_OQ) |
           _mm256_cmp_ps_mask(c, zero, _CMP_EQ_OQ);
}

/* Are the sign bits of three alike? */
LB_INLINE uint32_t lanes_same_sign(lanes a, lanes b, lanes c)
{
    __m256i differ =
        _mm256_ternarylogic_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b), _mm256_castps_si256(c),
                                  0x7e); /* 0 where all three bits are alike */
    return ~(uint32_t)_mm256_movepi32_mask(differ) & 255;
}

#endif
