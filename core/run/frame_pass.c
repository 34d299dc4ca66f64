#include "core/run/frame_pass.h"

#include "core/machine/clock.h"
#include "core/machine/steal.h"
#include "core/run/frame_add.h"
#include "core/run/probe.h"

#include <stdlib.h>

enum lb_status lb_frame_estimate(const struct lb_run *run, const lb_scene *scene, enum lb_probe probe,
                                 struct lb_frame *frame, struct lb_error *error)
{
    struct lb_probing probing = {.members = run->members,
                                 .active = run->active,
                                 .active_count = run->active_count,
                                 .reports = frame->report.all.processors,
                                 .signal = run->options.interrupt ? &run->options.interrupt->signal : NULL};
    return lb_probe_make(&probing, scene, probe, &frame->estimates[probe], error);
}

/* Does the strategy want a probe that was not made yet? */
static bool needs_probe(const struct lb_run *run, const struct lb_frame *frame)
{
    const struct lb_strategy *strategy = run->options.settings.strategy;
    if (strategy->probe == LB_PROBE_NONE || frame->estimates[strategy->probe].cost)
        return false;
    bool first = !run->planned || run->width != frame->width || run->height != frame->height;
    return first || !strategy->probe_once;
}

/* Chooses who takes part in the next pass, and finds out what the strategy wants to know before it. */
static enum lb_status choose_members(struct lb_run *run, const lb_scene *scene, struct lb_frame *frame,
                                     struct lb_error *error)
{
    enum lb_status status = lb_run_choose(run, error);
    if (status != LB_OK || !needs_probe(run, frame))
        return status;
    status = lb_frame_estimate(run, scene, run->options.settings.strategy->probe, frame, error);
    return status == LB_OK ? lb_run_choose(run, error) : status;
}

void lb_frame_tell_noise(struct lb_run *run, const struct lb_frame *frame)
{
    double wanted = run->options.growth.noise;
    bool known = wanted > 0 && frame->noise >= 0;
    double times = known ? frame->noise / wanted : 0;
    atomic_store(&run->noise, known ? frame->noise : -1);
    atomic_store(&run->samples_expected, known ? times * times * (double)frame->samples : -1);
}

bool lb_frame_keeps_held(const struct lb_run *run, const struct lb_wish *wish)
{
    return wish->keep_held || wish->begun || run->options.renew;
}

bool lb_frame_folds(const struct lb_run *run, const struct lb_wish *wish)
{
    return !lb_frame_keeps_held(run, wish) && !run->options.looked_at && !run->options.growth.adaptive;
}

enum lb_status lb_frame_begin_pass(struct lb_run *run, const lb_scene *scene, const struct lb_wish *wish,
                                   uint32_t begin, uint32_t end, struct lb_frame *frame,
                                   struct lb_pass_job *job, struct lb_error *error)
{
    *job = (struct lb_pass_job){.options = &run->options,
                                .members = run->members,
                                .count = run->count,
                                .strategy_options = run->strategy_options,
                                .scene = scene,
                                .frame = frame->report.frame,
                                .number = frame->report.pass_count,
                                .sample_begin = begin,
                                .sample_end = end,
                                .split = !lb_frame_keeps_held(run, wish),
                                .folds = lb_frame_folds(run, wish),
                                .progress = run->progress,
                                .look = run->look};
    enum lb_status status =
        lb_wish_left_out(wish, &frame->held, begin, end, &job->left_out, &job->due, error);
    if (status != LB_OK || job->due == 0)
        return status;
    job->steal = lb_machine_steal("");
    job->begin = lb_clock_now();
    status = choose_members(run, scene, frame, error);
    if (status == LB_OK && run->active_count == 0) {
        frame->complete = false;
        job->due = 0;
    }
    const struct lb_estimate *estimate = &frame->estimates[run->options.settings.strategy->probe];
    job->active = run->active;
    job->active_count = run->active_count;
    job->state = run->state;
    job->planned = run->planned;
    job->estimate = estimate->cost ? estimate : NULL;
    return status;
}

/* Tells the members what they did. */
static enum lb_status teach_members(struct lb_run *run, const struct lb_pass_result *pass,
                                    struct lb_error *error)
{
    const struct lb_run_options *options = &run->options;
    lb_members_learn(run->members, run->active, run->active_count, &pass->balance, pass->errors);
    if (!options->measure_weights || options->settings.strategy->weights != LB_WEIGHTS_FOLLOWED ||
        !lb_members_differ(run->members, run->count))
        return LB_OK;
    bool known = lb_members_weighed(run->members, run->active, run->active_count);
    return lb_members_refine(run->members, run->count, !known, &pass->balance, error);
}

enum lb_status lb_frame_end_pass(struct lb_run *run, const struct lb_pass_job *job,
                                 const struct lb_wish *wish, enum lb_status status,
                                 struct lb_pass_result *pass, struct lb_frame *frame, struct lb_error *error)
{
    run->planned = pass->planned;
    run->width = frame->width;
    run->height = frame->height;
    if (status == LB_OK && lb_frame_keeps_held(run, wish))
        status = lb_wish_hold(&frame->held, job->left_out, pass->complete ? NULL : pass->pixels,
                              job->sample_begin, job->sample_end, error);
    if (status == LB_OK)
        status = teach_members(run, pass, error);
    if (status == LB_OK) {
        bool wants_noise = run->options.growth.noise > 0 && !run->options.growth.adaptive;
        status = lb_frame_add(frame, pass, wants_noise, frame->channels.count, error);
        lb_frame_tell_noise(run, frame);
    }
    if (pass->hidden)
        lb_look_added(run->look);
    lb_pass_result_free(pass);
    return status;
}

enum lb_status lb_frame_renew(struct lb_run *run, bool wait, struct lb_frame *frame, struct lb_error *error)
{
    struct lb_report_balance *all = &frame->report.all;
    run->options.renew(run->options.user, wait);
    if (run->count == all->processor_count)
        return LB_OK;
    struct lb_report_processor *rows = reallocarray(all->processors, run->count, sizeof *rows);
    if (!rows)
        return lb_error_memory(error, NULL);
    all->processors = rows;
    for (; all->processor_count < run->count; all->processor_count++) {
        rows[all->processor_count] = (struct lb_report_processor){.kind = NULL};
        lb_member_report(&run->members[all->processor_count], &rows[all->processor_count]);
    }
    return LB_OK;
}

/* Have processors come that could take part? They are let in by who asks. */
static bool take_renewal(struct lb_run *run)
{
    return run->options.renew && lb_interrupt_take_renewal(run->options.interrupt);
}

/* After a pass: has it left over something that members are there to render? Lets in those that have come. */
static bool goes_on(struct lb_run *run, struct lb_frame *frame, enum lb_status *status,
                    struct lb_error *error)
{
    bool renewed = take_renewal(run), left = lb_run_any_left(run);
    if (*status != LB_OK || !run->options.renew || lb_run_stopped(run) || (left && !renewed))
        return false;
    /* A strategy plans no further pass in the middle of one. */
    if (!frame->complete)
        lb_run_forget(run);
    if (renewed || !frame->complete)
        *status = lb_frame_renew(run, !left, frame, error);
    return *status == LB_OK && !frame->complete && lb_run_any_left(run);
}

enum lb_status lb_frame_render_renewed(struct lb_run *run, const lb_scene *scene, const struct lb_wish *wish,
                                       uint32_t begin, uint32_t end, struct lb_frame *frame,
                                       struct lb_error *error)
{
    enum lb_status status = take_renewal(run) ? lb_frame_renew(run, false, frame, error) : LB_OK;
    do {
        struct lb_pass_job job = {.left_out = NULL};
        if (status == LB_OK)
            status = lb_frame_begin_pass(run, scene, wish, begin, end, frame, &job, error);
        if (status == LB_OK && job.due > 0) {
            struct lb_pass_result pass;
            status = lb_pass_render(&job, &pass, error);
            status = lb_frame_end_pass(run, &job, wish, status, &pass, frame, error);
        }
        free(job.left_out);
    } while (goes_on(run, frame, &status, error));
    return status;
}
