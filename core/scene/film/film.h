/* The film: its size, filter, sensor and channels. Private to core/scene. */
#ifndef LB_CORE_SCENE_FILM_FILM_H
#define LB_CORE_SCENE_FILM_FILM_H

#include "core/scene/builder/builder.h"

/* The film's size, the part of it that is the picture, and its sensor. */
enum lb_status lb_build_film(struct lb_builder *builder);
/* By what the sensor multiplies light. Comes after the camera, whose shutter it needs (builder->shutter). */
enum lb_status lb_build_film_exposure(struct lb_builder *builder);
/* The pixel filter, and the tables from which places in it are drawn. */
enum lb_status lb_build_filter(struct lb_builder *builder);
/* Do the film's type or its sensor want light as spectra? They do unless the options want red, green and blue. */
bool lb_film_wants_spectra(const struct lb_builder *builder);
/* Makes builder->spectra and the wavelengths that the film sees, where it or the options want spectra and the
 * integrator follows paths. Comes after the integrator and the exposure. */
enum lb_status lb_build_quads(struct lb_builder *builder);
/* The wavelengths that the film takes, in nm: of a "spectral" one those that it asks for, else all. */
enum lb_status lb_film_range(const struct lb_builder *builder, float *low, float *high);
/* What the picture has beside its light. Comes after all of the scene. */
enum lb_status lb_build_channels(struct lb_builder *builder);

#endif
