#include "core/run/pass.h"

#include <stdlib.h>
#include <string.h>

bool lb_members_differ(const struct lb_member *members, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (members[i].model != members[0].model)
            return true;
    return false;
}

/* ---- a run ---- */

static void forget_state(struct lb_run *run)
{
    const struct lb_strategy *strategy = run->options.settings.strategy;
    if (run->planned && strategy->end)
        strategy->end(run->state);
    run->planned = false;
    free(run->state);
    run->state = NULL;
}

enum lb_status lb_run_choose_active(struct lb_run *run, struct lb_error *error)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->count; i++)
        if (!run->members[i].lost && run->members[i].processor)
            run->active[count++] = i;
    if (run->state && count == run->active_count)
        return LB_OK;
    forget_state(run);
    run->active_count = count;
    run->state = calloc(1, run->options.settings.strategy->state_size(count) + 1);
    return run->state ? LB_OK : lb_error_memory(error, NULL);
}

enum lb_status lb_run_open(const struct lb_run_options *options, struct lb_member *members, uint32_t count,
                           struct lb_run **run, struct lb_error *error)
{
    *run = calloc(1, sizeof **run);
    if (!*run)
        return lb_error_memory(error, NULL);
    **run = (struct lb_run){.options = *options, .members = members, .count = count};
    (*run)->strategy_options =
        lb_strategy_options_make(options->settings.strategy, &options->settings.options);
    (*run)->active = calloc(count, sizeof *(*run)->active);
    (*run)->progress = aligned_alloc(128, count * sizeof *(*run)->progress);
    if (!(*run)->strategy_options || !(*run)->active || !(*run)->progress) {
        lb_run_close(*run);
        return lb_error_memory(error, NULL);
    }
    memset((*run)->progress, 0, count * sizeof *(*run)->progress);
    return LB_OK;
}

void lb_run_close(struct lb_run *run)
{
    if (!run)
        return;
    forget_state(run);
    free(run->strategy_options);
    free(run->active);
    free(run->progress);
    free(run);
}

uint64_t lb_run_progress(const struct lb_run *run)
{
    uint64_t samples = 0;
    for (uint32_t i = 0; i < run->count; i++)
        samples += atomic_load_explicit(&run->progress[i].samples, memory_order_relaxed);
    return samples;
}

/* ---- a frame ---- */

static enum lb_status begin_frame(const struct lb_run *run, const lb_scene *scene, uint32_t number,
                                  uint32_t passes, struct lb_frame *frame, struct lb_error *error)
{
    *frame = (struct lb_frame){.width = scene->film.width, .height = scene->film.height};
    struct lb_report_frame *report = &frame->report;
    report->frame = number;
    report->passes = calloc(passes, sizeof *report->passes);
    report->all.processors = calloc(run->count, sizeof *report->all.processors);
    report->all.processor_count = run->count;
    if (!report->passes || !report->all.processors)
        return lb_error_memory(error, NULL);
    for (uint32_t i = 0; i < run->count; i++)
        lb_report_member(&report->all.processors[i], &run->members[i]);
    return LB_OK;
}

static bool any_left(const struct lb_run *run)
{
    for (uint32_t i = 0; i < run->count; i++)
        if (!run->members[i].lost && run->members[i].processor)
            return true;
    return false;
}

enum lb_status lb_run_frame(struct lb_run *run, const lb_scene *scene, uint32_t number,
                            struct lb_frame *frame, struct lb_error *error)
{
    uint64_t samples = scene->integrator.samples;
    uint32_t passes =
        samples < run->options.settings.passes ? (uint32_t)samples : run->options.settings.passes;
    enum lb_status status = begin_frame(run, scene, number, passes, frame, error);
    frame->complete = any_left(run);
    for (uint32_t i = 0; i < passes && status == LB_OK && frame->complete; i++) {
        if (!any_left(run) || (i > 0 && run->options.stop && atomic_load(run->options.stop))) {
            frame->complete = false;
            break;
        }
        struct lb_pass pass = {.run = run, .scene = scene, .frame = number, .number = i};
        pass.sample_begin = (uint32_t)(samples * i / passes);
        pass.sample_end = (uint32_t)(samples * (i + 1) / passes);
        status = lb_pass_render(&pass, frame, error);
    }
    for (int probe = LB_PROBE_NONE + 1; probe < LB_PROBES && status == LB_OK; probe++)
        if (run->options.want_estimates && !frame->estimates[probe].cost && frame->complete && any_left(run))
            status = lb_pass_estimate(run, scene, (enum lb_probe)probe, frame, error);
    if (run->options.want_estimates && run->options.stop && atomic_load(run->options.stop))
        frame->complete = false; /* an estimate may lack something */
    if (status != LB_OK) {
        lb_frame_free(frame);
        return status;
    }
    lb_balance_finish(&frame->report.all);
    if (run->planned && run->options.settings.strategy->describe)
        run->options.settings.strategy->describe(run->state, frame->described, sizeof frame->described);
    return LB_OK;
}

void lb_frame_free(struct lb_frame *frame)
{
    free(frame->pixels);
    free(frame->cost);
    for (int probe = 0; probe < LB_PROBES; probe++)
        free((float *)frame->estimates[probe].cost);
    free(frame->owners);
    free(frame->spans);
    lb_report_frame_free(&frame->report);
    *frame = (struct lb_frame){0};
}
