/* What camera rays hit, without a path behind them. For core/cpu alone. */
#ifndef LB_CORE_CPU_CAMERA_RAYS_H
#define LB_CORE_CPU_CAMERA_RAYS_H

#include "core/cpu/cpu.h"

/* The traversal for `isa`. */
const struct lb_tracer *lb_tracer_of(enum lb_isa isa);
/* Fills result->cost, which is zeroed and not NULL, as lb_work.coverage asks; adds to its counters and samples.
 * Called under the same floating point environment as a lb_render_function. */
void lb_coverage_trace(const struct lb_work *work, const struct lb_tracer *tracer, struct lb_result *result);

#endif
