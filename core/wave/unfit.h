/* What the pipeline of GPUs does not render yet, on a GPU as on the host. */
#ifndef LB_CORE_WAVE_UNFIT_H
#define LB_CORE_WAVE_UNFIT_H

#include "core/kernel/scene/scene.h"

/* Why it cannot render the scene, to stand behind "GPUs are left out: "; NULL: it can. */
const char *lb_wave_unfit(const lb_scene *scene);

#endif
