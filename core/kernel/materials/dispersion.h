/* Dispersion: glass whose index of refraction depends on the wavelength. Where a path first meets such glass pbrt-v4
 * goes on with one of its wavelengths. A path here has three colours, not wavelengths, and goes on as light of one
 * wavelength that is drawn for it (lb_path_wavelength in core/kernel/integrators/path.h):
 *
 * - Each colour stands for the spectrum that shows this colour alone under the white of sRGB (Mallett, Yuksel 2019).
 *   The three are nowhere negative, and at each wavelength they sum to 1. What the path then brings in each colour is
 *   taken at its wavelength, and the sum of the three is what light of that wavelength it brings.
 * - Light of one wavelength shows as the colour that the CIE's observer sees in it, in linear sRGB. This has components
 *   below 0, since sRGB is too narrow for pure colours. Their sum over all wavelengths is white.
 *
 * Where the index is the same for all wavelengths, the mean of all this is what it would be without. */
#ifndef LB_CORE_KERNEL_MATERIALS_DISPERSION_H
#define LB_CORE_KERNEL_MATERIALS_DISPERSION_H

#include "core/kernel/materials/bsdf.h"

/* The number of the wavelength that u in [0, 1) draws; all are equally likely. */
LB_INLINE uint32_t lb_wavelength_draw(float u)
{
    return (uint32_t)lb_to_int(u * (float)LB_WAVELENGTHS);
}

/* Gives the scattering function another index of refraction than the one that it was made with. */
LB_SELDOM_JOINED void lb_bsdf_set_index(lb_bsdf *bsdf, float eta)
{
    float ratio = bsdf->eta / eta;
    bsdf->eta = eta;
    if (bsdf->kind == LB_MATERIAL_THIN_DIELECTRIC)
        return;
    bsdf->smooth = lb_microfacet_is_smooth(bsdf->facets) || lb_index_is_matched(eta);
    if (bsdf->kind == LB_MATERIAL_COATED_CONDUCTOR) {
        bsdf->a = lb_color_scale(bsdf->a, ratio);
        bsdf->b = lb_color_scale(bsdf->b, ratio);
    } else if (bsdf->kind == LB_MATERIAL_COATED_DIFFUSE) {
        lb_coat_prepare(bsdf);
    }
}

#endif
