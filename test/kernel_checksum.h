/* Checksums over many results of core/kernel: whoever compiles this (gcc, clang, nvcc; any instruction set,
 * any optimisation) must get the numbers that stand here. Made once with gcc 12 -O3 after the functions had
 * been compared with MPFR. */
#ifndef LB_TEST_KERNEL_CHECKSUM_H
#define LB_TEST_KERNEL_CHECKSUM_H

#include "core/kernel/film/film.h"
#include "core/kernel/sampler.h"

enum {
    KERNEL_CHECKSUM_SIN,
    KERNEL_CHECKSUM_COS,
    KERNEL_CHECKSUM_TAN,
    KERNEL_CHECKSUM_EXP,
    KERNEL_CHECKSUM_LOG,
    KERNEL_CHECKSUM_POW,
    KERNEL_CHECKSUM_ASIN,
    KERNEL_CHECKSUM_ACOS,
    KERNEL_CHECKSUM_ATAN2,
    KERNEL_CHECKSUM_FMA,
    KERNEL_CHECKSUM_SQRT,
    KERNEL_CHECKSUM_SAMPLER,
    KERNEL_CHECKSUM_SRGB,
    KERNEL_CHECKSUM_COUNT
};

static const char *const kernel_checksum_names[KERNEL_CHECKSUM_COUNT] = {
    "sin", "cos", "tan", "exp", "log", "pow", "asin", "acos", "atan2", "fma", "sqrt", "sampler", "srgb"};

static const uint64_t kernel_checksum_expected[KERNEL_CHECKSUM_COUNT] = {
    0x43ddfa77bafd9bfau, /* sin */
    0x7b7d6b2b214b7e90u, /* cos */
    0x810b434636046417u, /* tan */
    0xbada838442caf918u, /* exp */
    0xe5249754b478b40cu, /* log */
    0x1c6a604427a6a54bu, /* pow */
    0x7facc91c7857ee3eu, /* asin */
    0x1f8f7dc16b3a5f02u, /* acos */
    0x70ccfe653fdc46d3u, /* atan2 */
    0x8f47d3aff78ca47au, /* fma */
    0x2006aaec9265275cu, /* sqrt */
    0x1e662fac852280eau, /* sampler */
    0x4b961f068776f968u, /* srgb */
};

/* Result number i of a function. The arguments are arbitrary bits, or lie where the function is not trivial. */
LB_FUNCTION float kernel_result(int function, uint32_t i)
{
    float wild = lb_bits_float(lb_hash_u32(i));
    float unit = lb_unit_float(lb_hash_u32(~i)), other = lb_unit_float(lb_hash_u32(i ^ 0x5bd1e995u));
    bool tame = (i & 1u) != 0;
    lb_sampler sampler;
    lb_vec2 point;
    switch (function) {
    case KERNEL_CHECKSUM_SIN:
        return lb_sin(tame ? 20.0f * unit - 10.0f : wild);
    case KERNEL_CHECKSUM_COS:
        return lb_cos(tame ? 20.0f * unit - 10.0f : wild);
    case KERNEL_CHECKSUM_TAN:
        return lb_tan(tame ? 20.0f * unit - 10.0f : wild);
    case KERNEL_CHECKSUM_EXP:
        return lb_exp(tame ? 200.0f * unit - 108.0f : wild);
    case KERNEL_CHECKSUM_LOG:
        return lb_log(tame ? 2.0f * unit : wild);
    case KERNEL_CHECKSUM_POW:
        return lb_pow(tame ? 2.0f * unit : wild, 40.0f * other - 20.0f);
    case KERNEL_CHECKSUM_ASIN:
        return lb_asin(tame ? 2.0f * unit - 1.0f : wild);
    case KERNEL_CHECKSUM_ACOS:
        return lb_acos(tame ? 2.0f * unit - 1.0f : wild);
    case KERNEL_CHECKSUM_ATAN2:
        return lb_atan2(tame ? 2.0f * unit - 1.0f : wild, 2.0f * other - 1.0f);
    case KERNEL_CHECKSUM_FMA:
        return lb_fma(unit, other, tame ? -unit * other : wild);
    case KERNEL_CHECKSUM_SQRT:
        return lb_sqrt(wild) + 1.0f / lb_sqrt(unit) + unit / other;
    case KERNEL_CHECKSUM_SAMPLER:
        lb_sampler_start(&sampler, i & 3u, i >> 20, i & 1023u, i >> 10, i >> 3);
        point = lb_sampler_2d(&sampler);
        return point.x + 2.0f * point.y + 4.0f * lb_sampler_1d(&sampler);
    default:
        return (float)lb_srgb_byte(tame ? unit : 4.0f * unit - 2.0f);
    }
}

/* The sum over results [begin, end), in any order of summation; all NaN count alike. */
LB_FUNCTION uint64_t kernel_checksum_range(int function, uint32_t begin, uint32_t end)
{
    uint64_t sum = 0;
    for (uint32_t i = begin; i < end; i++) {
        float result = kernel_result(function, i);
        uint32_t bits = lb_is_nan(result) ? 0x7fc00000u : lb_float_bits(result);
        sum += lb_hash_combine(i, bits);
    }
    return sum;
}

#define KERNEL_CHECKSUM_RESULTS (1u << 18)

LB_FUNCTION uint64_t kernel_checksum(int function)
{
    return kernel_checksum_range(function, 0, KERNEL_CHECKSUM_RESULTS);
}

#endif
