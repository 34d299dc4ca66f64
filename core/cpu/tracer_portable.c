#include "core/cpu/tracer.h"

#include "core/cpu/traverse_portable.h"
#include "core/cpu/traverse.h"

#include "core/cpu/tracers.h"

static bool always(void)
{
    return true;
}

const struct lb_tracer lb_tracer_portable = {"portable", always, lb_trace_closest, lb_trace_any};

const struct lb_tracer *const lb_tracers[] = {
    &lb_tracer_portable,
#if defined(__x86_64__)
    &lb_tracer_avx2,
    &lb_tracer_avx512,
#endif
};
const unsigned lb_tracer_count = sizeof lb_tracers / sizeof lb_tracers[0];
