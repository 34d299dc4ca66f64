/* Eight floats at once in 256 bits: what AVX2 and AVX-512VL do alike. */
#ifndef LB_CORE_CPU_LANES_256_H
#define LB_CORE_CPU_LANES_256_H

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

#endif
