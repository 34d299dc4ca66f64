#include "core/run/frame.h"

#include "core/machine/clock.h"
#include "core/machine/steal.h"
#include "core/run/adaptive.h"
#include "core/run/frame_add.h"
#include "core/run/pass/pass.h"
#include "core/run/probe.h"
#include "core/run/run_state.h"

#include <stdlib.h>

/* ---- a frame ---- */

/* The frame begins with what the wish has of it already. */
static enum lb_status begin_picture(const struct lb_wish *wish, struct lb_frame *frame,
                                    struct lb_error *error)
{
    if (!wish->begun)
        return lb_held_open(&frame->held, (uint64_t)frame->width * frame->height, error);
    frame->held = wish->begun->held;
    frame->pixels = wish->begun->pixels;
    frame->sums = wish->begun->sums;
    frame->samples = lb_held_samples(&frame->held);
    wish->begun->held = (struct lb_held){0};
    wish->begun->pixels = NULL;
    wish->begun->sums = NULL;
    return LB_OK;
}

static enum lb_status begin_frame(const struct lb_run *run, const lb_scene *scene, uint32_t number,
                                  const struct lb_wish *wish, struct lb_frame *frame, struct lb_error *error)
{
    *frame = (struct lb_frame){.width = scene->film.width, .height = scene->film.height};
    struct lb_report_frame *report = &frame->report;
    report->frame = number;
    report->all.processors = calloc(run->count, sizeof *report->all.processors);
    report->all.processor_count = run->count;
    if (!report->all.processors)
        return lb_error_memory(error, NULL);
    for (uint32_t i = 0; i < run->count; i++)
        lb_member_report(&run->members[i], &report->all.processors[i]);
    return begin_picture(wish, frame, error);
}

/* ---- probes ---- */

static enum lb_status make_estimate(const struct lb_run *run, const lb_scene *scene, enum lb_probe probe,
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
    status = make_estimate(run, scene, run->options.settings.strategy->probe, frame, error);
    return status == LB_OK ? lb_run_choose(run, error) : status;
}

/* ---- a frame's passes ---- */

static void tell_noise(struct lb_run *run, const struct lb_frame *frame)
{
    double wanted = run->options.growth.noise;
    bool known = wanted > 0 && frame->noise >= 0;
    double times = known ? frame->noise / wanted : 0;
    atomic_store(&run->noise, known ? frame->noise : -1);
    atomic_store(&run->samples_expected, known ? times * times * (double)frame->samples : -1);
}

static bool keeps_held(const struct lb_run *run, const struct lb_wish *wish)
{
    return wish->keep_held || wish->begun || run->options.renew;
}

/* Makes the job of a pass: samples [begin, end) of the pixels that lack them. Nothing is due where no pixel does, or
 * where all members were lost in the probe, as others may come. job->left_out is the caller's to free. */
static enum lb_status begin_pass(struct lb_run *run, const lb_scene *scene, const struct lb_wish *wish,
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
                                .split = !keeps_held(run, wish),
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

/* Adds a pass, which ended with `status`, up into its frame. */
static enum lb_status end_pass(struct lb_run *run, const struct lb_pass_job *job, const struct lb_wish *wish,
                               enum lb_status status, struct lb_pass_result *pass, struct lb_frame *frame,
                               struct lb_error *error)
{
    run->planned = pass->planned;
    run->width = frame->width;
    run->height = frame->height;
    if (status == LB_OK && keeps_held(run, wish))
        status = lb_wish_hold(&frame->held, job->left_out, pass->complete ? NULL : pass->pixels,
                              job->sample_begin, job->sample_end, error);
    if (status == LB_OK)
        status = teach_members(run, pass, error);
    if (status == LB_OK) {
        bool wants_noise = run->options.growth.noise > 0;
        status = lb_frame_add(frame, pass, wants_noise, job->scene->channels.count, error);
        tell_noise(run, frame);
    }
    if (pass->hidden)
        lb_look_added(run->look);
    lb_pass_result_free(pass);
    return status;
}

/* Lets in the processors that have come, and gives those that are new a row in the frame's report. */
static enum lb_status renew(struct lb_run *run, bool wait, struct lb_frame *frame, struct lb_error *error)
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
        *status = renew(run, !left, frame, error);
    return *status == LB_OK && !frame->complete && lb_run_any_left(run);
}

/* Renders the samples in as many passes as it takes: where processors come, or all are lost and some come in time, what
 * the last pass left over is shared out anew. */
static enum lb_status render_renewed(struct lb_run *run, const lb_scene *scene, const struct lb_wish *wish,
                                     uint32_t begin, uint32_t end, struct lb_frame *frame,
                                     struct lb_error *error)
{
    enum lb_status status = take_renewal(run) ? renew(run, false, frame, error) : LB_OK;
    do {
        struct lb_pass_job job = {.left_out = NULL};
        if (status == LB_OK)
            status = begin_pass(run, scene, wish, begin, end, frame, &job, error);
        if (status == LB_OK && job.due > 0) {
            struct lb_pass_result pass;
            status = lb_pass_render(&job, &pass, error);
            status = end_pass(run, &job, wish, status, &pass, frame, error);
        }
        free(job.left_out);
    } while (goes_on(run, frame, &status, error));
    return status;
}

/* Renders pass after pass until the frame has enough samples. A pass also ends at each number of samples that only some
 * pixels have already. */
static enum lb_status render_passes(struct lb_run *run, const lb_scene *scene, const struct lb_wish *wish,
                                    struct lb_frame *frame, struct lb_error *error)
{
    struct lb_grown grown = {.pixels = (uint64_t)frame->width * frame->height,
                             .cheap = scene->integrator.kind == LB_INTEGRATOR_MANDELBROT,
                             .first = wish->sample_begin,
                             .last = wish->sample_end ? wish->sample_end : scene->integrator.samples,
                             .at = wish->sample_begin};
    double begin = lb_clock_now();
    enum lb_status status = LB_OK;
    frame->noise = -1;
    tell_noise(run, frame);
    while (status == LB_OK) {
        grown.noise = frame->noise;
        grown.seconds = lb_clock_now() - begin;
        uint32_t end = lb_growth_next(&run->options.growth, &grown);
        if (end == grown.at)
            break;
        end = lb_held_cut(&frame->held, grown.at, end);
        if (!lb_run_any_left(run) || (frame->report.pass_count > 0 && lb_run_stopped(run)))
            frame->complete = false;
        if (!frame->complete)
            break;
        status = render_renewed(run, scene, wish, grown.at, end, frame, error);
        grown.a_sample = (lb_clock_now() - begin - grown.seconds) / (end - grown.at);
        grown.at = end;
    }
    frame->samples_each = grown.at - grown.first;
    return status;
}

/* ---- adaptive frames ---- */

/* May a pixel's further samples be born while a pass runs, in place of a pass for each number of samples? The strategy
 * must deal while the pass runs, and nobody may want to know meanwhile which samples each pixel has. */
static bool may_bear(const struct lb_run *run, const struct lb_wish *wish)
{
    return run->options.settings.strategy->dynamic && !keeps_held(run, wish) && !run->look;
}

/* The levels of an adaptive frame's pass after `at` samples of each pixel. */
struct levels {
    uint32_t count;
    struct lb_pass_level of[LB_ADAPTIVE_LEVELS];
    uint64_t *left_out[LB_ADAPTIVE_LEVELS]; /* of each; NULL: no pixel is */
    uint64_t born;                          /* samples of all but the first */
};

/* Adds a level that ends after `end` samples of a pixel. False: no pixel gets so many, or there is no memory. */
static bool add_level(const struct lb_adaptive *adaptive, uint32_t at, uint32_t end, struct levels *levels,
                      enum lb_status *status, struct lb_error *error)
{
    uint64_t due = (uint64_t)adaptive->width * adaptive->height, *left_out = NULL;
    if (adaptive->counts) {
        left_out = lb_adaptive_left_out(adaptive, end, &due);
        *status = left_out ? LB_OK : lb_error_memory(error, NULL);
    }
    if (*status != LB_OK || due == 0) {
        free(left_out);
        return false;
    }
    levels->born += levels->count > 0 ? due * (end - at) : 0;
    levels->left_out[levels->count] = left_out;
    levels->of[levels->count++] = (struct lb_pass_level){at, end, left_out};
    return true;
}

static void levels_free(struct levels *levels)
{
    for (uint32_t i = 0; i < levels->count; i++)
        free(levels->left_out[i]);
}

/* Renders levels after `at` samples of each pixel in one pass: all rounds, or, once it is decided, all that is left of
 * the frame. */
static enum lb_status render_births(struct lb_run *run, const lb_scene *scene, const struct lb_wish *wish,
                                    const struct lb_adaptive *adaptive, uint32_t at, struct lb_frame *frame,
                                    struct lb_error *error)
{
    struct levels levels = {.count = 0};
    struct lb_pass_job job = {.left_out = NULL};
    enum lb_status status = LB_OK;
    uint32_t most = adaptive->counts ? LB_ADAPTIVE_LEVELS : LB_ADAPTIVE_ROUNDS;
    for (uint32_t end, from = at; levels.count < most; from = end) {
        end = lb_adaptive_next(adaptive, from);
        if (end == from || !add_level(adaptive, from, end, &levels, &status, error))
            break;
    }
    if (status == LB_OK && levels.count > 0)
        status = begin_pass(run, scene, wish, at, levels.of[0].sample_end, frame, &job, error);
    if (status == LB_OK && job.due > 0) {
        struct lb_pass_result pass;
        job.split = false;
        job.levels = levels.of;
        job.level_count = levels.count;
        job.born_due = levels.born;
        job.squares = adaptive->counts ? NULL : adaptive->squares;
        status = lb_pass_render(&job, &pass, error);
        status = end_pass(run, &job, wish, status, &pass, frame, error);
    }
    free(job.left_out);
    levels_free(&levels);
    return status;
}

/* Renders the frame in two passes: what is born of the rounds, and what follows from them. */
static enum lb_status render_in_two(struct lb_run *run, const lb_scene *scene, struct lb_wish wish,
                                    struct lb_adaptive *adaptive, struct lb_frame *frame,
                                    struct lb_error *error)
{
    enum lb_status status = LB_OK;
    if (lb_run_any_left(run))
        status = render_births(run, scene, &wish, adaptive, 0, frame, error);
    else
        frame->complete = false;
    if (status == LB_OK && (!lb_run_any_left(run) || lb_run_stopped(run)))
        frame->complete = false;
    if (status != LB_OK || !frame->complete)
        return status;
    status = lb_adaptive_decide(adaptive, frame->pixels, error);
    wish.counts = adaptive->counts;
    if (status == LB_OK)
        status = render_births(run, scene, &wish, adaptive, lb_adaptive_rounds_end(adaptive), frame, error);
    return status;
}

/* Notes in the sets of samples how many each pixel is to get, so that a part of the frame says it. */
static enum lb_status keep_counts(struct lb_run *run, const struct lb_adaptive *adaptive,
                                  struct lb_frame *frame, struct lb_error *error)
{
    struct lb_held *held = &frame->held;
    uint32_t set = 0, count = 0, with = 0;
    lb_look_end(run->look); /* nobody looks until lb_look_added() */
    enum lb_status status = lb_held_spread(held, error);
    for (uint64_t i = 0; i < held->count && status == LB_OK; i++) {
        if (i == 0 || held->pixels[i] != set || adaptive->counts[i] != count) {
            set = held->pixels[i];
            count = adaptive->counts[i];
            status = lb_held_with_goal(held, set, count, &with, error);
        }
        held->pixels[i] = with;
    }
    lb_look_added(run->look);
    return status;
}

/* Takes over what a part says of how many samples each pixel is to get. */
static enum lb_status take_counts(struct lb_adaptive *adaptive, const struct lb_held *held,
                                  struct lb_error *error)
{
    adaptive->counts = malloc(held->count * sizeof *adaptive->counts);
    if (!adaptive->counts)
        return lb_error_memory(error, NULL);
    for (uint64_t i = 0; i < held->count; i++)
        adaptive->counts[i] = lb_held_goal(held, lb_held_set(held, i), adaptive->mean);
    return LB_OK;
}

/* Renders a round, and learns from it; the last one decides. */
static enum lb_status render_round(struct lb_run *run, const lb_scene *scene, struct lb_wish *wish,
                                   struct lb_adaptive *adaptive, uint32_t begin, uint32_t end,
                                   struct lb_frame *frame, struct lb_error *error)
{
    enum lb_status status = lb_adaptive_begin_round(adaptive, frame->pixels, error);
    if (status == LB_OK)
        status = render_renewed(run, scene, wish, begin, end, frame, error);
    if (status != LB_OK || !frame->complete)
        return status;
    lb_adaptive_end_round(adaptive, frame->pixels);
    if (end < lb_adaptive_rounds_end(adaptive))
        return LB_OK;
    status = lb_adaptive_decide(adaptive, frame->pixels, error);
    wish->counts = adaptive->counts;
    return status == LB_OK && keeps_held(run, wish) ? keep_counts(run, adaptive, frame, error) : status;
}

/* Renders a pass for each round, and then one for each number of samples that pixels get. */
static enum lb_status render_rounds(struct lb_run *run, const lb_scene *scene, struct lb_wish wish,
                                    struct lb_adaptive *adaptive, struct lb_frame *frame,
                                    struct lb_error *error)
{
    enum lb_status status = wish.begun ? take_counts(adaptive, &frame->held, error) : LB_OK;
    wish.counts = adaptive->counts;
    for (uint32_t end, at = 0; status == LB_OK && (end = lb_adaptive_next(adaptive, at)) > at; at = end) {
        if (!lb_run_any_left(run) || (frame->report.pass_count > 0 && lb_run_stopped(run)))
            frame->complete = false;
        if (!frame->complete)
            break;
        end = lb_held_cut(&frame->held, at, end);
        if (wish.counts)
            status = render_renewed(run, scene, &wish, at, end, frame, error);
        else
            status = render_round(run, scene, &wish, adaptive, at, end, frame, error);
    }
    return status;
}

static enum lb_status render_adaptively(struct lb_run *run, const lb_scene *scene, const struct lb_wish *wish,
                                        struct lb_frame *frame, struct lb_error *error)
{
    struct lb_adaptive adaptive;
    uint32_t mean = scene->integrator.samples / LB_ADAPTIVE_MOST;
    enum lb_status status = lb_adaptive_open(&adaptive, frame->width, frame->height, mean, error);
    frame->noise = -1;
    tell_noise(run, frame);
    if (status == LB_OK)
        status =
            (may_bear(run, wish) ? render_in_two : render_rounds)(run, scene, *wish, &adaptive, frame, error);
    frame->samples_each = mean;
    lb_adaptive_free(&adaptive);
    return status;
}

/* Makes the map that the probe finds. Where all processors are lost meanwhile, those that come make it. */
static enum lb_status make_wanted_estimate(struct lb_run *run, const lb_scene *scene, enum lb_probe probe,
                                           struct lb_frame *frame, struct lb_error *error)
{
    for (;;) {
        enum lb_status status = lb_run_choose(run, error);
        if (status == LB_OK && run->active_count > 0)
            status = make_estimate(run, scene, probe, frame, error);
        if (status != LB_OK || lb_run_any_left(run) || !run->options.renew || lb_run_stopped(run))
            return status;
        status = renew(run, true, frame, error);
        if (status != LB_OK || !lb_run_any_left(run))
            return status;
    }
}

/* Makes the maps that probes find where a user wants them and the strategy did not. This takes place after the frame
 * and counts in no time. */
static enum lb_status make_wanted_estimates(struct lb_run *run, const lb_scene *scene, struct lb_frame *frame,
                                            struct lb_error *error)
{
    enum lb_status status = LB_OK;
    for (int probe = LB_PROBE_NONE + 1; probe < LB_PROBES && status == LB_OK; probe++)
        if (!frame->estimates[probe].cost && frame->complete)
            status = make_wanted_estimate(run, scene, (enum lb_probe)probe, frame, error);
    if (lb_run_stopped(run))
        frame->complete = false; /* an estimate may lack something */
    return status;
}

static enum lb_status make_empty(const lb_scene *scene, struct lb_frame *frame, struct lb_error *error)
{
    size_t pixels = (size_t)frame->width * frame->height, each = scene->channels.count;
    frame->pixels = calloc(pixels, sizeof *frame->pixels);
    frame->sums = each ? calloc(pixels, each * sizeof *frame->sums) : NULL;
    return frame->pixels && (frame->sums || !each) ? LB_OK : lb_error_memory(error, NULL);
}

enum lb_status lb_run_frame(struct lb_run *run, const lb_scene *scene, uint32_t number,
                            const struct lb_wish *wish, struct lb_frame *frame, struct lb_error *error)
{
    static const struct lb_wish all = {.begun = NULL};
    enum lb_status status = begin_frame(run, scene, number, wish ? wish : &all, frame, error);
    frame->complete = lb_run_any_left(run);
    if (status == LB_OK) {
        lb_look_frame(run->look, &frame->pixels, &frame->sums, &frame->held);
        status = (run->options.growth.adaptive ? render_adaptively
                                               : render_passes)(run, scene, wish ? wish : &all, frame, error);
        lb_look_frame(run->look, NULL, NULL, NULL);
    }
    if (status == LB_OK && frame->complete && !frame->pixels)
        status = make_empty(scene, frame, error); /* a share without a pixel */
    if (status == LB_OK && run->options.want_estimates)
        status = make_wanted_estimates(run, scene, frame, error);
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
    lb_held_free(&frame->held);
    free(frame->sums);
    free(frame->cost);
    for (int probe = 0; probe < LB_PROBES; probe++)
        free(frame->estimates[probe].cost);
    free(frame->owned);
    free(frame->parted);
    free(frame->spans);
    lb_report_frame_free(&frame->report);
    *frame = (struct lb_frame){0};
}
