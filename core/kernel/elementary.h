/* sin, cos, tan, exp, log, pow, asin, acos and atan2 of floats, within 0.51 units in the last place of the exact values
 * over their whole range (measured by test/unit/test_math.c). libm's differ from system to system, and pictures must
 * not. These work in double, whose +, -, *, / and sqrt are IEEE everywhere, without fma, and round to float once at the
 * end. The polynomials are minimax fits of our own (Remez). Included by core/kernel/math.h. */
#ifndef LB_CORE_KERNEL_ELEMENTARY_H
#define LB_CORE_KERNEL_ELEMENTARY_H

#include "core/kernel/arithmetic.h"

/* Added to a double of a magnitude below 2^51 and subtracted again, this rounds to the nearest whole number, which also
 * stands in the low bits of the sum. */
#define LB_ROUNDER 0x1.8p52

/* ---- sin, cos, tan ---- */

/* Returns the quadrant of |x| and in `*rest` the angle left over, in [-pi/4, pi/4], for |x| >= 2^17: multiplies x by
 * 2/pi in fixed point, with as many bits of 2/pi as matter (Payne, Hanek 1983). */
LB_FUNCTION uint32_t lb_reduce_large(float x, double *rest)
{
    static const uint32_t two_over_pi[9] = {0, /* 32 bits before the point */
                                            0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
                                            0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u};
    uint32_t bits = lb_float_bits(x);
    uint32_t exponent = (bits >> 23 & 0xffu) - 150u; /* x = mantissa * 2^exponent; wraps below 150 */
    uint64_t mantissa = (bits & 0x7fffffu) | 0x800000u;
    /* The product modulo 4, with 62 bits behind the point, needs the 96 bits of 2/pi whose weights are 2^(1 - exponent)
     * and less. */
    uint32_t first =
        /* The index of the first such bit; 32 zeros stand before the point, so that of weight 2^1 is 30. */
        30u + exponent;
    uint32_t word = first / 32u, shift = first % 32u;
    uint32_t part[3];
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t pair = (uint64_t)two_over_pi[word + i] << 32 | two_over_pi[word + i + 1];
        part[i] = (uint32_t)(pair << shift >> 32);
    }
    uint64_t product = mantissa * ((uint64_t)part[0] << 32 | part[1]) + (mantissa * part[2] >> 32);
    uint64_t quadrant = (product + (1ull << 61)) >> 62;
    uint64_t left = product << 2; /* read as a signed number: a fraction of a quadrant, times 2^64 */
    double fraction = left >> 63 != 0 ? -(double)(0u - left) : (double)left;
    *rest = fraction * 0x1.921fb54442d18p-64; /* pi/2 * 2^-64 */
    return (uint32_t)quadrant & 3u;
}

/* The same for any finite x >= 0. */
LB_INLINE uint32_t lb_reduce(float x, double *rest)
{
    if (x >= 131072.0f)
        return lb_reduce_large(x, rest);
    double shifted = (double)x * 0x1.45f306dc9c883p-1 + LB_ROUNDER; /* 2/pi */
    double count = shifted - LB_ROUNDER;
    /* pi/2 in two parts: the first has 33 bits, so that count times it is exact. */
    *rest = ((double)x - count * 0x1.921fb544p+0) - count * 0x1.0b4611a626331p-34;
    return (uint32_t)lb_double_bits(shifted) & 3u;
}

/* sin(x) and cos(x) for x in [-pi/4, pi/4], whose square is xx. */
LB_INLINE double lb_sin_core(double x, double xx)
{
    return x + x * xx *
                   ((-0x1.5555554cb9e0fp-3 + xx * 0x1.11110896446abp-7) +
                    xx * xx * (-0x1.a00f9da123a43p-13 + xx * 0x1.6cd8573fe0cc6p-19));
}

LB_INLINE double lb_cos_core(double xx)
{
    return (1.0 - 0.5 * xx) + xx * xx *
                                  ((0x1.55555552c1ffep-5 + xx * -0x1.6c16bbae1553bp-10) +
                                   xx * xx * (0x1.a012cee1980e4p-16 + xx * -0x1.2474de4884747p-22));
}

/* Sine and cosine of |x| in double; NaN for infinite x and NaN. */
LB_INLINE void lb_sincos_core(float x, double *s, double *c)
{
    float size = lb_abs(x);
    if (!lb_is_finite(x)) {
        *s = *c = (double)lb_nan();
        return;
    }
    double rest;
    uint32_t quadrant = lb_reduce(size, &rest);
    double square = rest * rest;
    double sine = lb_sin_core(rest, square), cosine = lb_cos_core(square);
    double a = (quadrant & 1u) != 0 ? cosine : sine;
    double b = (quadrant & 1u) != 0 ? sine : cosine;
    *s = (quadrant & 2u) != 0 ? -a : a;
    *c = ((quadrant + 1u) & 2u) != 0 ? -b : b;
}

/* Sine and cosine at about the price of one; NaN for infinite x and NaN. */
LB_INLINE void lb_sincos(float x, float *s, float *c)
{
    double sine, cosine;
    lb_sincos_core(x, &sine, &cosine);
    *s = (lb_float_bits(x) & 0x80000000u) != 0 ? (float)-sine : (float)sine;
    *c = (float)cosine;
}

/* Each is NaN for infinite x and NaN. */
LB_FUNCTION float lb_sin(float x)
{
    float s, c;
    lb_sincos(x, &s, &c);
    return s;
}

LB_FUNCTION float lb_cos(float x)
{
    float s, c;
    lb_sincos(x, &s, &c);
    return c;
}

LB_FUNCTION float lb_tan(float x)
{
    double sine, cosine;
    lb_sincos_core(x, &sine, &cosine);
    double t = sine / cosine;
    return (lb_float_bits(x) & 0x80000000u) != 0 ? (float)-t : (float)t;
}

/* ---- exp, log, pow ---- */

/* exp(x) rounded to float, for |x| <= 110. */
LB_INLINE float lb_exp_core(double x)
{
    double shifted = x * 0x1.71547652b82fep+0 + LB_ROUNDER; /* 1 / ln 2 */
    double count = shifted - LB_ROUNDER;
    double r = x - count * 0x1.62e42fefa39efp-1; /* ln 2 */
    double rr = r * r;
    double p = (0x1.0000000b92059p-1 + r * 0x1.55555574236e8p-3) +
               rr * ((0x1.5554e9024bc31p-5 + r * 0x1.1110ab80af859p-7) +
                     rr * (0x1.6d43289396c5ep-10 + r * 0x1.a17df0e2cbd9fp-13));
    double power = lb_bits_double((lb_double_bits(shifted) + 1023u) << 52); /* 2^count */
    return (float)(power * (1.0 + (r + rr * p)));
}

/* exp(x) rounded to float, for any x. */
LB_INLINE float lb_exp_wide(double x)
{
    if (x > 89.0) /* exp(88.73) is beyond the greatest float */
        return LB_INFINITY;
    if (x < -104.0) /* below half of the least denormal */
        return 0.0f;
    return x == x ? lb_exp_core(x) : lb_nan();
}

/* exp(x), which overflows to infinity and underflows through the denormals to 0; NaN stays NaN. */
LB_FUNCTION float lb_exp(float x)
{
    return lb_exp_wide((double)x);
}

/* Splits x into 2^e * m with m in [sqrt(1/2), sqrt(2)); returns e, and sets `*ratio` to (m - 1) / (m + 1). x must be
 * positive, finite and normal. */
LB_INLINE double lb_log_reduce(double x, double *ratio)
{
    uint64_t bits = lb_double_bits(x);
    uint64_t low = 0x3fe6a09e667f3bcdu;                    /* the bits of sqrt(1/2) */
    uint64_t steps = (bits - low + (1024ull << 52)) >> 52; /* e + 1024 */
    double m = lb_bits_double(bits - ((steps - 1024u) << 52));
    *ratio = (m - 1.0) / (m + 1.0);
    return (double)(int32_t)((uint32_t)steps - 1024u);
}

/* The natural logarithm to the full precision of a double, for pow. */
LB_INLINE double lb_log_fine(double x)
{
    double s, e = lb_log_reduce(x, &s), z = s * s, zz = z * z;
    double p = (0x1.5555555555592p-1 + z * 0x1.999999997fd32p-2) +
               zz * ((0x1.24924941f9019p-2 + z * 0x1.c71c520292993p-3) +
                     zz * ((0x1.74664061bf134p-3 + z * 0x1.39a192a98c88ep-3) + zz * 0x1.2f070ae978771p-3));
    return e * 0x1.62e42fefa39efp-1 + (2.0 * s + s * z * p);
}

/* The natural logarithm: -infinity for both zeros, NaN for negative x and NaN. */
LB_FUNCTION float lb_log(float x)
{
    if (!(x > 0.0f))
        return x == 0.0f ? -LB_INFINITY : lb_nan();
    if (x == LB_INFINITY)
        return x;
    double s, e = lb_log_reduce((double)x, &s), z = s * s;
    double p = (0x1.555554fd8a11bp-1 + z * 0x1.999a7aaeafe3fp-2) +
               z * z * (0x1.2438ce1300f19p-2 + z * 0x1.e2f7e2e0e3ec0p-3);
    return (float)(e * 0x1.62e42fefa39efp-1 + (2.0 * s + s * z * p));
}

/* Returns 0 where y is no whole number, 1 where it is odd, 2 where it is even. */
LB_INLINE int lb_parity(float y)
{
    if (!(lb_abs(y) < 16777216.0f))
        return lb_is_nan(y) ? 0 : 2;
    int32_t whole = (int32_t)y;
    if ((float)whole != y)
        return 0;
    return (whole & 1) != 0 ? 1 : 2;
}

/* x^y, with the special cases of annex F.10.4.4 of C17; NaN for negative x unless y is whole. */
LB_FUNCTION float lb_pow(float x, float y)
{
    if (y == 0.0f || x == 1.0f)
        return 1.0f;
    if (lb_is_nan(x) || lb_is_nan(y))
        return lb_nan();
    float size = lb_abs(x);
    int parity = lb_parity(y);
    bool negative = (lb_float_bits(x) & 0x80000000u) != 0;
    float result;
    if (size == 0.0f || size == LB_INFINITY)
        result = (size == 0.0f) == (y > 0.0f) ? 0.0f : LB_INFINITY;
    else if (negative && parity == 0)
        return lb_nan();
    else if (size == 1.0f)
        result = 1.0f;
    else if (!lb_is_finite(y))
        result = (size < 1.0f) == (y > 0.0f) ? 0.0f : LB_INFINITY;
    else
        result = lb_exp_wide((double)y * lb_log_fine((double)size));
    return negative && parity == 1 ? -result : result;
}

/* ---- asin, acos, atan2 ---- */

/* asin(x) for 0 <= x <= 1/2; xx = x * x */
LB_INLINE double lb_asin_core(double x, double xx)
{
    double zz = xx * xx;
    return x +
           x * xx *
               ((0x1.555556091558dp-3 + xx * 0x1.3332a809d7d54p-4) +
                zz * ((0x1.6ddb2662e84fap-5 + xx * 0x1.ed53972360940p-6) +
                      zz * ((0x1.9358a580d853ep-6 + xx * 0x1.e9827066b8050p-8) + zz * 0x1.1c33e84e7eb1bp-5)));
}

/* NaN outside -1 .. 1. */
LB_FUNCTION float lb_asin(float x)
{
    double size = (double)lb_abs(x), angle;
    if (!(size <= 1.0))
        return lb_nan();
    if (size <= 0.5) {
        angle = lb_asin_core(size, size * size);
    } else {
        double half = 0.5 * (1.0 - size); /* asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)) */
        angle = 0x1.921fb54442d18p+0 - 2.0 * lb_asin_core(lb_sqrt_d(half), half);
    }
    return lb_copysign((float)angle, x);
}

/* NaN outside -1 .. 1. */
LB_FUNCTION float lb_acos(float x)
{
    double signed_x = (double)x, size = lb_abs_d(signed_x);
    if (!(size <= 1.0))
        return lb_nan();
    if (size <= 0.5) {
        double angle = lb_asin_core(size, size * size);
        return (float)(0x1.921fb54442d18p+0 - (x < 0.0f ? -angle : angle));
    }
    double half = 0.5 * (1.0 - size);
    double angle = 2.0 * lb_asin_core(lb_sqrt_d(half), half);
    return (float)(x < 0.0f ? 0x1.921fb54442d18p+1 - angle : angle);
}

/* The angle of the point (x, y), -pi .. pi, with C17's special cases (annex F.10.1.4): signed zeros and
 * infinities count. */
LB_FUNCTION float lb_atan2(float y, float x)
{
    if (lb_is_nan(x) || lb_is_nan(y))
        return lb_nan();
    double width = (double)lb_abs(x), height = (double)lb_abs(y);
    bool steep = height > width;
    double high = steep ? height : width, low = steep ? width : height;
    if (high == 0.0 || low == (double)LB_INFINITY) { /* 0 / 0 counts as 0, infinity / infinity as 1 */
        low = high == 0.0 ? 0.0 : 1.0;
        high = 1.0;
    }
    /* Above tan(pi/8): atan(q) = pi/4 + atan((q - 1) / (q + 1)). */
    bool folded = low > high * 0x1.a827999fcef32p-2;
    double q = folded ? (low - high) / (low + high) : low / high;
    double z = q * q, zz = z * z;
    double p = (-0x1.555554c885d7dp-2 + z * 0x1.99991a3a9c002p-3) +
               zz * ((-0x1.247f04e447456p-3 + z * 0x1.c467d7e692583p-4) +
                     zz * (-0x1.5b44707e4705ap-4 + z * 0x1.84f17e314edccp-5));
    double angle = q + q * z * p;
    if (folded)
        angle = 0x1.921fb54442d18p-1 + angle;
    if (steep)
        angle = 0x1.921fb54442d18p+0 - angle;
    if ((lb_float_bits(x) & 0x80000000u) != 0)
        angle = 0x1.921fb54442d18p+1 - angle;
    return lb_copysign((float)angle, y);
}

#endif
