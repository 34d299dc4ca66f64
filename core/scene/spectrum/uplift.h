/* From the RGB of a reflectance to a spectrum that shows it. Private to core/scene. */
#ifndef LB_CORE_SCENE_SPECTRUM_UPLIFT_H
#define LB_CORE_SCENE_SPECTRUM_UPLIFT_H

#include "core/kernel/vec.h"
#include "core/scene/spectrum/data.h"

/* A smooth reflectance between 0 and 1: S(c0 x^2 + c1 x + c2), where x goes from 0 at 360 nm to 1 at 830 nm and S(y) is
 * 1/2 + y / (2 sqrt(1 + y^2)) (Jakob, Hanika, "A Low-Dimensional Function Space for Efficient Spectral Upsampling",
 * 2019). */
struct lb_sigmoid {
    double c[3];
};

/* How the colour of a reflectance follows from its values each LB_SPECTRUM_STEP nm: in a space
 * (core/base/color_space.h), under the space's white. */
struct lb_uplifter {
    double weights[LB_SPECTRUM_COUNT][3];
};

void lb_uplifter_make(uint32_t space, struct lb_uplifter *uplifter);
/* Finds the reflectance that shows this colour of the space, each component in 0 .. 1, to within 1e-7. For colours at
 * the border of what reflectances can show it finds one that is close. The result is the same to the bit everywhere. */
void lb_uplift(const struct lb_uplifter *uplifter, lb_rgb colour, struct lb_sigmoid *sigmoid);
/* The same to within 1e-5, and sooner: the search begins at `sigmoid`, which shows a colour that is close. */
void lb_uplift_from(const struct lb_uplifter *uplifter, lb_rgb colour, struct lb_sigmoid *sigmoid);
/* The same as pbrt-v4 has it, whose table of reflectances is linear between 64 heights and as many parts of them: dark
 * colours are shown up to 1 % too dark. It is that of lb_uplift where this one would be off by more than 0.002 in any
 * component, or where not all of the table's colours nearby are those of reflectances. */
void lb_uplift_as_pbrt(const struct lb_uplifter *uplifter, lb_rgb colour, struct lb_sigmoid *sigmoid);
/* By how much the component that is furthest off is off. */
double lb_uplift_error(const struct lb_uplifter *uplifter, lb_rgb colour, const struct lb_sigmoid *sigmoid);
/* The reflectance at a wavelength, in nm. */
double lb_sigmoid_at(const struct lb_sigmoid *sigmoid, double wavelength);

#endif
