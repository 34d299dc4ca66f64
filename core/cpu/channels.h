/* What camera rays tell of the surfaces that they hit. For core/cpu alone. */
#ifndef LB_CORE_CPU_CHANNELS_H
#define LB_CORE_CPU_CHANNELS_H

#include "core/cpu/tracer.h"
#include "core/processor.h"

/* Adds what the work's samples see first (core/kernel/feature.h) to result->sums, which are zeroed and not NULL; sets
 * `stopped`. A pass of its own over the camera's rays: the loop that follows paths stays as it is, and pictures without
 * channels pay nothing. Its rays are not counted, as pixels' costs are those of their light. Called under the same
 * floating point environment as a lb_render_function. */
void lb_channels_trace(const struct lb_work *work, const struct lb_tracer *tracer, struct lb_result *result);

#endif
