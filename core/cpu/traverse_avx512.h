/* What the traversal needs to be compiled for AVX-512VL. To be included before core/cpu/traverse.h, which defines
 * lb_trace_closest and lb_trace_any. */
#ifndef LB_CORE_CPU_TRAVERSE_AVX512_H
#define LB_CORE_CPU_TRAVERSE_AVX512_H

#include "core/cpu/lanes_avx512.h"
#include "core/cpu/prepare_avx2.h"
#include "core/cpu/traverse_tests.h"

#endif
