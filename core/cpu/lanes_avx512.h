/* Eight floats at once with AVX-512VL, which has mask registers for comparisons and logic of three inputs. */
#ifndef LB_CORE_CPU_LANES_AVX512_H
#define LB_CORE_CPU_LANES_AVX512_H

#include "core/cpu/lanes_256.h"

/* Bit i says whether a <= b in lane i, which is false where either is NaN. */
LB_INLINE uint32_t lanes_less_equal(lanes a, lanes b)
{
    return _mm256_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

/* Bit i says whether any of the three is zero in lane i. */
LB_INLINE uint32_t lanes_any_zero(lanes a, lanes b, lanes c)
{
    lanes zero = _mm256_setzero_ps();
    return (uint32_t)_mm256_cmp_ps_mask(a, zero, _CMP_EQ_OQ) | _mm256_cmp_ps_mask(b, zero, _CMP_EQ_OQ) |
           _mm256_cmp_ps_mask(c, zero, _CMP_EQ_OQ);
}

/* Bit i says whether the three have the same sign bit in lane i. */
LB_INLINE uint32_t lanes_same_sign(lanes a, lanes b, lanes c)
{
    __m256i differ =
        _mm256_ternarylogic_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b), _mm256_castps_si256(c),
                                  0x7e); /* 0 where all three bits are alike */
    return ~(uint32_t)_mm256_movepi32_mask(differ) & 255;
}

#endif
