/* From a noisy film to the colours of a clean picture. */
#ifndef LB_CORE_PICTURE_DENOISE_H
#define LB_CORE_PICTURE_DENOISE_H

#include "core/image/denoise.h"
#include "core/picture/picture.h"

/* The outputs that help: bits of 1 << enum lb_output, whose sums the film is to be rendered with. */
#define LB_OUTPUTS_DENOISE (1u << LB_OUTPUT_ALBEDO | 1u << LB_OUTPUT_NS)

/* What lb_film_picture.colors is to be: linear, without what lies behind all surfaces where the form is transparent.
 * The caller's to free, NULL where it fails. */
enum lb_status lb_film_denoise(const struct lb_denoiser *denoiser, const struct lb_film_form *form,
                               const struct lb_film_picture *picture, float **colors, struct lb_error *error);

#endif
