#include "core/image/denoise.h"

#include "core/image/oidn.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

/* 1.4.0 is the first that takes albedos and normals that it has cleaned before. */
enum { OLDEST = 10400 };

struct lb_denoiser {
    struct lb_oidn api;
    void *device;
    char about[64];
};

/* ---- the library ---- */

/* The first error since the last question, as one of ours. */
static enum lb_status ask(const struct lb_denoiser *denoiser, struct lb_error *error)
{
    const char *message = NULL;
    if (denoiser->api.get_device_error(denoiser->device, &message) == LB_OIDN_NO_ERROR)
        return LB_OK;
    return lb_error_set(error, LB_ERROR, "--denoise: Open Image Denoise: %.700s",
                        message && *message ? message : "an error without a word");
}

static enum lb_status check_version(struct lb_denoiser *denoiser, struct lb_error *error)
{
    int version = denoiser->api.get_device_int(denoiser->device, "version");
    if (version < OLDEST)
        return lb_error_set(error, LB_ERROR,
                            "--denoise: Open Image Denoise %d.%d.%d is too old: 1.4.0 or later",
                            version / 10000, version / 100 % 100, version % 100);
    snprintf(denoiser->about, sizeof denoiser->about, "Open Image Denoise %d.%d.%d on CPUs", version / 10000,
             version / 100 % 100, version % 100);
    return LB_OK;
}

/* Threads that the library binds to CPUs would stay there, and with them, for a while, the one that calls it. */
static enum lb_status open_device(struct lb_denoiser *denoiser, uint32_t threads, struct lb_error *error)
{
    const struct lb_oidn *api = &denoiser->api;
    denoiser->device = api->new_device(LB_OIDN_DEVICE_CPU);
    if (!denoiser->device) {
        enum lb_status status = ask(denoiser, error);
        return status != LB_OK ? status
                               : lb_error_set(error, LB_ERROR, "--denoise: Open Image Denoise has no CPUs");
    }
    api->set_device_bool(denoiser->device, "setAffinity", false);
    if (threads > 0)
        api->set_device_int(denoiser->device, "numThreads", (int)threads);
    api->commit_device(denoiser->device);
    enum lb_status status = ask(denoiser, error);
    return status == LB_OK ? check_version(denoiser, error) : status;
}

enum lb_status lb_denoiser_open(const char *file, uint32_t threads, struct lb_denoiser **denoiser,
                                struct lb_error *error)
{
    fenv_t kept;
    *denoiser = calloc(1, sizeof **denoiser);
    if (!*denoiser)
        return lb_error_memory(error, NULL);
    fegetenv(&kept);
    enum lb_status status = lb_oidn_load(file, &(*denoiser)->api, error);
    if (status == LB_OK)
        status = open_device(*denoiser, threads, error);
    fesetenv(&kept);
    if (status != LB_OK) {
        lb_denoiser_close(*denoiser);
        *denoiser = NULL;
    }
    return status;
}

void lb_denoiser_close(struct lb_denoiser *denoiser)
{
    if (denoiser && denoiser->device)
        denoiser->api.release_device(denoiser->device);
    free(denoiser);
}

const char *lb_denoiser_about(const struct lb_denoiser *denoiser)
{
    return denoiser->about;
}

/* ---- filters ---- */

/* An image of a filter, under the library's name for it. */
struct input {
    const char *name;
    float *values;
};

/* Runs a filter of up to three inputs, the first of which becomes the output. `clean`: the others have no noise. */
static enum lb_status filter(const struct lb_denoiser *denoiser, const struct lb_denoise_images *images,
                             const struct input inputs[3], bool clean, struct lb_error *error)
{
    const struct lb_oidn *api = &denoiser->api;
    void *made = api->new_filter(denoiser->device, "RT");
    enum lb_status status = ask(denoiser, error);
    if (status != LB_OK || !made)
        return status != LB_OK ? status
                               : lb_error_set(error, LB_ERROR, "--denoise: Open Image Denoise has no filter");
    for (int i = 0; i < 3; i++)
        if (inputs[i].values)
            api->set_filter_image(made, inputs[i].name, inputs[i].values, LB_OIDN_FLOAT3, images->width,
                                  images->height, 0, 0, 0);
    api->set_filter_image(made, "output", inputs[0].values, LB_OIDN_FLOAT3, images->width, images->height, 0,
                          0, 0);
    if (inputs[0].values == images->color)
        api->set_filter_bool(made, "hdr", true);
    if (clean)
        api->set_filter_bool(made, "cleanAux", true);
    api->commit_filter(made);
    api->execute_filter(made);
    status = ask(denoiser, error);
    api->release_filter(made);
    return status;
}

/* Albedos and normals have noise themselves, from lenses, motion and edges, which would come back in the picture: they
 * are cleaned first, as the library's documentation recommends for final frames. */
static enum lb_status run(const struct lb_denoiser *denoiser, const struct lb_denoise_images *images,
                          struct lb_error *error)
{
    const struct input albedo[3] = {{"albedo", images->albedo}}, normal[3] = {{"normal", images->normal}};
    const struct input all[3] = {{"color", images->color}, albedo[0], normal[0]};
    bool aided = images->albedo && images->normal;
    enum lb_status status = LB_OK;
    if (aided)
        status = filter(denoiser, images, albedo, false, error);
    if (aided && status == LB_OK)
        status = filter(denoiser, images, normal, false, error);
    return status == LB_OK ? filter(denoiser, images, all, aided, error) : status;
}

enum lb_status lb_denoise(const struct lb_denoiser *denoiser, const struct lb_denoise_images *images,
                          struct lb_error *error)
{
    fenv_t kept;
    fegetenv(&kept); /* such libraries take tiny numbers for 0, and may leave it at that */
    enum lb_status status = run(denoiser, images, error);
    fesetenv(&kept);
    return status;
}
