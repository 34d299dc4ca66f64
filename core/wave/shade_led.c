#define LB_LED
#include "core/wave/stages.h"

void lb_wave_shade_led(const lb_wave *wave, uint32_t index)
{
    lb_wave_shade(wave, index);
}
