/* The channels of an EXR that describe surfaces (albedo, position, normal ...), gathered by camera rays. For core/cpu
 * alone. */
#ifndef LB_CORE_CPU_CHANNELS_H
#define LB_CORE_CPU_CHANNELS_H

#include "core/cpu/tracer.h"
#include "core/processor.h"

/* Adds what each of the work's samples sees first (core/kernel/integrators/feature.h) to result->sums, which must be
 * zeroed and not NULL. Where the work is stopped it returns early and sets result->stopped. This is a pass of its own
 * over the camera's rays, so that the loop that follows paths stays as it is and pictures without channels pay nothing.
 * The rays are not counted, as a pixel's cost is that of its light. The floating point environment must be as for an
 * lb_render_function (core/cpu/render.h). */
void lb_channels_trace(const struct lb_work *work, const struct lb_tracer *tracer, struct lb_result *result);
/* The same for scenes whose light is spectra, also where groups of lights are told apart. */
void lb_spectral_channels_trace(const struct lb_work *work, const struct lb_tracer *tracer,
                                struct lb_result *result);
/* The same where it is summed what groups of lights bring, in red, green and blue. */
void lb_groups_channels_trace(const struct lb_work *work, const struct lb_tracer *tracer,
                              struct lb_result *result);

#endif
