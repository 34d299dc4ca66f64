#include "core/cpu/tracers.h"

#if defined(__x86_64__)

#include "core/cpu/traverse_avx2.h"
#include "core/cpu/traverse.h"

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

const struct lb_tracer lb_tracer_avx2 = {"avx2", runs_here, lb_trace_closest, lb_trace_any};

#endif
