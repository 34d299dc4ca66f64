/* The kernels that trace rays where hits ask something, as for alpha. The search for crossings of curves, and the pose
 * of what moves, take much memory of each thread's own. */
#include "cuda/stages.h"

const int wave_asking_blocks = LB_ASKING;

__global__ void __launch_bounds__(THREADS, LB_ASKING) wave_trace_asking(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_trace(&wave, &stack, LB_WIDE_ASKING);
}

__global__ void __launch_bounds__(THREADS, CALLING) wave_trace_curves(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_trace(&wave, &stack, LB_WIDE_CURVES);
}

__global__ void __launch_bounds__(THREADS, CALLING) wave_trace_moving(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_trace(&wave, &stack, LB_WIDE_MOVING);
}

__global__ void __launch_bounds__(THREADS, LB_ASKING) wave_shadow_asking(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_shadow(&wave, &stack, LB_WIDE_ASKING);
}

__global__ void __launch_bounds__(THREADS, CALLING) wave_shadow_curves(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_shadow(&wave, &stack, LB_WIDE_CURVES);
}

__global__ void __launch_bounds__(THREADS, CALLING) wave_shadow_moving(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_shadow(&wave, &stack, LB_WIDE_MOVING);
}

/* The second of two walks, whose first stands in stage_trace.cu. */
__global__ void __launch_bounds__(THREADS, LB_ASKING) wave_trace_rest(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_trace(&wave, &stack, LB_WIDE_REST);
}

__global__ void __launch_bounds__(THREADS, LB_ASKING) wave_shadow_rest(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    lb_wave_shadow(&wave, &stack, LB_WIDE_REST);
}
