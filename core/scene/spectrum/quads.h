/* The wavelengths of paths whose light is spectra (core/kernel/scene/spectral.h). Private to core/scene. */
#ifndef LB_CORE_SCENE_SPECTRUM_QUADS_H
#define LB_CORE_SCENE_SPECTRUM_QUADS_H

#include "core/kernel/scene/materials.h"
#include "core/scene/spectrum/samples.h"

enum { LB_QUAD_VALUES = 4 * LB_QUADS };

/* How a film sees wavelengths. */
struct lb_quad_view {
    /* They are evenly dense from `low` to `high`, in nm; else as pbrt-v4's are: by 1 / cosh^2(0.0072 (x - 538)) from
     * 360 to 830 nm. */
    bool even;
    double low, high;
    /* What a sensor makes of light is what is seen: light of luminance 1 is seen as the integrals of its product with
     * the responses, over that of its product with the eye's. Else the eye sees it, in linear sRGB, and the white of
     * sRGB as 1 in each component. */
    bool by_sensor;
    struct lb_samples responses[3];
    /* The space (core/base/color_space.h) under whose white albedos are seen, in its colours. */
    uint32_t space;
};

/* All wavelengths, in nm: those of quad number q are places[q], places[q + LB_QUADS] and so on. */
void lb_quads_place(const struct lb_quad_view *view, double places[LB_QUAD_VALUES]);
/* How light of each of these places is seen. */
void lb_quads_make(const struct lb_quad_view *view, const double places[LB_QUAD_VALUES],
                   lb_quad quads[LB_QUADS]);
/* A spectrum's means over what each of them stands for, in the order in which a block has it:
 * values[4 * quad + lane]. */
void lb_quads_take(const double places[LB_QUAD_VALUES], const struct lb_samples *spectrum,
                   float values[LB_QUAD_VALUES]);

#endif
