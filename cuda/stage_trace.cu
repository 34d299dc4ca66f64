/* Rays are traced by one of four kernels, so that scenes of opaque triangles alone do not pay for the others, or by
 * two, where few primitives are anything else. That for opaque triangles and the first of the two have nothing to call,
 * and their loops fit into few registers: they stand here, and the others in stage_asking.cu. */
#include "cuda/stages.h"

__global__ void __launch_bounds__(THREADS, TRACING) wave_trace(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_trace(&wave, &stack, LB_WIDE_OPAQUE);
}

__global__ void __launch_bounds__(THREADS, TRACING) wave_shadow(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_shadow(&wave, &stack, LB_WIDE_OPAQUE);
}

__global__ void __launch_bounds__(THREADS, TRACING) wave_trace_first(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_trace(&wave, &stack, LB_WIDE_FIRST);
}

__global__ void __launch_bounds__(THREADS, TRACING) wave_shadow_first(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_shadow(&wave, &stack, LB_WIDE_FIRST);
}
