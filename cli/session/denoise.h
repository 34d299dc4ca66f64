/* Taking the noise out of pictures. */
#ifndef LB_CLI_SESSION_DENOISE_H
#define LB_CLI_SESSION_DENOISE_H

#include "cli/console/console.h"
#include "cli/options/options.h"
#include "core/picture/denoise.h"

/* Gives `picture` colours without noise, which are the caller's to free, and shows that it goes on. `denoiser` NULL:
 * *colors is NULL, and the picture stays as it is, as it does after an error. */
enum lb_status cli_denoise(struct cli_console *console, enum cli_progress kind,
                           const struct lb_denoiser *denoiser, const struct lb_film_form *form,
                           struct lb_film_picture *picture, float **colors, struct lb_error *error);

#endif
