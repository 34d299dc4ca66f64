/* The kernel that shades scenes with a guide. It stands alone for the reason that cuda/stage_shade.cu does. */
#define LB_LED
#include "cuda/stages.h"

__global__ void __launch_bounds__(THREADS, CALLING) wave_shade_led(const __grid_constant__ lb_wave wave)
{
    if (wave.counts->stopped)
        return;
    LB_EACH(index, *wave.left)
    lb_wave_shade(&wave, index);
}
