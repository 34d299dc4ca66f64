/* A prediction binary tree: the picture bisected anew before every frame by the times of the last. Paper III.A-C,
 * equations 4 to 8, with these mends: intervals are half-open; the processors are halved in number and the cost is
 * split as their speeds are, so that p need not be a power of two; C is a time, which times the speed of the processor
 * that took it is cost; it is known block by block, not only leaf by leaf; and since times are of where things were, a
 * sample of the frame itself, whose work is kept, moves the leaves' borders once a frame. Times and sample are blended
 * as would have been best in the frames before. */
#include "strategies/sample.h"
#include "strategies/trust.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pbt {
    struct lb_trial trial;     /* first */
    struct lb_density density; /* the last frame's times, the true costs where they are known, or else even */
    struct lb_sample sample;
    struct lb_pace pace;
    struct lb_trust trust;
    struct lb_plan plan;             /* this frame's; no pointer of it but `processors` outlives plan() */
    struct lb_processor_info *infos; /* its processors */
    lb_rectangle *leaves;            /* a processor each */
    double *weights;                 /* likewise; of one that is lost next to nothing */
    /* The parts of the leaves in the cost of the rests: two forecasts, the truth. */
    double *by_times, *by_sample, *actual;
    uint32_t capacity;
    bool has_times;
    double share; /* of the times in the blend */
};

static size_t pbt_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct pbt);
}

static void free_leaves(struct pbt *own)
{
    free(own->infos);
    free(own->leaves);
    free(own->weights);
    free(own->by_times);
    free(own->by_sample);
    free(own->actual);
    own->infos = NULL;
    own->leaves = NULL;
    own->weights = own->by_times = own->by_sample = own->actual = NULL;
    own->capacity = 0;
}

static enum lb_status make_room(struct pbt *own, uint32_t count, struct lb_error *error)
{
    if (count > own->capacity) {
        free_leaves(own);
        own->infos = calloc(count, sizeof *own->infos);
        own->leaves = calloc(count, sizeof *own->leaves);
        own->weights = calloc(count, sizeof *own->weights);
        own->by_times = calloc(count, sizeof *own->by_times);
        own->by_sample = calloc(count, sizeof *own->by_sample);
        own->actual = calloc(count, sizeof *own->actual);
        if (own->infos == NULL || own->leaves == NULL || own->weights == NULL || own->by_times == NULL ||
            own->by_sample == NULL || own->actual == NULL)
            return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
        own->capacity = count;
    }
    return lb_pace_start(&own->pace, count, error);
}

/* ---- the last frame ---- */

static bool has_last(const struct pbt *own, const struct lb_plan *plan)
{
    return plan->last != NULL && own->trial.processors == plan->processor_count && own->trial.count > 0 &&
           own->trial.outstanding == 0 && own->density.width == plan->width &&
           own->density.height == plan->height;
}

static void normalise(double *parts, uint32_t count)
{
    double sum = 0;
    for (uint32_t k = 0; k < count; k++)
        sum += parts[k];
    for (uint32_t k = 0; k < count && sum > 0; k++)
        parts[k] /= sum;
}

/* What it says of the speeds, and of the two forecasts of it. */
static void review(struct pbt *own, const struct lb_plan *plan)
{
    uint32_t count = plan->processor_count;
    lb_pace_learn(&own->pace, plan, own->sample.noise);
    if (!own->has_times || own->trial.bands == 0)
        return;
    memset(own->actual, 0, count * sizeof *own->actual);
    for (uint32_t i = 0; i < own->trial.count; i++)
        own->actual[own->trial.blocks[i].leaf] += own->trial.blocks[i].cost;
    normalise(own->actual, count);
    lb_trust_learn(&own->trust, own->by_times, own->by_sample, own->actual, count);
}

static void forget(struct pbt *own, const struct lb_plan *plan)
{
    own->trust = (struct lb_trust){0};
    lb_pace_forget(&own->pace, plan);
}

/* ---- the tree ---- */

/* Where the cost lies as far as is known before the frame. */
static enum lb_status expect(struct pbt *own, const struct lb_plan *plan, struct lb_error *error)
{
    enum lb_status status = lb_density_start(&own->density, plan->width, plan->height, error);
    if (status != LB_OK)
        return status;
    if (plan->estimate != NULL)
        lb_density_add_map(&own->density, plan->estimate);
    for (uint32_t i = 0; own->has_times && i < own->trial.count; i++)
        lb_density_add(&own->density, &own->trial.blocks[i].area,
                       own->trial.blocks[i].sample + own->trial.blocks[i].cost);
    lb_density_finish(&own->density);
    return LB_OK;
}

static void keep_plan(struct pbt *own, const struct lb_plan *plan)
{
    memcpy(own->infos, plan->processors, plan->processor_count * sizeof *own->infos);
    own->plan = *plan;
    own->plan.processors = own->infos;
    for (uint32_t k = 0; k < plan->processor_count; k++)
        own->weights[k] = own->pace.speeds[k] * (plan->last != NULL && plan->last[k].lost ? 1e-9 : 1);
}

/* Nothing moves between passes. */
static double share_of_times(const struct pbt *own)
{
    if (own->plan.estimate_exact || own->trial.bands == 0)
        return 1;
    if (!own->has_times)
        return 0;
    return own->plan.pass > 0 ? 1 : lb_trust_share(&own->trust);
}

/* What the rest of each block should cost by the density, times `scale`, and by the sample. */
static void blend(struct pbt *own, double scale)
{
    struct lb_trial *trial = &own->trial;
    uint32_t count = trial->processors;
    memset(own->by_times, 0, count * sizeof *own->by_times);
    memset(own->by_sample, 0, count * sizeof *own->by_sample);
    for (uint32_t i = 0; i < trial->count; i++) {
        struct lb_trial_block *block = &trial->blocks[i];
        double times = scale * lb_trial_cost(&own->density, block), sample = times;
        if (block->rows > 0)
            sample = block->sample / block->rows * (block->area.height - block->rows);
        own->by_times[block->leaf] += times;
        own->by_sample[block->leaf] += sample;
        block->due = own->share * times + (1 - own->share) * sample;
    }
    normalise(own->by_times, count);
    normalise(own->by_sample, count);
}

/* Once the sample is done. */
static void cut(struct pbt *own)
{
    struct lb_trial *trial = &own->trial;
    double sampled = 0, expected = 0, scale = 1;
    bool exact = own->plan.estimate_exact;
    if (trial->bands > 0)
        lb_sample_measure(&own->sample, trial, exact ? &own->density : NULL, &own->pace, &own->plan);
    for (uint32_t i = 0; i < trial->count; i++) {
        sampled += trial->blocks[i].sample;
        expected += lb_sample_band(&own->density, &trial->blocks[i]);
    }
    if (sampled > 0 && expected > 0)
        scale = sampled / expected;
    own->share = share_of_times(own);
    blend(own, scale);
    for (uint32_t k = 0; k < trial->processors; k++)
        own->weights[k] = own->pace.speeds[k];
    lb_trial_cut(trial, &own->density, own->weights);
}

/* ---- the hooks ---- */

static enum lb_status pbt_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                               struct lb_error *error)
{
    struct pbt *own = state;
    uint32_t count = plan->processor_count;
    bool last = has_last(own, plan);
    enum lb_status status = make_room(own, count, error);
    if (status != LB_OK)
        return status;
    if (last && !plan->times_only)
        review(own, plan);
    else
        forget(own, plan);
    own->has_times = last && !plan->estimate_exact;
    if ((status = expect(own, plan, error)) != LB_OK)
        return status;
    keep_plan(own, plan);
    lb_density_bisect(&own->density, own->weights, count, own->leaves);
    if ((status = lb_trial_start(&own->trial, plan, own->leaves, order, error)) != LB_OK ||
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
static void account(struct pbt *own, uint32_t processor, struct lb_range range, double seconds)
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

static void pbt_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct pbt *own = state;
    struct lb_trial *trial = &own->trial;
    lb_trial_done(trial, processor, range, seconds);
    if (range.begin >= trial->bands)
        account(own, processor, range, seconds);
    if (trial->untried == 0 && !trial->cut)
        cut(own);
}

static void pbt_describe(const void *state, char *text, size_t size)
{
    const struct pbt *own = state;
    if (own->trial.bands == 0 && !own->has_times && !own->plan.estimate_exact) {
        snprintf(text, size, "cut evenly: nothing was known");
        return;
    }
    snprintf(text, size, "cut by %.0f %% of %s and %.0f %% of a sample", 100 * own->share,
             own->plan.estimate_exact ? "the true costs" : "the last times", 100 - 100 * own->share);
}

static void pbt_end(void *state)
{
    struct pbt *own = state;
    lb_trial_free(&own->trial);
    lb_density_free(&own->density);
    lb_sample_free(&own->sample);
    lb_pace_free(&own->pace);
    free_leaves(own);
    *own = (struct pbt){0};
}

const struct lb_strategy lb_strategy_pbt = {
    .name = "pbt",
    .summary = "rectangles re-cut every frame from the last one's times and a sample of its own",
    .weights = LB_WEIGHTS_FOLLOWED,
    .known_costs = true,
    .state_size = pbt_state_size,
    .plan = pbt_plan,
    .next = lb_trial_next,
    .done = pbt_done,
    .failed = lb_trial_failed,
    .ready = lb_trial_ready,
    .describe = pbt_describe,
    .end = pbt_end,
};
