/* A CPU thread as a processor: the contract of core/processor.h, kept by the render loops of core/cpu/render.h. It
 * makes no thread, but renders on the one that calls it. */
#include "core/cpu/camera_rays.h"
#include "core/cpu/channels.h"
#include "core/cpu/render.h"
#include "core/kernel/integrators/feature.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cpu_processor {
    struct lb_processor base;
    const lb_scene *scene;
    lb_render_function *render, *guided;
    lb_guide guide; /* of the scene; it means something where scene->guide does */
    const struct lb_tracer *tracer;
};

/* Refuses work that this processor cannot do, with a message that says why. */
static enum lb_status check(const struct cpu_processor *own, const struct lb_work *work,
                            struct lb_error *error)
{
    const lb_film *film = &own->scene->film;
    if (work->scene != own->scene)
        return lb_error_set(error, LB_ERROR, "%s: asked to render a scene that it does not hold",
                            own->base.name);
    if (work->range.begin > work->range.end || work->range.end > work->order->count)
        return lb_error_set(error, LB_ERROR, "%s: range %llu .. %llu outside an order of %llu positions",
                            own->base.name, (unsigned long long)work->range.begin,
                            (unsigned long long)work->range.end, (unsigned long long)work->order->count);
    if (work->order->width != film->width || work->order->height != film->height)
        return lb_error_set(error, LB_ERROR, "%s: an order of %u x %u for a picture of %u x %u",
                            own->base.name, work->order->width, work->order->height, film->width,
                            film->height);
    if (work->sample_begin > work->sample_end)
        return lb_error_set(error, LB_ERROR, "%s: samples %u .. %u", own->base.name, work->sample_begin,
                            work->sample_end);
    return LB_OK;
}

/* Has no sample reached the pixel? */
static bool is_empty(const lb_film_pixel *pixel)
{
    return (pixel->sum[0] | pixel->sum[1] | pixel->sum[2] | pixel->weight) == 0;
}

/* Gathers the channels, by code for what the scene's light is made of. */
static void gather(const struct cpu_processor *own, const struct lb_work *work, struct lb_result *result)
{
    const lb_scene *scene = own->scene;
    if (scene->quads.count != 0)
        lb_spectral_channels_trace(work, own->tracer, result);
    else if ((scene->channels.wanted >> LB_CHANNEL_GROUPS & 1) != 0)
        lb_groups_channels_trace(work, own->tracer, result);
    else
        lb_channels_trace(work, own->tracer, result);
}

/* Renders the light: for a guide that still learns by the loop that teaches it, else by the scene's own. */
static void render_light(const struct cpu_processor *own, const struct lb_work *work,
                         struct lb_result *result)
{
    struct lb_work led = *work;
    if (!work->guide)
        led.guide = &own->guide;
    (work->guide ? own->guided : own->render)(&led, result);
}

/* Renders the light and gathers the channels. Where the work is stopped in between, a position keeps both or neither,
 * as whoever goes on with it does both anew. */
static void render_all(const struct cpu_processor *own, const struct lb_work *work, struct lb_result *result)
{
    size_t positions = (size_t)(work->range.end - work->range.begin), each = result->sum_count;
    if (result->sums && lb_channels_gather(&own->scene->channels))
        gather(own, work, result);
    if (!result->stopped)
        render_light(own, work, result);
    else
        memset(result->sums, 0, positions * each * sizeof *result->sums);
    for (size_t i = 0; result->sums && result->stopped && i < positions; i++)
        if (is_empty(&result->pixels[i]))
            memset(result->sums + i * each, 0, each * sizeof *result->sums);
}

static enum lb_status cpu_render(struct lb_processor *processor, const struct lb_work *work,
                                 struct lb_result *result, bool *lost, struct lb_error *error)
{
    struct cpu_processor *own = (struct cpu_processor *)processor;
    *lost = false;
    enum lb_status status = check(own, work, error);
    if (status != LB_OK)
        return status;
    lb_result_clear_all(result, work->range.end - work->range.begin);

    /* The picture's bytes depend on the floating point environment, which the caller or a library may have changed: it
     * must round to nearest and keep denormals. */
    fenv_t environment;
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV);
    if (work->coverage)
        lb_coverage_trace(work, own->tracer, result);
    else
        render_all(own, work, result);
    fesetenv(&environment);
    return LB_OK;
}

static void cpu_close(struct lb_processor *processor)
{
    free(processor);
}

static const struct lb_processor_table table = {.render = cpu_render, .close = cpu_close};

enum lb_status lb_cpu_processor_open(const lb_scene *scene, unsigned index, enum lb_isa isa,
                                     struct lb_processor **processor, struct lb_error *error)
{
    if (!lb_isa_runs(isa))
        return lb_error_set(error, LB_ERROR, "this machine does not run the instruction set %s",
                            lb_isa_name(isa));
    struct cpu_processor *own = calloc(1, sizeof *own);
    if (own == NULL)
        return lb_error_memory(error, NULL);
    own->base.table = &table;
    own->base.kind = LB_PROCESSOR_CPU;
    own->base.computes = true;
    snprintf(own->base.name, sizeof own->base.name, "cpu%u", index);
    own->scene = scene;
    own->render = lb_render_of(isa, scene);
    own->guided = lb_guided_of(isa);
    own->guide = lb_guide_of(scene);
    own->tracer = lb_tracer_of(isa);
    *processor = &own->base;
    return LB_OK;
}
