#include "core/run/frame_adaptive.h"

#include "core/run/adaptive.h"
#include "core/run/adaptive_target.h"
#include "core/run/frame_pass.h"

#include <stdlib.h>

/* May a pixel's further samples be born while a pass runs, in place of a pass for each number of samples? The strategy
 * must deal while the pass runs, and nobody may want to know meanwhile which samples each pixel has. */
static bool may_bear(const struct lb_run *run, const struct lb_wish *wish)
{
    return run->options.settings.strategy->dynamic && !lb_frame_keeps_held(run, wish) && !run->look;
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
        status = lb_frame_begin_pass(run, scene, wish, at, levels.of[0].sample_end, frame, &job, error);
    if (status == LB_OK && job.due > 0) {
        struct lb_pass_result pass;
        job.split = false;
        job.levels = levels.of;
        job.level_count = levels.count;
        job.born_due = levels.born;
        job.squares = adaptive->counts ? NULL : adaptive->squares;
        status = lb_pass_render(&job, &pass, error);
        status = lb_frame_end_pass(run, &job, wish, status, &pass, frame, error);
    }
    free(job.left_out);
    levels_free(&levels);
    return status;
}

/* Decides by what the rounds have told. */
static enum lb_status decide_counts(const lb_scene *scene, struct lb_adaptive *adaptive,
                                    const struct lb_frame *frame, struct lb_error *error)
{
    struct lb_scattered scattered = lb_scattered_of(scene, frame->sums);
    return lb_adaptive_decide(adaptive, frame->pixels, &scattered, error);
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
    status = decide_counts(scene, adaptive, frame, error);
    wish.counts = adaptive->counts;
    if (status == LB_OK)
        status = render_births(run, scene, &wish, adaptive, lb_adaptive_rounds_end(adaptive), frame, error);
    return status;
}

/* Notes in the sets of samples how many each pixel is to get, so that a part of the frame says it. Nobody looks. */
static enum lb_status keep_counts(const uint32_t *counts, struct lb_held *held, struct lb_error *error)
{
    uint32_t set = 0, count = 0, with = 0;
    enum lb_status status = lb_held_spread(held, error);
    for (uint64_t i = 0; i < held->count && status == LB_OK; i++) {
        if (i == 0 || held->pixels[i] != set || counts[i] != count) {
            set = held->pixels[i];
            count = counts[i];
            status = lb_held_with_goal(held, set, count, &with, error);
        }
        held->pixels[i] = with;
    }
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
        status = lb_frame_render_renewed(run, scene, wish, begin, end, frame, error);
    if (status != LB_OK || !frame->complete)
        return status;
    lb_adaptive_end_round(adaptive, frame->pixels);
    if (end < lb_adaptive_rounds_end(adaptive))
        return LB_OK;
    status = decide_counts(scene, adaptive, frame, error);
    wish->counts = adaptive->counts;
    if (status != LB_OK || !lb_frame_keeps_held(run, wish))
        return status;
    lb_look_end(run->look); /* nobody looks until lb_look_added() */
    status = keep_counts(adaptive->counts, &frame->held, error);
    lb_look_added(run->look);
    return status;
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
            status = lb_frame_render_renewed(run, scene, &wish, at, end, frame, error);
        else
            status = render_round(run, scene, &wish, adaptive, at, end, frame, error);
    }
    return status;
}

/* Begins, or goes on where a part ends. Nobody looks. */
static enum lb_status open_target(const struct lb_run *run, const lb_scene *scene, struct lb_target *target,
                                  struct lb_frame *frame, struct lb_error *error)
{
    const struct lb_held *held = &frame->held;
    enum lb_status status = lb_target_open(target, &frame->target, frame->width, frame->height,
                                           scene->integrator.samples / LB_ADAPTIVE_MOST, error);
    target->wanted = run->options.growth.noise;
    target->by_largest = run->options.growth.by_largest;
    /* The pass leaves out those that have its samples already. */
    for (uint64_t i = 0; status == LB_OK && i < held->count; i++)
        target->due[i] = target->counts[i] = lb_held_goal(held, lb_held_set(held, i), 0);
    frame->noise = frame->target.noise;
    return status;
}

/* After a pass that is complete. Nobody looks. */
static enum lb_status decide(const lb_scene *scene, bool keeps_held, struct lb_target *target,
                             struct lb_frame *frame, struct lb_error *error)
{
    struct lb_scattered scattered = lb_scattered_of(scene, frame->sums);
    enum lb_status status = lb_target_decide(target, frame->pixels, &scattered, error);
    frame->noise = frame->target.noise;
    return status == LB_OK && keeps_held && frame->noise >= 0
               ? keep_counts(target->counts, &frame->held, error)
               : status;
}

/* Renders a pass for each round, and then one for each number of samples, of the pixels that are still to have more. */
static enum lb_status render_levels(struct lb_run *run, const lb_scene *scene, struct lb_wish wish,
                                    struct lb_target *target, struct lb_frame *frame, struct lb_error *error)
{
    enum lb_status status = LB_OK;
    while (status == LB_OK && target->now->begin < target->now->end) {
        if (!lb_run_any_left(run) || (frame->report.pass_count > 0 && lb_run_stopped(run)))
            frame->complete = false;
        if (!frame->complete)
            break;
        wish.counts = target->now->noise >= 0 ? target->due : NULL;
        status =
            lb_frame_render_renewed(run, scene, &wish, target->now->begin, target->now->end, frame, error);
        if (status != LB_OK || !frame->complete)
            break;
        lb_look_end(run->look); /* nobody looks until lb_look_added() */
        status = decide(scene, lb_frame_keeps_held(run, &wish), target, frame, error);
        lb_look_added(run->look);
        lb_frame_tell_noise(run, frame);
    }
    return status;
}

static enum lb_status render_to_noise(struct lb_run *run, const lb_scene *scene, const struct lb_wish *wish,
                                      struct lb_frame *frame, struct lb_error *error)
{
    struct lb_target target;
    uint64_t pixels = (uint64_t)frame->width * frame->height;
    lb_look_end(run->look);
    enum lb_status status = open_target(run, scene, &target, frame, error);
    lb_look_added(run->look);
    lb_frame_tell_noise(run, frame);
    if (status == LB_OK)
        status = render_levels(run, scene, *wish, &target, frame, error);
    frame->samples_each = (uint32_t)((frame->samples + pixels / 2) / pixels);
    lb_target_free(&target);
    return status;
}

enum lb_status lb_frame_render_adaptively(struct lb_run *run, const lb_scene *scene,
                                          const struct lb_wish *wish, struct lb_frame *frame,
                                          struct lb_error *error)
{
    struct lb_adaptive adaptive;
    uint32_t mean = scene->integrator.samples / LB_ADAPTIVE_MOST;
    if (run->options.growth.noise > 0)
        return render_to_noise(run, scene, wish, frame, error);
    enum lb_status status = lb_adaptive_open(&adaptive, frame->width, frame->height, mean, error);
    frame->noise = -1;
    lb_frame_tell_noise(run, frame);
    if (status == LB_OK)
        status =
            (may_bear(run, wish) ? render_in_two : render_rounds)(run, scene, *wish, &adaptive, frame, error);
    frame->samples_each = mean;
    lb_adaptive_free(&adaptive);
    return status;
}
