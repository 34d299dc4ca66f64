/* The kernels that few scenes need: for channels of first hits, ambient occlusion, and media, whose rays also go
 * through what only parts them. */
#include "cuda/stages.h"

LB_KERNEL_OF_ACTIVE(gather, CALLING)
LB_KERNEL_OF_ACTIVE(shade_occlusion, CALLING)
LB_KERNEL_OF_ACTIVE(shade_volume, VOLUME)

__global__ void __launch_bounds__(THREADS, VOLUME) wave_shadow_volume(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    LB_EACH(index, wave.counts->shadows)
    lb_wave_shadow_volume(&wave, index, &stack, LB_WIDE_CURVES);
}

__global__ void __launch_bounds__(THREADS, VOLUME)
    wave_shadow_volume_moving(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    LB_EACH(index, wave.counts->shadows)
    lb_wave_shadow_volume(&wave, index, &stack, LB_WIDE_MOVING);
}

__global__ void __launch_bounds__(THREADS, CALLING) wave_shadow_passing(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    LB_EACH(index, wave.counts->shadows)
    lb_wave_shadow_passing(&wave, index, &stack, LB_WIDE_ASKING);
}

__global__ void __launch_bounds__(THREADS, CALLING)
    wave_shadow_passing_curves(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    LB_EACH(index, wave.counts->shadows)
    lb_wave_shadow_passing(&wave, index, &stack, LB_WIDE_CURVES);
}

__global__ void __launch_bounds__(THREADS, CALLING)
    wave_shadow_passing_moving(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    LB_EACH(index, wave.counts->shadows)
    lb_wave_shadow_passing(&wave, index, &stack, LB_WIDE_MOVING);
}
