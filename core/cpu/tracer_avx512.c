#include "core/cpu/tracers.h"

#if defined(__x86_64__)

#include "core/cpu/traverse_avx512.h"
#include "core/cpu/traverse.h"

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw");
}

const struct lb_tracer lb_tracer_avx512 = {"avx512", runs_here, lb_trace_closest, lb_trace_any};

#endif
