#include "core/wave/wave_host.h"
#include "core/wave/wave_place.h"
#include "core/wave/wide_build.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SLOTS = 4096 };

struct wave_host {
    struct lb_processor base;
    struct lb_wide_block wide;
    lb_wave wave;
    void *block; /* all arrays of `wave` but the pixels */
};

static void wave_close(struct lb_processor *processor)
{
    struct wave_host *own = (struct wave_host *)processor;
    lb_wide_free(&own->wide);
    free(own->block);
    free(own);
}

/* One stage after the other over the grid, as the kernels would. */
static void run_stages(const lb_wave *wave)
{
    lb_wide_entry fast[LB_WIDE_FAST];
    lb_wide_stack stack;
    lb_wide_aside aside;
    stack.aside = &aside;
    stack.fast = fast;
    stack.stride = 1;
    for (uint32_t slot = 0; slot < wave->slots; slot++)
        lb_wave_begin(wave, slot);
    while (wave->counts->active > 0) {
        for (uint32_t i = 0; i < wave->counts->active; i++)
            lb_wave_trace(wave, i, &stack, wave->tree.asks != 0);
        for (uint32_t i = 0; i < wave->counts->active; i++)
            lb_wave_shade(wave, i);
        for (uint32_t i = 0; i < wave->counts->shadows; i++)
            if (wave->interfaces)
                lb_wave_shadow_passing(wave, i, &stack);
            else
                lb_wave_shadow(wave, i, &stack, wave->tree.asks != 0);
        for (uint32_t i = 0; i < wave->counts->active; i++)
            lb_wave_turn(wave, i);
        lb_wave_swap(wave);
    }
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
    if (count > 0)
        memset(result->pixels, 0, count * sizeof *result->pixels);
    if (count > 0 && result->cost)
        memset(result->cost, 0, count * sizeof *result->cost);
    memset(own->wave.counts, 0, sizeof *own->wave.counts);
    own->wave.order = *work->order;
    own->wave.begin = work->range.begin;
    own->wave.end = work->range.end;
    own->wave.sample_begin = work->sample_begin;
    own->wave.sample_end = work->sample_end;
    own->wave.pixels = result->pixels;

    fenv_t environment;
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV);
    run_stages(&own->wave);
    fesetenv(&environment);

    memset(&result->counters, 0, sizeof result->counters);
    result->counters.nodes = own->wave.counts->iterations;
    result->counters.rays = own->wave.counts->rays;
    result->counters.shaded = own->wave.counts->shaded;
    result->counters.bad_samples = own->wave.counts->bad_samples;
    result->samples = own->wave.counts->samples;
    result->transfer_seconds = 0.0;
    return LB_OK;
}

static const struct lb_processor_table table = {.render = wave_render, .close = wave_close};

static bool allocate_slots(struct wave_host *own, uint32_t slots)
{
    lb_wave nowhere;
    size_t size = lb_wave_place(&nowhere, NULL, slots, 0);
    own->block = aligned_alloc(LB_WAVE_ALIGNMENT, size);
    if (!own->block)
        return false;
    memset(own->block, 0, size);
    lb_wave_place(&own->wave, own->block, slots, 0);
    return true;
}

enum lb_status lb_wave_host_open(const lb_scene *scene, uint32_t index, uint32_t slots,
                                 struct lb_processor **processor, struct lb_error *error)
{
    struct wave_host *own = calloc(1, sizeof *own);
    if (!own)
        return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
    own->base.table = &table;
    own->base.kind = LB_PROCESSOR_CPU;
    own->base.uncounted = true;
    snprintf(own->base.name, sizeof own->base.name, "wave%u", index);
    enum lb_status status = lb_wide_build(scene, &own->wide, error);
    if (status == LB_OK && !allocate_slots(own, slots ? slots : DEFAULT_SLOTS))
        status = lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
    if (status != LB_OK) {
        wave_close(&own->base);
        return status;
    }
    own->wave.scene = scene;
    own->wave.tree = own->wide.tree;
    own->wave.interfaces = scene->any_interface;
    *processor = &own->base;
    return LB_OK;
}
