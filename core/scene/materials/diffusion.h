/* How light spreads in a dense body below a surface: the tables of subsurface materials, by photon beam diffusion
 * (Habel, Christensen, Jarosz 2013), as pbrt-v4 has it. */
#ifndef LB_CORE_SCENE_MATERIALS_DIFFUSION_H
#define LB_CORE_SCENE_MATERIALS_DIFFUSION_H

#include "core/kernel/scene/scene.h"

/* Fills LB_PROFILE_FLOATS numbers, laid out as core/kernel/materials/bssrdf.h says, for a half space whose index is
 * `eta` times that of what is outside (more than 0) and whose phase function has the mean cosine g (-1 < g < 1). Takes
 * some hundredths of a second. */
void lb_diffusion_tabulate(float eta, float g, float *table);

/* What makes light that comes out, let through by the surface as its Fresnel factor says, as much as was let in:
 * eta^2 / (the part of even light that the surface lets through). */
float lb_diffusion_leaving(float eta);

#endif
