/* The traversal in AVX-512VL: to be included before core/cpu/traverse.h, which gives lb_trace_closest and
 * lb_trace_any. */
#ifndef LB_CORE_CPU_TRAVERSE_AVX512_H
#define LB_CORE_CPU_TRAVERSE_AVX512_H

#include "core/cpu/lanes_avx512.h"
#include "core/cpu/prepare_avx2.h"
#include "core/cpu/traverse_tests.h"

#endif
