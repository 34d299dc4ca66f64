/* Eight floats at once in 256 bits: the operations that are the same in AVX2 and in AVX-512VL. */
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

/* Defines a function that applies the same operation to each lane of `a` and its counterpart of `b`. */
#define OF_PAIRS(name, instruction)                                                                          \
    LB_INLINE lanes name(lanes a, lanes b)                                                                   \
    {                                                                                                        \
        return instruction(a, b);                                                                            \
    }
OF_PAIRS(lanes_add, _mm256_add_ps)
OF_PAIRS(lanes_sub, _mm256_sub_ps)
OF_PAIRS(lanes_mul, _mm256_mul_ps)
OF_PAIRS(lanes_div, _mm256_div_ps)
OF_PAIRS(lanes_min, _mm256_min_ps) /* like lb_min and lb_max these give b where either is NaN */
OF_PAIRS(lanes_max, _mm256_max_ps)
#undef OF_PAIRS

LB_INLINE lanes lanes_abs(lanes a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

/* A number that is the same in all lanes, in the form that lanes_fma takes. */
typedef __m256 uniform;
LB_INLINE uniform uniform_make(float x)
{
    return _mm256_set1_ps(x);
}

/* a * b + c, rounded once. */
LB_INLINE lanes lanes_fma(lanes a, uniform b, uniform c)
{
    return _mm256_fmadd_ps(a, b, c);
}

/* In each lane: b where `sign` is negative or -0, else a. */
LB_INLINE lanes lanes_select(lanes a, lanes b, lanes sign)
{
    return _mm256_blendv_ps(a, b, sign);
}

/* A permutation of lanes, four bits for each: lane i of lanes_permute's result is lane (order >> 4 i) & 7 of its
 * argument. */
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
