/* Rays are traced by one of four kernels, so that scenes of opaque triangles alone do not pay for the others. Theirs
 * has nothing to call, and its loop fits into few registers: it stands here, and the others in stage_asking.cu. */
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
