/* A prediction binary tree: estimate's rectangles at first, then re-cut before every frame from the times of the last. Paper
 * III.A-C, equations 4 to 8, with these mends: intervals are half-open; the processors are halved in number and the cost is
 * split as their speeds are, so that p need not be a power of two; C is a time, which times the speed of the processor that
 * took it is cost; it is known block by block, not only leaf by leaf; and where there is an estimate of the new frame too, the
 * two are blended as they did in the frames before, since times are of where things were. */
#include "strategies/forecast.h"
#include "strategies/pace.h"
#include "strategies/trust.h"

#include <stdio.h>
#include <stdlib.h>

struct pbt {
    struct lb_forecast forecast;    /* first; its density is the blend */
    struct lb_density times, guess; /* the last frame's times; this one's estimate */
    double *by_times, *by_guess;    /* the part of the whole cost that each says a leaf has */
    double *actual;                 /* and what it had */
    uint32_t capacity;
    bool has_times, has_guess;
    double noise; /* of the estimate's whole, relative */
    struct lb_trust trust;
    struct lb_pace pace;
    double share; /* of the times in the blend */
};

static size_t pbt_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct pbt);
}

static void free_leaves(struct pbt *own)
{
    free(own->by_times);
    free(own->by_guess);
    free(own->actual);
    own->by_times = own->by_guess = own->actual = NULL;
    own->capacity = 0;
}

static enum lb_status make_room(struct pbt *own, uint32_t count, struct lb_error *error)
{
    if (count > own->capacity) {
        free_leaves(own);
        own->by_times = calloc(count, sizeof *own->by_times);
        own->by_guess = calloc(count, sizeof *own->by_guess);
        own->actual = calloc(count, sizeof *own->actual);
        if (own->by_times == NULL || own->by_guess == NULL || own->actual == NULL)
            return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
        own->capacity = count;
    }
    return lb_pace_start(&own->pace, count, error);
}

static double cost_of(const struct lb_density *density, const lb_rectangle *r)
{
    return lb_density_of(density, r->x, r->y, r->x + r->width, r->y + r->height);
}

/* What the last frame says of the speeds, and of the two forecasts of it. */
static void review(struct pbt *own, const struct lb_plan *plan)
{
    const struct lb_blocks *blocks = &own->forecast.blocks;
    double sum = 0;
    for (uint32_t i = 0; own->has_guess && i < blocks->count; i++)
        lb_pace_add(&own->pace, blocks->doer[i], cost_of(&own->guess, &blocks->blocks[i]),
                    blocks->seconds[i]);
    lb_pace_end_frame(&own->pace, plan, own->noise);
    if (!own->has_guess || !own->has_times)
        return;
    for (uint32_t k = 0; k < plan->processor_count; k++)
        own->actual[k] = 0;
    for (uint32_t i = 0; i < blocks->count; i++) {
        double cost = blocks->seconds[i] * own->pace.speeds[blocks->doer[i]];
        own->actual[blocks->owner[i]] += cost;
        sum += cost;
    }
    for (uint32_t k = 0; k < plan->processor_count && sum > 0; k++)
        own->actual[k] /= sum;
    if (sum > 0)
        lb_trust_learn(&own->trust, own->by_times, own->by_guess, own->actual, plan->processor_count);
}

static enum lb_status guess(struct pbt *own, const struct lb_plan *plan, struct lb_error *error)
{
    enum lb_status status = lb_density_start(&own->guess, plan->width, plan->height, error);
    own->has_guess = plan->estimate != NULL;
    if (status != LB_OK)
        return status;
    if (own->has_guess)
        lb_density_add_map(&own->guess, plan->estimate);
    own->noise = own->has_guess ? lb_pace_noise(plan->estimate) : 0;
    lb_density_finish(&own->guess);
    return LB_OK;
}

static enum lb_status learn(struct pbt *own, const struct lb_plan *plan, struct lb_error *error)
{
    enum lb_status status = lb_density_start(&own->times, plan->width, plan->height, error);
    if (status == LB_OK)
        lb_forecast_learn(&own->forecast, own->pace.speeds, &own->times);
    return status;
}

static void set_shares(const struct lb_density *density, const lb_rectangle *leaves, uint32_t count,
                       double *shares)
{
    double whole = lb_density_of(density, 0, 0, density->width, density->height);
    for (uint32_t k = 0; k < count; k++)
        shares[k] = cost_of(density, &leaves[k]) / whole;
}

static void forget(struct pbt *own, const struct lb_plan *plan)
{
    own->trust = (struct lb_trust){0};
    lb_pace_forget(&own->pace, plan);
}

/* Nothing moves between passes. */
static double share_of_times(const struct pbt *own, const struct lb_plan *plan)
{
    if (!own->has_times)
        return 0;
    return !own->has_guess || plan->pass > 0 ? 1 : lb_trust_share(&own->trust);
}

static enum lb_status pbt_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                               struct lb_error *error)
{
    struct pbt *own = state;
    struct lb_forecast *forecast = &own->forecast;
    uint32_t count = plan->processor_count;
    bool last = lb_forecast_has_last(forecast, plan);
    enum lb_status status = make_room(own, count, error);
    if (status == LB_OK)
        status = lb_forecast_start(forecast, plan, error);
    if (status != LB_OK)
        return status;
    if (last)
        review(own, plan);
    else
        forget(own, plan);
    own->has_times = last && !plan->estimate_exact;
    status = guess(own, plan, error);
    if (status == LB_OK && own->has_times)
        status = learn(own, plan, error);
    if (status != LB_OK)
        return status;
    own->share = share_of_times(own, plan);
    lb_density_blend(&forecast->density, own->has_times ? &own->times : &own->guess, &own->guess, own->share);
    for (uint32_t k = 0; k < count; k++)
        forecast->weights[k] *= own->pace.speeds[k] / plan->processors[k].weight;
    lb_density_bisect(&forecast->density, forecast->weights, count, forecast->leaves);
    if (own->has_times)
        set_shares(&own->times, forecast->leaves, count, own->by_times);
    set_shares(&own->guess, forecast->leaves, count, own->by_guess);
    return lb_forecast_finish(forecast, plan, order, error);
}

static void pbt_describe(const void *state, char *text, size_t size)
{
    const struct pbt *own = state;
    snprintf(text, size, "cut by %.0f %% of the last times and %.0f %% of an estimate", 100 * own->share,
             own->has_guess ? 100 - 100 * own->share : 0.0);
}

static void pbt_end(void *state)
{
    struct pbt *own = state;
    lb_density_free(&own->times);
    lb_density_free(&own->guess);
    lb_pace_free(&own->pace);
    free_leaves(own);
    lb_forecast_end(state);
    *own = (struct pbt){0};
}

const struct lb_strategy lb_strategy_pbt = {
    .name = "pbt",
    .summary = "rectangles re-cut every frame from the last one's times",
    .weights = LB_WEIGHTS_FOLLOWED,
    .estimate = true,
    .state_size = pbt_state_size,
    .plan = pbt_plan,
    .next = lb_blocks_next,
    .done = lb_blocks_done,
    .failed = lb_blocks_failed,
    .ready = lb_blocks_ready,
    .describe = pbt_describe,
    .end = pbt_end,
};
