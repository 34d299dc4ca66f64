/* The table by which images' colours become spectra (lb_scene.sigmoids). Private to core/scene. */
#ifndef LB_CORE_SCENE_SPECTRUM_SIGMOIDS_H
#define LB_CORE_SCENE_SPECTRUM_SIGMOIDS_H

#include "core/kernel/vec.h"

/* Makes all LB_SIGMOIDS of the table, for linear sRGB; the same to the bit everywhere. */
void lb_sigmoids_make(lb_vec3 *table);

#endif
