/* Rectangles that a sample of the frame itself cuts anew: ours, after the prediction binary tree of paper III. Times
 * are of where things were; so a band of rows of every block of the picture is rendered first, by whoever is free,
 * and when all are done, the leaves' borders move to the pixel by what bands and last times say. These two are
 * blended as would have been best in the frames before. */
#include "strategies/sample.h"
#include "strategies/trust.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sampled {
    struct lb_trial trial; /* first */
    /* Their density: the last frame's times, the true costs where they are known, or even. */
    struct lb_leaves leaves;
    struct lb_sample sample;
    struct lb_pace pace;
    struct lb_trust trust;
    /* The cost of each leaf's rest: as the last times foretold it, as the sample did, and what it was in truth. */
    struct lb_trust_outcome *outcomes;
    uint32_t outcome_capacity;
    bool has_times, exact, later_pass;
    double share; /* of the times in the blend */
};

static size_t sampled_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct sampled);
}

static enum lb_status make_room(struct sampled *own, const struct lb_plan *plan, struct lb_error *error)
{
    if (plan->processor_count > own->outcome_capacity) {
        free(own->outcomes);
        own->outcomes = calloc(plan->processor_count, sizeof *own->outcomes);
        own->outcome_capacity = own->outcomes == NULL ? 0 : plan->processor_count;
        if (own->outcomes == NULL)
            return lb_error_memory(error, NULL);
    }
    enum lb_status status = lb_leaves_start(&own->leaves, plan, error);
    return status == LB_OK ? lb_pace_start(&own->pace, plan, error) : status;
}

/* ---- the last frame ---- */

static bool has_last(const struct sampled *own, const struct lb_plan *plan)
{
    return plan->last != NULL && own->trial.processors == plan->processor_count && own->trial.count > 0 &&
           own->trial.outstanding == 0 && own->leaves.density.width == plan->width &&
           own->leaves.density.height == plan->height;
}

/* What it says of the speeds, and of the two forecasts of it. */
static void review(struct sampled *own)
{
    lb_pace_learn(&own->pace, own->sample.noise);
    if (!own->has_times || own->trial.bands == 0)
        return;
    for (uint32_t i = 0; i < own->trial.count; i++)
        own->outcomes[own->trial.blocks[i].leaf].actual += own->trial.blocks[i].cost;
    lb_trust_learn(&own->trust, own->outcomes, own->trial.processors);
}

static void forget(struct sampled *own)
{
    own->trust = (struct lb_trust){0};
    lb_pace_forget(&own->pace);
}

/* ---- this frame ---- */

/* Lays down where the cost lies as far as that is known before the sample. */
static enum lb_status expect(struct sampled *own, const struct lb_plan *plan, struct lb_error *error)
{
    enum lb_status status = lb_leaves_guess(&own->leaves, plan, error);
    if (status != LB_OK)
        return status;
    for (uint32_t i = 0; own->has_times && i < own->trial.count; i++)
        lb_density_add(&own->leaves.density, &own->trial.blocks[i].area,
                       own->trial.blocks[i].sample + own->trial.blocks[i].cost);
    lb_density_finish(&own->leaves.density);
    for (uint32_t k = 0; k < plan->processor_count; k++)
        own->leaves.all[k].weight =
            own->pace.speeds[k] * (plan->last != NULL && plan->last[k].lost ? 1e-9 : 1);
    return LB_OK;
}

/* The part of the last times in the forecast; all, between passes of one frame, where nothing moves. */
static double share_of_times(const struct sampled *own)
{
    if (own->exact || own->trial.bands == 0)
        return 1;
    if (!own->has_times)
        return 0;
    return own->later_pass ? 1 : lb_trust_share(&own->trust);
}

/* What the rest of each block should cost by the density, times `scale`, and by the sample. */
static void blend(struct sampled *own, double scale)
{
    struct lb_trial *trial = &own->trial;
    memset(own->outcomes, 0, trial->processors * sizeof *own->outcomes);
    for (uint32_t i = 0; i < trial->count; i++) {
        struct lb_trial_block *block = &trial->blocks[i];
        double times = scale * lb_trial_cost(&own->leaves.density, block), sample = times;
        if (block->rows > 0)
            sample = block->sample / block->rows * (block->area.height - block->rows);
        own->outcomes[block->leaf].first += times;
        own->outcomes[block->leaf].second += sample;
        block->due = own->share * times + (1 - own->share) * sample;
    }
}

/* Cuts the rests, once the sample is done. */
static void cut(struct sampled *own)
{
    struct lb_trial *trial = &own->trial;
    const struct lb_density *density = &own->leaves.density;
    double sampled = 0, expected = 0, scale = 1;
    if (trial->bands > 0)
        lb_sample_measure(&own->sample, trial, own->exact ? density : NULL, &own->pace);
    for (uint32_t i = 0; i < trial->count; i++) {
        sampled += trial->blocks[i].sample;
        expected += lb_sample_band(density, &trial->blocks[i]);
    }
    if (sampled > 0 && expected > 0)
        scale = sampled / expected;
    own->share = share_of_times(own);
    blend(own, scale);
    lb_trial_cut(trial, density, own->pace.speeds);
}

/* ---- the hooks ---- */

static enum lb_status sampled_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                   struct lb_error *error)
{
    struct sampled *own = state;
    bool last = has_last(own, plan);
    enum lb_status status = make_room(own, plan, error);
    if (status != LB_OK)
        return status;
    if (last)
        review(own);
    else
        forget(own);
    own->exact = lb_costs_known(plan);
    own->has_times = last && !own->exact;
    own->later_pass = plan->pass > 0;
    if ((status = expect(own, plan, error)) != LB_OK)
        return status;
    lb_leaves_cut(&own->leaves, LB_CUT_NEAREST);
    if ((status = lb_trial_start(&own->trial, plan, &own->leaves, order, error)) != LB_OK ||
        (status = lb_sample_start(&own->sample, &own->trial, error)) != LB_OK)
        return status;
    if (own->trial.bands == 0)
        cut(own);
    return LB_OK;
}

/* What the first part of a range of rests should cost, which is of `*block`; that part leaves the range. */
static double take_due(struct lb_trial *trial, struct lb_range *range, struct lb_trial_block **block)
{
    struct lb_range part = lb_trial_part(trial, *range);
    *block = lb_trial_find(trial, range->begin);
    range->begin = part.end;
    return (*block)->due * (double)(part.end - part.begin) / (double)lb_trial_rest(*block);
}

/* A range of rests took so long, in its blocks by what they should cost. */
static void account(struct sampled *own, uint32_t processor, struct lb_range range, double seconds)
{
    struct lb_trial_block *block;
    double due = 0, ratio;
    for (struct lb_range left = range; left.begin < left.end;)
        due += take_due(&own->trial, &left, &block);
    ratio = due > 0 ? seconds * own->pace.speeds[processor] / due : 0;
    while (range.begin < range.end) {
        double one = take_due(&own->trial, &range, &block);
        block->cost += ratio * one;
    }
    lb_pace_add(&own->pace, processor, due, seconds);
}

static void sampled_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct sampled *own = state;
    struct lb_trial *trial = &own->trial;
    lb_trial_done(trial, processor, range, seconds);
    if (range.begin >= trial->bands)
        account(own, processor, range, seconds);
    if (trial->untried == 0 && !trial->cut)
        cut(own);
}

static void sampled_describe(const void *state, char *text, size_t size)
{
    const struct sampled *own = state;
    if (own->trial.bands == 0 && !own->has_times && !own->exact) {
        snprintf(text, size, "cut evenly: nothing was known");
        return;
    }
    snprintf(text, size, "cut by %.0f %% of %s and %.0f %% of a sample", 100 * own->share,
             own->exact ? "the true costs" : "the last times", 100 - 100 * own->share);
}

static void sampled_end(void *state)
{
    struct sampled *own = state;
    lb_trial_free(&own->trial);
    lb_leaves_free(&own->leaves);
    lb_sample_free(&own->sample);
    lb_pace_free(&own->pace);
    free(own->outcomes);
    *own = (struct sampled){0};
}

const struct lb_strategy lb_strategy_sampled = {
    .name = "sampled",
    .summary = "rectangles that a sample of the frame, whose work is kept, cuts to the pixel",
    .weights = LB_WEIGHTS_FOLLOWED,
    .known_costs = true,
    .state_size = sampled_state_size,
    .plan = sampled_plan,
    .next = lb_trial_next,
    .done = sampled_done,
    .failed = lb_trial_failed,
    .ready = lb_trial_ready,
    .describe = sampled_describe,
    .end = sampled_end,
};
