/* What the traversal needs to be compiled for every CPU of the architecture. To be included before core/cpu/traverse.h,
 * which defines lb_trace_closest and lb_trace_any. It is SSE2 on x86-64, NEON on 64-bit ARM, and plain C elsewhere and
 * where LB_PLAIN_LANES is defined, as the tests do to compare it too. */
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
