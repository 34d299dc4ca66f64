#include "cli/session/denoise.h"

#include "cli/session/progress.h"

enum lb_status cli_denoise(struct cli_console *console, enum cli_progress kind,
                           const struct lb_denoiser *denoiser, const struct lb_film_form *form,
                           struct lb_film_picture *picture, float **colors, struct lb_error *error)
{
    *colors = NULL;
    if (!denoiser)
        return LB_OK;
    struct cli_progress_show *show = cli_progress_start_doing(console, kind, "denoising");
    enum lb_status status = lb_film_denoise(denoiser, form, picture, colors, error);
    cli_progress_stop(show);
    if (status != LB_OK)
        return status;
    picture->colors = *colors;
    picture->cleaned_by = lb_denoiser_about(denoiser);
    return LB_OK;
}
