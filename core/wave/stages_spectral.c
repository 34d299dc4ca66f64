/* The stages for light of four wavelengths (core/kernel/scene/spectral.h). */
#define LB_SPECTRAL
#define LB_WAVE_CODE lb_wave_of_spectra
#include "core/wave/stages.inc"
