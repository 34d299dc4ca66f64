/* The wavelengths that paths take in scenes where a material disperses (core/kernel/materials/dispersion.h). Private to
 * core/scene. */
#ifndef LB_CORE_SCENE_SPECTRUM_WAVELENGTHS_H
#define LB_CORE_SCENE_SPECTRUM_WAVELENGTHS_H

#include "core/kernel/scene/materials.h"
#include "core/scene/spectrum/samples.h"

/* Makes all of them. Where light of one wavelength shows as much colour, they lie closer, so that single paths differ
 * as little as they can. */
void lb_wavelengths_make(lb_wavelength wavelengths[LB_WAVELENGTHS]);
/* Sets values[k] to the spectrum at wavelength k. */
void lb_wavelengths_take(const struct lb_samples *spectrum, float values[LB_WAVELENGTHS]);

#endif
