#include "core/picture/denoise.h"

#include <stdlib.h>

/* A scene without surfaces has no channels. */
static bool is_aided(const struct lb_film_picture *picture)
{
    uint32_t kinds = lb_outputs_kinds(LB_OUTPUTS_DENOISE);
    return picture->sums && (picture->channels->wanted & kinds) == kinds;
}

enum lb_status lb_film_denoise(const struct lb_denoiser *denoiser, const struct lb_film_form *form,
                               const struct lb_film_picture *picture, float **colors, struct lb_error *error)
{
    bool aided = is_aided(picture);
    struct lb_denoise_images images = {
        .width = picture->film->width,
        .height = picture->film->height,
        .color = lb_film_colors(picture, form),
        .albedo = aided ? lb_film_values(picture, LB_OUTPUT_ALBEDO) : NULL,
        .normal = aided ? lb_film_values(picture, LB_OUTPUT_NS) : NULL,
    };
    bool complete = images.color && (!aided || (images.albedo && images.normal));
    enum lb_status status =
        complete ? lb_denoise(denoiser, &images, error) : lb_error_memory(error, "denoising the picture");
    free(images.albedo);
    free(images.normal);
    if (status != LB_OK) {
        free(images.color);
        images.color = NULL;
    }
    *colors = images.color;
    return status;
}
