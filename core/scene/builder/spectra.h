/* Colours as spectra, where the picture is to be made of them (core/kernel/scene/spectral.h), of wavelengths that
 * the film chooses (core/scene/film/film_spectra.c). Private to core/scene. */
#ifndef LB_CORE_SCENE_BUILDER_SPECTRA_H
#define LB_CORE_SCENE_BUILDER_SPECTRA_H

#include "core/scene/builder/builder.h"
#include "core/scene/spectrum/quads.h"
#include "core/scene/spectrum/spectrum.h"

/* What a spectrum was made of. */
struct lb_made_spectrum {
    lb_rgb rgb;
    lb_rgb own; /* the same as a colour of its own space, which it was given in (core/base/color_space.h) */
    uint32_t space;
    uint32_t role; /* enum lb_spectrum_role */
    uint64_t hash; /* of the samples, where it was given as some; else 0 */
};

/* The spectra of a scene so far. */
struct lb_spectra {
    double places[LB_QUAD_VALUES]; /* the wavelengths, in nm, as lb_quads_place has them */
    struct lb_vector values;       /* lb_lanes[LB_QUADS] each; become the block's */
    struct lb_vector made;         /* struct lb_made_spectrum, one for each: what it was made of */
};

/* Adds the spectrum of a parameter, whose colour is `rgb`, unless it is there already, and sets its number. Where the
 * parameter is no spectrum of its own, or NULL, it is a smooth one that shows the colour. */
enum lb_status lb_build_spectrum(const struct lb_builder *builder, const struct lb_parameter *parameter,
                                 enum lb_spectrum_role role, lb_rgb rgb, uint32_t *number);
/* The same for samples, which are no light. */
enum lb_status lb_build_samples_spectrum(const struct lb_builder *builder, const struct lb_samples *samples,
                                         uint32_t *number);
/* The spectrum of the color that spectrum number `from` shows as a reflectance, of what is none; the same where the
 * scene gave the samples. */
enum lb_status lb_build_unbounded_spectrum(const struct lb_builder *builder, uint32_t from, uint32_t *number);
/* The block's colour for so many times a spectrum. */
lb_rgb lb_build_times_spectrum(uint32_t number, float factor);
/* Makes a colour that was read from a parameter (NULL: of none) one of the block. It stays as it is where colours are
 * no spectra, and where it is grey and no light. */
enum lb_status lb_build_spectral(const struct lb_builder *builder, const struct lb_parameter *parameter,
                                 enum lb_spectrum_role role, lb_rgb *rgb);
/* The number of a light's spectrum plus 1, from the parameter of this name, by which lb_build_spectral_lights finds it;
 * 0 where colours are no spectra. */
enum lb_status lb_build_light_spectrum(const struct lb_builder *builder,
                                       const struct lb_parameters *parameters, const char *name,
                                       uint32_t *spectrum);
/* The block's colour for light of that spectrum whose colour is `rgb`. */
lb_rgb lb_build_light_color(const struct lb_builder *builder, uint32_t spectrum, lb_rgb rgb);
/* Makes the lights' colours spectra, when all that is computed with them is done, and hands the spectra to the
 * block. */
enum lb_status lb_build_spectral_lights(struct lb_builder *builder);
/* Makes the table of the reflectances of images' colours, where colours are spectra and there is none yet. */
enum lb_status lb_build_sigmoids(struct lb_builder *builder);

#endif
