/* The only mathematics that may reach a pixel: made of IEEE +, -, *, /, sqrt and explicit fma, so that every
 * compiler, instruction set and device gives the same bits. No libm. */
#ifndef LB_CORE_KERNEL_MATH_H
#define LB_CORE_KERNEL_MATH_H

#include "core/kernel/base.h"

#include <string.h>

#define LB_PI       3.14159265358979323846f
#define LB_1_PI     0.31830988618379067154f
#define LB_INFINITY __builtin_inff()

LB_INLINE float lb_sqrt(float x)
{
#ifdef __CUDA_ARCH__
    return __fsqrt_rn(x);
#else
    return __builtin_sqrtf(x);
#endif
}

LB_INLINE float lb_abs(float x)
{
    return __builtin_fabsf(x);
}

/* b when either is NaN. */
LB_INLINE float lb_min(float a, float b)
{
    return a < b ? a : b;
}

/* b when either is NaN. */
LB_INLINE float lb_max(float a, float b)
{
    return a > b ? a : b;
}

/* low when x is NaN. */
LB_INLINE float lb_clamp(float x, float low, float high)
{
    return lb_min(lb_max(x, low), high);
}

#endif
