/* The traversal in what every CPU of the architecture has, to be included before core/cpu/traverse.h, which gives
 * lb_trace_closest and lb_trace_any: x86-64's SSE2, 64-bit ARM's NEON; elsewhere, and where LB_PLAIN_LANES is defined
 * (the tests compile that as well), plain C. */
#ifndef LB_CORE_CPU_TRAVERSE_PORTABLE_H
#define LB_CORE_CPU_TRAVERSE_PORTABLE_H

#if defined(__SSE2__) && !defined(LB_PLAIN_LANES)
#include "core/cpu/lanes_sse2.h"
#elif defined(__aarch64__) && !defined(LB_PLAIN_LANES)
#include "core/cpu/lanes_neon.h"
#else
#include "core/cpu/lanes_portable.h"
#endif
#include "core/cpu/prepare_portable.h"
#include "core/cpu/traverse_tests.h"

#endif
