#include "core/wave/wave_host.h"
#include "core/wave/stages.h"
#include "core/wave/wave_place.h"
#include "core/wave/wide_build.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many paths are in step where the caller does not say. */
enum { DEFAULT_SLOTS = 4096 };

struct wave_host {
    struct lb_processor base;
    struct lb_wide_block wide;
    lb_wave wave;
    const struct lb_wave_code *code; /* the stages, for the scene's light */
    void *block;                     /* all arrays of `wave` but the pixels */
};

static void wave_close(struct lb_processor *processor)
{
    struct wave_host *own = (struct wave_host *)processor;
    lb_wide_free(&own->wide);
    free(own->block);
    free(own);
}

/* How many samples of pixels, or items, are rendered between two looks at whether to stop: as many as take a fraction
 * of a second. */
static uint64_t items_a_look(const lb_scene *scene)
{
    const uint64_t most = 1 << 16, most_iterations = 1 << 26;
    if (scene->integrator.kind != LB_INTEGRATOR_MANDELBROT)
        return most;
    uint64_t items = most_iterations / scene->integrator.max_iterations;
    return items > most ? most : items > 0 ? items : 1;
}

/* Runs one stage after the other over all indices, in the order in which a GPU runs its kernels, until no path is
 * left. */
static void run_turns(const struct lb_wave_code *code, lb_wave *wave, const int *stop)
{
    code->run(wave, LB_WAVE_BEGIN, false);
    for (; lb_wave_active(wave) > 0 && !lb_stopped(stop); lb_wave_at(wave, wave->turn + 1))
        for (int stage = LB_WAVE_TRACE; stage < LB_WAVE_STAGES; stage++)
            if (lb_wave_runs((enum lb_wave_stage)stage, wave))
                code->run(wave, (enum lb_wave_stage)stage, false);
}

/* Renders a range, some pixels and samples at a time, and looks in between whether to go on. That changes no pixel, as
 * pixels are sums of integers. False: it was told to stop. */
static bool run_batch(struct wave_host *own, const struct lb_work *work, const struct lb_result *result)
{
    lb_wave *wave = &own->wave;
    uint64_t items = items_a_look(work->scene);
    uint64_t positions = work->range.end - work->range.begin;
    uint64_t wide = positions < items ? positions : items, deep = wide > 0 ? items / wide : 1;
    for (uint64_t at = work->range.begin; at < work->range.end; at = wave->end) {
        wave->begin = at;
        wave->end = work->range.end - at > wide ? at + wide : work->range.end;
        uint64_t place = at - work->range.begin;
        wave->pixels = result->pixels + place;
        lb_wave_channels(wave, &work->scene->channels,
                         result->sums ? result->sums + place * result->sum_count : NULL);
        for (uint32_t sample = work->sample_begin; sample < work->sample_end; sample = wave->sample_end) {
            wave->sample_begin = sample;
            wave->sample_end = work->sample_end - sample > deep ? sample + (uint32_t)deep : work->sample_end;
            wave->counts->next = 0;
            memset(wave->counts->active, 0, sizeof wave->counts->active);
            lb_wave_at(wave, 0);
            run_turns(own->code, wave, work->stop);
            if (lb_stopped(work->stop))
                return false;
        }
    }
    return true;
}

static enum lb_status wave_render(struct lb_processor *processor, const struct lb_work *work,
                                  struct lb_result *result, bool *lost, struct lb_error *error)
{
    struct wave_host *own = (struct wave_host *)processor;
    size_t count = (size_t)(work->range.end - work->range.begin);
    *lost = false;
    if (count > UINT32_MAX)
        return lb_error_set(error, LB_ERROR, "%s: a range of %zu positions is too long", own->base.name,
                            count);
    lb_result_clear_all(result, count);
    memset(own->wave.counts, 0, sizeof *own->wave.counts);
    own->wave.order = *work->order;

    fenv_t environment;
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV);
    result->stopped = !run_batch(own, work, result);
    fesetenv(&environment);

    result->counters = lb_wave_counters(own->wave.counts);
    result->samples = result->stopped ? 0 : own->wave.counts->samples;
    if (result->stopped && count) /* nobody knows which pixels are whole */
        memset(result->pixels, 0, count * sizeof *result->pixels);
    if (result->stopped && result->sums && count)
        memset(result->sums, 0, count * result->sum_count * sizeof *result->sums);
    return LB_OK;
}

static const struct lb_processor_table table = {.render = wave_render, .close = wave_close};

static bool allocate_slots(struct wave_host *own, uint32_t slots, const struct lb_wave_sizes *sizes)
{
    lb_wave nowhere;
    size_t size = lb_wave_place(&nowhere, NULL, slots, 0, 0, sizes);
    own->block = aligned_alloc(LB_WAVE_ALIGNMENT, size);
    if (!own->block)
        return false;
    memset(own->block, 0, size);
    lb_wave_place(&own->wave, own->block, slots, 0, 0, sizes);
    return true;
}

enum lb_status lb_wave_host_open(const lb_scene *scene, uint32_t index, uint32_t slots,
                                 struct lb_processor **processor, struct lb_error *error)
{
    struct wave_host *own = calloc(1, sizeof *own);
    if (!own)
        return lb_error_memory(error, NULL);
    own->base.table = &table;
    own->base.kind = LB_PROCESSOR_CPU;
    own->base.uncounted = true;
    snprintf(own->base.name, sizeof own->base.name, "wave%u", index);
    struct lb_wave_sizes sizes = lb_wave_sizes_of(scene);
    own->code = lb_wave_code_of(scene);
    enum lb_status status = lb_wide_build(scene, &own->wide, error);
    if (status == LB_OK && !allocate_slots(own, slots ? slots : DEFAULT_SLOTS, &sizes))
        status = lb_error_memory(error, NULL);
    if (status != LB_OK) {
        wave_close(&own->base);
        return status;
    }
    own->wave.scene = scene;
    own->wave.tree = own->wide.tree;
    lb_wave_suit(&own->wave, scene);
    *processor = &own->base;
    return LB_OK;
}
