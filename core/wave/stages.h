/* What of the pipeline is compiled twice: for light of red, green and blue, and of four wavelengths. The GPUs that
 * tests play on the host (test/fake_cuda) run the same. */
#ifndef LB_CORE_WAVE_STAGES_H
#define LB_CORE_WAVE_STAGES_H

#include "core/kernel/integrators/wavefront.h"
#include "core/wave/stage.h"
#include "core/wave/wave_sizes.h"

struct lb_wave_code {
    struct lb_wave_sizes sizes; /* with that of lb_volume */
    /* Runs one stage over all indices, from the last to the first where `backwards` is set: no order may matter, as
     * GPUs have none. */
    void (*run)(const lb_wave *wave, enum lb_wave_stage stage, bool backwards);
};

extern const struct lb_wave_code lb_wave_of_rgb, lb_wave_of_spectra;

/* lb_wave_shade where a guide leads paths. Nothing of it but the shading of red, green and blue differs, and so it is
 * compiled by itself (core/wave/shade_led.c). */
void lb_wave_shade_led(const lb_wave *wave, uint32_t index);

/* Chooses by what the scene's light is made of. */
const struct lb_wave_code *lb_wave_code_of(const lb_scene *scene);

/* Does a stage run at all on a scene like that of `wave`? */
static inline bool lb_wave_runs(enum lb_wave_stage stage, const lb_wave *wave)
{
    switch (stage) {
    case LB_WAVE_GATHER:
        return wave->gathers != 0;
    case LB_WAVE_TRACE_REST:
        return wave->puts_off != 0;
    case LB_WAVE_SHADOW_REST:
        return lb_wave_puts_off_shadows(wave);
    default:
        return true;
    }
}

#endif
