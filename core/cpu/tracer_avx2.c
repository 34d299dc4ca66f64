#include "core/cpu/tracers.h"

#include "core/cpu/cpu.h"

#include "core/cpu/traverse_avx2.h"
#include "core/cpu/traverse.h"

static bool runs_here(void)
{
    return lb_isa_runs(LB_ISA_AVX2);
}

const struct lb_tracer lb_tracer_avx2 = {"avx2", runs_here, lb_trace_closest, lb_trace_any};
