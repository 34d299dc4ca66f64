/* The wavelengths of paths whose light is spectra (core/kernel/scene/spectral.h). Private to core/scene. */
#ifndef LB_CORE_SCENE_SPECTRUM_QUADS_H
#define LB_CORE_SCENE_SPECTRUM_QUADS_H

#include "core/kernel/scene/materials.h"
#include "core/scene/spectrum/samples.h"

enum { LB_QUAD_VALUES = 4 * LB_QUADS };

/* All wavelengths, in nm: those of quad number q are places[q], places[q + LB_QUADS] and so on, and all are as dense as
 * pbrt-v4's: by 1 / cosh^2(0.0072 (x - 538)) from 360 to 830 nm. */
void lb_quads_place(double places[LB_QUAD_VALUES]);
/* How the eye sees light of each of these places, in linear sRGB. The white of sRGB, with a luminance of 1, is seen as
 * 1 in each component. */
void lb_quads_make(const double places[LB_QUAD_VALUES], lb_quad quads[LB_QUADS]);
/* A spectrum at all of them, in the order in which a block has it: values[4 * quad + lane]. */
void lb_quads_take(const double places[LB_QUAD_VALUES], const struct lb_samples *spectrum,
                   float values[LB_QUAD_VALUES]);

#endif
