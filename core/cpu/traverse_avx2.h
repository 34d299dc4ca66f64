/* What the traversal needs to be compiled for AVX2. To be included before core/cpu/traverse.h, which defines
 * lb_trace_closest and lb_trace_any. */
#ifndef LB_CORE_CPU_TRAVERSE_AVX2_H
#define LB_CORE_CPU_TRAVERSE_AVX2_H

#include "core/cpu/lanes_avx2.h"
#include "core/cpu/prepare_avx2.h"
#include "core/cpu/traverse_tests.h"

#endif
