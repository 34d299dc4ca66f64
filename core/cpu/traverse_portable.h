/* The traversal in plain C: to be included before core/cpu/traverse.h, which gives lb_trace_closest and lb_trace_any. */
#ifndef LB_CORE_CPU_TRAVERSE_PORTABLE_H
#define LB_CORE_CPU_TRAVERSE_PORTABLE_H

#include "core/cpu/lanes_portable.h"
#include "core/cpu/traverse_tests.h"

#endif
