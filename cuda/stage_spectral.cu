/* All kernels for light of four wavelengths (cuda/stages.h). Paths of all scenes are shaded as where media do more than
 * absorb, as on CPUs (core/cpu/spectral.c). */
#define LB_SPECTRAL
#include "cuda/stages.h"

LB_KERNEL(begin, CALLING)
{
    LB_EACH(slot, lb_wave_first(&wave))
    lb_wave_begin(&wave, slot);
}

LB_KERNEL(turn, CALLING)
{
    if (blockIdx.x + threadIdx.x == 0)
        lb_wave_reckon(&wave);
    LB_EACH(index, lb_wave_active(&wave))
    lb_wave_turn(&wave, index);
}

LB_KERNEL(trace, TRACING)
{
    LB_STACK(stack);
    lb_wave_trace(&wave, &stack, LB_WIDE_OPAQUE);
}

LB_KERNEL(trace_moving, CALLING)
{
    LB_STACK(stack);
    lb_wave_trace(&wave, &stack, LB_WIDE_MOVING);
}

LB_KERNEL_OF_ACTIVE(count, TRACING)
LB_KERNEL_OF_ACTIVE(sort, TRACING)
LB_KERNEL_OF_ACTIVE(gather, VOLUME)
LB_KERNEL_OF_ACTIVE(shade_volume, VOLUME)

LB_KERNEL(shadow_volume, VOLUME)
{
    LB_STACK(stack);
    LB_EACH(index, wave.counts->shadows)
    lb_wave_shadow_volume(&wave, index, &stack, LB_WIDE_MOVING);
}
