/* What of the pipeline is compiled twice: for light of red, green and blue, and of four wavelengths. For core/wave
 * alone. */
#ifndef LB_CORE_WAVE_STAGES_H
#define LB_CORE_WAVE_STAGES_H

#include "core/kernel/integrators/wavefront.h"
#include "core/wave/wave_sizes.h"

struct lb_wave_code {
    struct lb_wave_sizes sizes; /* with that of lb_volume */
    /* Runs one stage after the other over all indices, in the order in which a GPU runs its kernels, until no path is
     * left. */
    void (*run)(lb_wave *wave, const int *stop);
};

extern const struct lb_wave_code lb_wave_of_rgb, lb_wave_of_spectra;

/* lb_wave_shade where a guide leads paths. Nothing of it but the shading of red, green and blue differs, and so it is
 * compiled by itself (core/wave/shade_led.c). */
void lb_wave_shade_led(const lb_wave *wave, uint32_t index);

/* Chooses by what the scene's light is made of. */
const struct lb_wave_code *lb_wave_code_of(const lb_scene *scene);

#endif
