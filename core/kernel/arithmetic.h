/* The bits of floats, and what is one operation or a few on them: roots, signs, least and greatest, rounding, fma.
 * Included by core/kernel/math.h. */
#ifndef LB_CORE_KERNEL_ARITHMETIC_H
#define LB_CORE_KERNEL_ARITHMETIC_H

#include "core/kernel/base.h"

#include <string.h>

#ifdef __FAST_MATH__
#error "the kernel needs IEEE arithmetic as written: no -ffast-math"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "the kernel needs floats that are rounded at every step: on 32-bit x86 -msse2 -mfpmath=sse"
#endif

#define LB_PI       3.14159265358979323846f
#define LB_1_PI     0.31830988618379067154f
#define LB_INFINITY __builtin_inff()

/* A float's or a double's bits as a number, and back. */
LB_INLINE uint32_t lb_float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

LB_INLINE float lb_bits_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

LB_INLINE uint64_t lb_double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

LB_INLINE double lb_bits_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A quiet NaN. */
LB_INLINE float lb_nan(void)
{
    return lb_bits_float(0x7fc00000u);
}

LB_INLINE bool lb_is_nan(float x)
{
    return (lb_float_bits(x) & 0x7fffffffu) > 0x7f800000u;
}

/* Neither NaN nor infinite. */
LB_INLINE bool lb_is_finite(float x)
{
    return (lb_float_bits(x) & 0x7f800000u) != 0x7f800000u;
}

/* The square root, rounded to nearest. */
LB_INLINE float lb_sqrt(float x)
{
#ifdef __CUDA_ARCH__
    return __fsqrt_rn(x);
#else
    return __builtin_sqrtf(x);
#endif
}

LB_INLINE double lb_sqrt_d(double x)
{
#ifdef __CUDA_ARCH__
    return __dsqrt_rn(x);
#else
    return __builtin_sqrt(x);
#endif
}

LB_INLINE float lb_abs(float x)
{
    return lb_bits_float(lb_float_bits(x) & 0x7fffffffu);
}

LB_INLINE double lb_abs_d(double x)
{
    return lb_bits_double(lb_double_bits(x) & 0x7fffffffffffffffu);
}

/* |x| with the sign of s. */
LB_INLINE float lb_copysign(float x, float s)
{
    return lb_bits_float((lb_float_bits(x) & 0x7fffffffu) | (lb_float_bits(s) & 0x80000000u));
}

/* b when either is NaN, and when both are zero. */
LB_INLINE float lb_min(float a, float b)
{
    return a < b ? a : b;
}

/* b when either is NaN, and when both are zero. */
LB_INLINE float lb_max(float a, float b)
{
    return a > b ? a : b;
}

/* x limited to low .. high; low when x is NaN. */
LB_INLINE float lb_clamp(float x, float low, float high)
{
    return lb_min(lb_max(x, low), high);
}

/* The value that is the part `part` of the way from a to b. */
LB_INLINE float lb_mix(float part, float a, float b)
{
    return (1.0f - part) * a + part * b;
}

/* Rounds towards zero; beyond the range it gives the nearest int32_t, for NaN 0. */
LB_INLINE int32_t lb_to_int(float x)
{
    if (x >= 2147483648.0f)
        return INT32_MAX;
    if (x >= -2147483648.0f)
        return (int32_t)x;
    return lb_is_nan(x) ? 0 : INT32_MIN;
}

/* The greatest whole number that is at most x, and x itself when it is infinite or NaN. Zeros come out as they went in,
 * or as +0. */
LB_INLINE float lb_floor(float x)
{
    if (!(lb_abs(x) < 8388608.0f)) /* from 2^23 on every float is whole */
        return x;
    float whole = (float)(int32_t)x;
    return whole > x ? whole - 1.0f : whole;
}

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define LB_HAS_FMA 1
#endif

#ifndef __CUDA_ARCH__
/* a * b + c, rounded once, where the instruction set has no fma. The product is exact in double, and the sum is rounded
 * there. Rounding that to float is right unless it lies halfway between two floats. Then, and among the denormals, the
 * sum is first rounded to odd, which makes the rounding to float the only one that counts (Boldo, Melquiond 2008). */
LB_INLINE float lb_fma_soft(float a, float b, float c)
{
    double product = (double)a * (double)b, addend = (double)c;
    double sum = product + addend;
    uint64_t bits = lb_double_bits(sum);
    if ((bits & 0x1fffffffu) != 0x10000000u && lb_abs_d(sum) >= 0x1p-126)
        return (float)sum;
    double back = sum - product;
    double error = (product - (sum - back)) + (addend - back); /* Knuth's two-sum */
    if (error != 0.0 && (bits & 1u) == 0)
        bits += (error > 0.0) == (sum > 0.0) ? 1u : UINT64_MAX;
    return (float)lb_bits_double(bits);
}
#endif

/* a * b + c, rounded once. It is one instruction, except in the portable build for x86, where it costs some ten: hot
 * functions that the portable build shares use it only where they must. */
LB_INLINE float lb_fma(float a, float b, float c)
{
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#elif defined(LB_HAS_FMA)
    return __builtin_fmaf(a, b, c);
#else
    return lb_fma_soft(a, b, c);
#endif
}

/* The least float above x; infinity and NaN stay. Both zeros go to the least denormal. */
LB_INLINE float lb_next_up(float x)
{
    uint32_t bits = lb_float_bits(x);
    if (lb_is_nan(x) || bits == 0x7f800000u)
        return x;
    if ((bits & 0x7fffffffu) == 0)
        return lb_bits_float(1u);
    return lb_bits_float((bits & 0x80000000u) != 0 ? bits - 1u : bits + 1u);
}

/* The greatest float below x; -infinity and NaN stay. */
LB_INLINE float lb_next_down(float x)
{
    return -lb_next_up(-x);
}

#endif
