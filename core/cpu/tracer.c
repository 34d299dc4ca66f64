/* The searches for hits by themselves, for tests and benchmarks. */
#include "core/cpu/isa.h"
#include "core/cpu/tracers.h"

static bool runs_here(void)
{
    return lb_isa_runs(LB_ISA_HERE);
}

const struct lb_tracer LB_OF_ISA(lb_tracer) = {LB_ISA_WORD, runs_here, lb_trace_closest, lb_trace_any};
