/* The kernel that shades most scenes. It needs all the registers that it may have: beside others, whose functions the
 * assembler would share with it, it would spill some. */
#include "cuda/stages.h"

__global__ void __launch_bounds__(THREADS, CALLING) wave_shade(const __grid_constant__ lb_wave wave)
{
    if (wave.counts->stopped)
        return;
    LB_EACH(index, *wave.left)
    lb_wave_shade(&wave, index);
}
