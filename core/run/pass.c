#include "core/run/pass.h"

#include "core/machine/clock.h"
#include "core/run/prepass.h"

#include <stdlib.h>
#include <string.h>

static void lb_pass_free(struct lb_pass *pass)
{
    for (uint32_t i = 0; pass->tallies && i < pass->run->active_count; i++)
        lb_tally_free(&pass->tallies[i]);
    free(pass->processors);
    free(pass->infos);
    free(pass->last);
    free(pass->bind_index);
    free(pass->tallies);
    free(pass->pixels);
    free(pass->cost);
}

static bool alloc_members(struct lb_pass *pass)
{
    size_t count = pass->run->active_count;
    pass->processors = calloc(count, sizeof *pass->processors);
    pass->infos = calloc(count, sizeof *pass->infos);
    pass->last = calloc(count, sizeof *pass->last);
    pass->bind_index = calloc(count, sizeof *pass->bind_index);
    pass->tallies = aligned_alloc(_Alignof(struct lb_tally), count * sizeof *pass->tallies);
    if (pass->tallies)
        memset(pass->tallies, 0, count * sizeof *pass->tallies);
    return pass->processors && pass->infos && pass->last && pass->bind_index && pass->tallies;
}

static enum lb_status fill_members(struct lb_pass *pass, struct lb_error *error)
{
    const struct lb_run *run = pass->run;
    double sum = 0;
    if (!alloc_members(pass))
        return lb_error_memory(error, NULL);
    for (uint32_t i = 0; i < run->active_count; i++)
        sum += run->members[run->active[i]].weight;
    for (uint32_t i = 0; i < run->active_count; i++) {
        const struct lb_member *member = &run->members[run->active[i]];
        pass->processors[i] = member->processor;
        pass->infos[i] = (struct lb_processor_info){member->kind, member->group, member->weight / sum};
        pass->last[i] = member->last;
        pass->bind_index[i] = member->bind_index;
    }
    return LB_OK;
}

bool lb_run_weights_known(const struct lb_run *run)
{
    for (uint32_t i = 0; i < run->active_count; i++)
        if (run->members[run->active[i]].weight_source == LB_SOURCE_EQUAL)
            return false;
    return true;
}

static enum lb_status plan_pass(struct lb_pass *pass, const struct lb_estimate *estimate,
                                struct lb_error *error)
{
    struct lb_run *run = pass->run;
    const struct lb_run_options *options = &run->options;
    struct lb_plan plan = {.width = pass->scene->film.width,
                           .height = pass->scene->film.height,
                           .processor_count = run->active_count,
                           .processors = pass->infos,
                           .weights_known = lb_run_weights_known(run),
                           .frame = pass->frame,
                           .pass = pass->number,
                           .seed = options->settings.seed,
                           .options = run->strategy_options,
                           .last = run->planned ? pass->last : NULL,
                           .estimate = estimate,
                           .estimate_of = options->settings.strategy->probe};
    run->planned = true;
    run->width = plan.width;
    run->height = plan.height;
    return options->settings.strategy->plan(run->state, &plan, &pass->order, error);
}

static enum lb_status alloc_buffers(struct lb_pass *pass, struct lb_error *error)
{
    pass->pixels = calloc(pass->order.count, sizeof *pass->pixels);
    if (pass->run->options.want_cost)
        pass->cost = calloc(pass->order.count, sizeof *pass->cost);
    if (pass->pixels && (pass->cost || !pass->run->options.want_cost))
        return LB_OK;
    const lb_film *film = &pass->scene->film;
    return lb_error_set(error, LB_ERROR_MEMORY, "out of memory for %u x %u pixels", film->width,
                        film->height);
}

static enum lb_status run_pass(struct lb_pass *pass, struct lb_error *error)
{
    struct lb_run *run = pass->run;
    const struct lb_run_options *options = &run->options;
    struct lb_progress *progress = run->progress;
    struct lb_schedule schedule = {.strategy = options->settings.strategy,
                                   .state = run->state,
                                   .processors = pass->processors,
                                   .count = run->active_count,
                                   .scene = pass->scene,
                                   .order = &pass->order,
                                   .sample_begin = pass->sample_begin,
                                   .sample_end = pass->sample_end,
                                   .pixels = pass->pixels,
                                   .cost = pass->cost,
                                   .cost_in_seconds = options->settings.cost_in_seconds,
                                   .log_spans = options->want_spans || options->want_owners,
                                   .bind = options->settings.bind,
                                   .bind_index = pass->bind_index,
                                   .stop = options->stop,
                                   .begin = pass->begin,
                                   .tallies = pass->tallies,
                                   .progress = progress};
    return lb_schedule_run(&schedule, error);
}

/* A probe of the frame, by whoever is there; who is lost in it takes no part in what follows. */
static enum lb_status make_estimate(struct lb_pass *pass, enum lb_probe probe, struct lb_frame *frame,
                                    struct lb_error *error)
{
    struct lb_run *run = pass->run;
    const lb_film *film = &pass->scene->film;
    uint32_t cell = lb_prepass_cell(film->width, film->height, pass->scene->integrator.samples);
    bool *lost = calloc(run->active_count, sizeof *lost);
    if (!lost)
        return lb_error_memory(error, NULL);
    enum lb_status status = lb_prepass(pass->scene, probe, cell, pass->processors, run->active_count,
                                       run->options.stop, &frame->estimates[probe], lost, error);
    for (uint32_t i = 0; i < run->active_count; i++)
        if (lost[i]) {
            run->members[run->active[i]].lost = true;
            frame->report.all.processors[run->active[i]].lost = true;
            frame->report.all.processors[run->active[i]].failed++;
            lb_error_set(&run->members[run->active[i]].error, LB_ERROR, "in the pre-pass");
        }
    free(lost);
    return status;
}

static enum lb_status gather(struct lb_pass *pass, struct lb_error *error)
{
    enum lb_status status = lb_run_choose_active(pass->run, error);
    return status == LB_OK ? fill_members(pass, error) : status;
}

/* Does the strategy want a probe that was not made yet? */
static bool needs_probe(const struct lb_pass *pass, const struct lb_frame *frame)
{
    const struct lb_run *run = pass->run;
    const struct lb_strategy *strategy = run->options.settings.strategy;
    const lb_film *film = &pass->scene->film;
    if (strategy->probe == LB_PROBE_NONE || frame->estimates[strategy->probe].cost)
        return false;
    bool first = !run->planned || run->width != film->width || run->height != film->height;
    return first || !strategy->probe_once;
}

/* Members, and what the strategy wants to know of the frame before. */
static enum lb_status prepare_pass(struct lb_pass *pass, struct lb_frame *frame, struct lb_error *error)
{
    enum lb_status status = gather(pass, error);
    if (status != LB_OK || !needs_probe(pass, frame))
        return status;
    uint32_t before = pass->run->active_count;
    status = make_estimate(pass, pass->run->options.settings.strategy->probe, frame, error);
    if (status == LB_OK) {
        status = lb_run_choose_active(pass->run, error);
        if (status == LB_OK && pass->run->active_count < before) {
            lb_pass_free(pass);
            pass->processors = NULL;
            pass->infos = NULL;
            pass->last = NULL;
            pass->bind_index = NULL;
            pass->tallies = NULL;
            status = pass->run->active_count ? fill_members(pass, error)
                                             : lb_error_set(error, LB_ERROR, "every processor was lost");
        }
    }
    return status;
}

enum lb_status lb_pass_render(struct lb_pass *pass, struct lb_frame *frame, struct lb_error *error)
{
    const struct lb_estimate *probed = &frame->estimates[pass->run->options.settings.strategy->probe];
    pass->begin = lb_clock_now();
    enum lb_status status = prepare_pass(pass, frame, error);
    if (status == LB_OK)
        status = plan_pass(pass, probed->cost ? probed : NULL, error);
    if (status == LB_OK)
        status = alloc_buffers(pass, error);
    if (status == LB_OK)
        status = run_pass(pass, error);
    if (status == LB_OK)
        status = lb_pass_deliver(pass, frame, error);
    const struct lb_strategy *strategy = pass->run->options.settings.strategy;
    char *described = frame->report.passes[pass->number].described;
    if (status == LB_OK && strategy->describe)
        strategy->describe(pass->run->state, described, sizeof frame->report.passes->described);
    lb_pass_free(pass);
    return status;
}

enum lb_status lb_pass_estimate(struct lb_run *run, const lb_scene *scene, enum lb_probe probe,
                                struct lb_frame *frame, struct lb_error *error)
{
    struct lb_pass pass = {.run = run, .scene = scene};
    enum lb_status status = gather(&pass, error);
    if (status == LB_OK)
        status = make_estimate(&pass, probe, frame, error);
    lb_pass_free(&pass);
    return status;
}
