/* Eight floats at once, in two halves of 128 bits, with SSE2, which every x86-64 has. */
#ifndef LB_CORE_CPU_LANES_SSE2_H
#define LB_CORE_CPU_LANES_SSE2_H

#include "core/kernel/shapes/box.h"

#include <emmintrin.h>

typedef struct lanes {
    __m128 low, high;
} lanes;

LB_INLINE lanes lanes_splat(float x)
{
    return (lanes){_mm_set1_ps(x), _mm_set1_ps(x)};
}

/* `from` need not be aligned. */
LB_INLINE lanes lanes_load(const float *from)
{
    return (lanes){_mm_loadu_ps(from), _mm_loadu_ps(from + 4)};
}

LB_INLINE void lanes_store(float *to, lanes a)
{
    _mm_storeu_ps(to, a.low);
    _mm_storeu_ps(to + 4, a.high);
}

/* Defines a function that applies the same operation to each lane of `a` and its counterpart of `b`. */
#define OF_PAIRS(name, instruction)                                                                          \
    LB_INLINE lanes name(lanes a, lanes b)                                                                   \
    {                                                                                                        \
        return (lanes){instruction(a.low, b.low), instruction(a.high, b.high)};                              \
    }
OF_PAIRS(lanes_add, _mm_add_ps)
OF_PAIRS(lanes_sub, _mm_sub_ps)
OF_PAIRS(lanes_mul, _mm_mul_ps)
OF_PAIRS(lanes_div, _mm_div_ps)
OF_PAIRS(lanes_min, _mm_min_ps) /* like lb_min and lb_max these give b where either is NaN */
OF_PAIRS(lanes_max, _mm_max_ps)
OF_PAIRS(lanes_or, _mm_or_ps)
OF_PAIRS(lanes_xor, _mm_xor_ps)
OF_PAIRS(lanes_equal, _mm_cmpeq_ps)
#undef OF_PAIRS

LB_INLINE lanes lanes_abs(lanes a)
{
    __m128 sign = _mm_set1_ps(-0.0f);
    return (lanes){_mm_andnot_ps(sign, a.low), _mm_andnot_ps(sign, a.high)};
}

/* Bit i is the sign bit of lane i. */
LB_INLINE uint32_t lanes_signs(lanes a)
{
    return (uint32_t)(_mm_movemask_ps(a.low) | _mm_movemask_ps(a.high) << 4);
}

/* A number that is the same in all lanes, in the form that lanes_fma takes: as two doubles, since SSE2 has no fma and
 * the product of two floats is exact in double. */
typedef struct uniform {
    __m128d twice;
} uniform;
LB_INLINE uniform uniform_make(float x)
{
    return (uniform){_mm_set1_pd((double)x)};
}

/* a * b + c, lane by lane, for the case in which rounding to double and then to float may differ from rounding once. */
static __attribute__((noinline)) lanes lanes_fma_rare(lanes a, float b, float c)
{
    float v[8];
    lanes_store(v, a);
    for (uint32_t i = 0; i < 8; i++)
        v[i] = lb_fma(v[i], b, c);
    return lanes_load(v);
}

/* a * b + c of four lanes, two at a time, in double: the product is exact, the sum is rounded. Lanes of `rare` are set
 * where the result may not be what rounding once gives. */
LB_INLINE __m128 fma_half(__m128 a, uniform b, uniform c, __m128 *rare)
{
    __m128d low = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(a), b.twice), c.twice);
    __m128d high = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(_mm_movehl_ps(a, a)), b.twice), c.twice);
    __m128 sum = _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
    __m128 words = _mm_shuffle_ps(_mm_castpd_ps(low), _mm_castpd_ps(high), _MM_SHUFFLE(2, 0, 2, 0));
    __m128i tail = _mm_and_si128(_mm_castps_si128(words), _mm_set1_epi32(0x1fffffff));
    __m128 halfway = _mm_castsi128_ps(_mm_cmpeq_epi32(tail, _mm_set1_epi32(0x10000000)));
    __m128 small = _mm_cmple_ps(_mm_andnot_ps(_mm_set1_ps(-0.0f), sum), _mm_set1_ps(0x1p-126f));
    *rare = _mm_or_ps(*rare, _mm_or_ps(halfway, small));
    return sum;
}

/* a * b + c, rounded once, computed like lb_fma_soft (arithmetic.h). The case that needs care is rare: the sum
 * lies halfway between two floats, or may be a denormal. */
LB_INLINE lanes lanes_fma(lanes a, uniform b, uniform c)
{
    __m128 rare = _mm_setzero_ps();
    lanes sum = {fma_half(a.low, b, c, &rare), fma_half(a.high, b, c, &rare)};
    if (__builtin_expect(_mm_movemask_ps(rare) != 0, 0))
        return lanes_fma_rare(a, (float)_mm_cvtsd_f64(b.twice), (float)_mm_cvtsd_f64(c.twice));
    return sum;
}

LB_INLINE __m128 select_half(__m128 a, __m128 b, __m128 sign)
{
    __m128 mask = _mm_castsi128_ps(_mm_srai_epi32(_mm_castps_si128(sign), 31));
    return _mm_or_ps(_mm_and_ps(mask, b), _mm_andnot_ps(mask, a));
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
    float v[8];
    lanes_store(v, a);
    return (lanes){
        _mm_setr_ps(v[order & 7], v[order >> 4 & 7], v[order >> 8 & 7], v[order >> 12 & 7]),
        _mm_setr_ps(v[order >> 16 & 7], v[order >> 20 & 7], v[order >> 24 & 7], v[order >> 28 & 7])};
}

/* Bit i says whether a <= b in lane i, which is false where either is NaN. */
LB_INLINE uint32_t lanes_less_equal(lanes a, lanes b)
{
    return lanes_signs((lanes){_mm_cmple_ps(a.low, b.low), _mm_cmple_ps(a.high, b.high)});
}

/* Bit i says whether any of the three is zero in lane i. */
LB_INLINE uint32_t lanes_any_zero(lanes a, lanes b, lanes c)
{
    lanes zero = lanes_splat(0.0f);
    return lanes_signs(lanes_or(lanes_or(lanes_equal(a, zero), lanes_equal(b, zero)), lanes_equal(c, zero)));
}

/* Bit i says whether the three have the same sign bit in lane i. */
LB_INLINE uint32_t lanes_same_sign(lanes a, lanes b, lanes c)
{
    return ~lanes_signs(lanes_or(lanes_xor(a, b), lanes_xor(a, c))) & 255;
}

#endif
