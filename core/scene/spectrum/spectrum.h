/* Spectra turned into linear RGB with pbrt-v4's conventions, once, when a scene is loaded. */
#ifndef LB_CORE_SCENE_SPECTRUM_SPECTRUM_H
#define LB_CORE_SCENE_SPECTRUM_SPECTRUM_H

#include "core/kernel/vec.h"
#include "core/language/description.h"
#include "core/scene/spectrum/samples.h"

/* What the spectrum is of: it decides pbrt's normalisation. */
enum lb_spectrum_role {
    LB_SPECTRUM_REFLECTANCE, /* albedo: colour under the equal-energy white that pbrt's film makes of it,
                                clamped to 0..1 */
    LB_SPECTRUM_UNBOUNDED,   /* eta, k, sigma: any value */
    LB_SPECTRUM_ILLUMINANT,  /* light: rgb is taken as it is; all other kinds are normalised to luminance 1 */
};

/* The colour of a parameter of type rgb, blackbody or spectrum (named, inline pairs, .spd file).
 * `description` finds files. */
enum lb_status lb_spectrum_rgb(const struct lb_description *description, const struct lb_parameter *parameter,
                               enum lb_spectrum_role role, struct lb_arena *arena, const struct lb_log *log,
                               lb_rgb *rgb, struct lb_error *error);
/* What a spectrum of values at rising wavelengths, in nm, between which it is linear and beyond which it goes on, is as
 * the color of a reflectance in a space (core/base/color_space.h), which is not clamped: the sum of the values times
 * `weights`, three a wavelength. */
void lb_spectrum_weights(uint32_t space, const float *wavelengths, size_t count, double *weights);
/* The color, in linear sRGB, that the white of sRGB shows at each wavelength: in any unit, and with components below 0
 * where it must. */
void lb_spectrum_white(struct lb_samples shown[3]);
/* The same of light that has the same energy at all wavelengths, in a color space (core/base/color_space.h). */
void lb_spectrum_eye(uint32_t space, struct lb_samples shown[3]);
/* The white of sRGB, D65, as the table has it. */
void lb_spectrum_daylight(struct lb_samples *white);
/* The white of a color space, of the same luminance. */
void lb_spectrum_space_white(uint32_t space, struct lb_samples *white);
/* The integral of the luminous efficiency: the luminance of light that is 1 at all wavelengths. pbrt leaves it out of
 * the emission of rgb grids and black bodies. */
#define LB_LUMINOUS_INTEGRAL 106.856895f

/* What the eye gets of a light. */
double lb_spectrum_luminance(const struct lb_samples *light);
/* The luminance that light of a parameter has as pbrt reads it, over that of light that is 1 at all wavelengths: 1 for
 * colours and illuminants by name. */
enum lb_status lb_spectrum_given_luminance(const struct lb_description *description,
                                           const struct lb_parameter *parameter, struct lb_arena *arena,
                                           const struct lb_log *log, float *luminance,
                                           struct lb_error *error);
/* One number for a spectrum where a renderer of three colours needs one (a dielectric's eta): its value at
 * 587.6 nm; the average of an rgb. */
enum lb_status lb_spectrum_number(const struct lb_description *description,
                                  const struct lb_parameter *parameter, struct lb_arena *arena,
                                  const struct lb_log *log, float *number, struct lb_error *error);
/* Eta and k of a conductor from two parameters of type spectrum (NULL: copper's), as three colours such that
 * Fresnel at normal incidence gives the colour that the spectra have under the white of sRGB. */
enum lb_status lb_spectrum_conductor(const struct lb_description *description, const struct lb_parameter *eta,
                                     const struct lb_parameter *k, struct lb_arena *arena,
                                     const struct lb_log *log, lb_rgb *eta_rgb, lb_rgb *k_rgb,
                                     struct lb_error *error);
/* What a black body of so many kelvin (more than 0) sends, where pbrt takes 1 for the most that it sends at any
 * wavelength, and does not divide by the luminous efficiency's integral. */
lb_rgb lb_spectrum_blackbody(double kelvin);
/* Eta and k of a metal by name ("Cu", "Au", "Ag", "Al", "CuZn", ..) as three colours such that Fresnel at
 * normal incidence gives pbrt's colour. False: no such metal. */
bool lb_spectrum_metal(const char *name, lb_rgb *eta, lb_rgb *k);

#endif
