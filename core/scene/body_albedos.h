/* How bright a body of dense material is, by what one scattering in it leaves. */
#ifndef LB_CORE_SCENE_BODY_ALBEDOS_H
#define LB_CORE_SCENE_BODY_ALBEDOS_H

#include "core/kernel/scene.h"

/* Fills LB_BODY_ALBEDOS numbers: for reflectances from 0 to 1 in equal steps, the albedo of a scattering for which a
 * half space of index `eta` and anisotropy `g` sends back that part of the light that goes into it, under an even sky.
 * By a few thousand random walks, always the same ones. */
void lb_body_albedos(float eta, float g, float *albedos);

#endif
