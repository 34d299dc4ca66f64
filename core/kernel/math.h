/* The only mathematics that may reach a pixel: it is made of IEEE +, -, *, /, sqrt and explicit fma, so that every
 * compiler, instruction set and device gives the same bits. libm's functions would not. */
#ifndef LB_CORE_KERNEL_MATH_H
#define LB_CORE_KERNEL_MATH_H

#include "core/kernel/arithmetic.h"
#include "core/kernel/elementary.h"

#endif
