/* How many bytes the pipeline keeps of each path. That goes by what a scene's light is made of, for which the stages
 * are compiled (core/wave/stages.h), so that whoever lays out their memory is compiled for neither. */
#ifndef LB_CORE_WAVE_WAVE_SIZES_H
#define LB_CORE_WAVE_WAVE_SIZES_H

#include "core/kernel/scene/scene.h"

#include <stddef.h>

struct lb_wave_sizes {
    size_t path, shadow; /* lb_path and lb_shadow */
    /* lb_volume; 0 where there is none, as media do no more than absorb. Wavelengths always have it: to compile the
     * stages for them without it as well would take too long (cuda/stage_spectral.cu). */
    size_t volume;
};

/* Those of a scene. */
struct lb_wave_sizes lb_wave_sizes_of(const lb_scene *scene);

#endif
