/* The stages for light of red, green and blue. */
#define LB_WAVE_CODE lb_wave_of_rgb
#include "core/wave/stages.inc"
