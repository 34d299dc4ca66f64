/* From the RGB of a reflectance to a spectrum that shows it. Private to core/scene. */
#ifndef LB_CORE_SCENE_SPECTRUM_UPLIFT_H
#define LB_CORE_SCENE_SPECTRUM_UPLIFT_H

#include "core/kernel/vec.h"

/* A smooth reflectance between 0 and 1: S(c0 x^2 + c1 x + c2), where x goes from 0 at 360 nm to 1 at 830 nm and S(y) is
 * 1/2 + y / (2 sqrt(1 + y^2)) (Jakob, Hanika, "A Low-Dimensional Function Space for Efficient Spectral Upsampling",
 * 2019). */
struct lb_sigmoid {
    double c[3];
};

/* Finds the reflectance that shows this colour of a space (core/base/color_space.h), each component in 0 .. 1, under
 * the space's white. For colours at the border of what reflectances can show it finds one that is close. The result
 * is the same to the bit everywhere. */
void lb_uplift(uint32_t space, lb_rgb colour, struct lb_sigmoid *sigmoid);
/* The reflectance at a wavelength, in nm. */
double lb_sigmoid_at(const struct lb_sigmoid *sigmoid, double wavelength);

#endif
