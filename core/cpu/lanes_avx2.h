/* Eight floats at once with AVX2 and FMA. */
#ifndef LB_CORE_CPU_LANES_AVX2_H
#define LB_CORE_CPU_LANES_AVX2_H

#include "core/cpu/lanes_256.h"

/* Bit i says whether a <= b in lane i, which is false where either is NaN. */
LB_INLINE uint32_t lanes_less_equal(lanes a, lanes b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}

/* Bit i says whether any of the three is zero in lane i. */
LB_INLINE uint32_t lanes_any_zero(lanes a, lanes b, lanes c)
{
    lanes zero = _mm256_setzero_ps();
    lanes is = _mm256_or_ps(_mm256_cmp_ps(a, zero, _CMP_EQ_OQ), _mm256_cmp_ps(b, zero, _CMP_EQ_OQ));
    return (uint32_t)_mm256_movemask_ps(_mm256_or_ps(is, _mm256_cmp_ps(c, zero, _CMP_EQ_OQ)));
}

/* Bit i says whether the three have the same sign bit in lane i. */
LB_INLINE uint32_t lanes_same_sign(lanes a, lanes b, lanes c)
{
    lanes differ = _mm256_or_ps(_mm256_xor_ps(a, b), _mm256_xor_ps(a, c));
    return ~(uint32_t)_mm256_movemask_ps(differ) & 255;
}

#endif
