#include "core/run/frame.h"

#include "core/machine/clock.h"
#include "core/run/frame_adaptive.h"
#include "core/run/frame_pass.h"
#include "core/run/pass/fold.h"

#include <stdlib.h>

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
    frame->target = wish->begun->target;
    wish->begun->target = (struct lb_part_target){.squares = NULL};
    wish->begun->held = (struct lb_held){0};
    wish->begun->pixels = NULL;
    wish->begun->sums = NULL;
    return LB_OK;
}

static enum lb_status begin_frame(const struct lb_run *run, const lb_scene *scene, uint32_t number,
                                  const struct lb_wish *wish, struct lb_frame *frame, struct lb_error *error)
{
    *frame = (struct lb_frame){.width = scene->film.width,
                               .height = scene->film.height,
                               .channels = lb_frame_folds(run, wish) ? lb_channels_folded(&scene->channels)
                                                                     : scene->channels};
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
    lb_frame_tell_noise(run, frame);
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
        status = lb_frame_render_renewed(run, scene, wish, grown.at, end, frame, error);
        grown.a_sample = (lb_clock_now() - begin - grown.seconds) / (end - grown.at);
        grown.at = end;
    }
    frame->samples_each = grown.at - grown.first;
    return status;
}

/* Makes the map that the probe finds. Where all processors are lost meanwhile, those that come make it. */
static enum lb_status make_wanted_estimate(struct lb_run *run, const lb_scene *scene, enum lb_probe probe,
                                           struct lb_frame *frame, struct lb_error *error)
{
    for (;;) {
        enum lb_status status = lb_run_choose(run, error);
        if (status == LB_OK && run->active_count > 0)
            status = lb_frame_estimate(run, scene, probe, frame, error);
        if (status != LB_OK || lb_run_any_left(run) || !run->options.renew || lb_run_stopped(run))
            return status;
        status = lb_frame_renew(run, true, frame, error);
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

static enum lb_status make_empty(struct lb_frame *frame, struct lb_error *error)
{
    size_t pixels = (size_t)frame->width * frame->height, each = frame->channels.count;
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
        const struct lb_look_frame shown = {&frame->pixels, &frame->sums, &frame->held, &frame->target};
        lb_look_frame(run->look, &shown);
        status = (run->options.growth.adaptive ? lb_frame_render_adaptively
                                               : render_passes)(run, scene, wish ? wish : &all, frame, error);
        lb_look_frame(run->look, NULL);
    }
    if (status == LB_OK && frame->complete && !frame->pixels)
        status = make_empty(frame, error); /* a share without a pixel */
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
    free(frame->target.squares);
    free(frame->spans);
    lb_report_frame_free(&frame->report);
    *frame = (struct lb_frame){0};
}
