/* Which pixels the scene covers and what their first rays cost: the pre-pass of strategies that ask for coverage.
 * Camera rays alone are traced, nothing is shaded. For core/cpu alone. */
#ifndef LB_CORE_CPU_CAMERA_RAYS_H
#define LB_CORE_CPU_CAMERA_RAYS_H

#include "core/cpu/cpu.h"

/* The traversal that was compiled for this instruction set. */
const struct lb_tracer *lb_tracer_of(enum lb_isa isa);
/* Fills result->cost, which must be zeroed and not NULL, as lb_work.coverage (core/processor.h) asks, and adds to the
 * result's counters and samples. The floating point environment must be as for an lb_render_function
 * (core/cpu/render.h). */
void lb_coverage_trace(const struct lb_work *work, const struct lb_tracer *tracer, struct lb_result *result);

#endif
