/* Each processor has a stretch of the curve, and before every frame neighbours shift their boundary by a share of the
 * difference of their times: paper II.C [5-7]. */
#include "strategies/layout.h"
#include "strategies/shares.h"

#include <stdlib.h>

/* The share of what would even two neighbours out that is shifted; beyond a half, two boundaries that move towards each
 * other overshoot. */
static const double SHIFT = 0.5;

struct diffusion {
    struct lb_shares shares; /* first */
    uint64_t *bounds;        /* processors + 1 of them */
    double *seconds;         /* of each stretch, whoever did it */
    uint32_t processors, capacity;
    uint64_t count; /* positions; 0: there was no frame yet */
    uint32_t width;
};

static size_t diffusion_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct diffusion);
}

static enum lb_status make_room(struct diffusion *own, uint32_t processors, struct lb_error *error)
{
    if (processors <= own->capacity)
        return LB_OK;
    free(own->bounds);
    free(own->seconds);
    own->bounds = calloc((size_t)processors + 1, sizeof *own->bounds);
    own->seconds = calloc(processors, sizeof *own->seconds);
    bool all = own->bounds != NULL && own->seconds != NULL;
    own->capacity = all ? processors : 0;
    own->count = 0;
    return all ? LB_OK : lb_error_memory(error, NULL);
}

/* By how many positions the boundary of two stretches moves: down where the left one took longer. What a shift is worth
 * is the longer one's own seconds a position. */
static int64_t shift(double left, uint64_t left_size, double right, uint64_t right_size)
{
    double longer = left > right ? left : right, excess = (left > right ? left - right : right - left) / 2;
    double size = (double)(left > right ? left_size : right_size);
    int64_t positions = longer > 0 ? (int64_t)(SHIFT * excess / longer * size) : 0;
    return left > right ? -positions : positions;
}

/* Moves all boundaries at once: each shift is calculated from the old ones. */
static void diffuse(struct diffusion *own)
{
    uint64_t before = own->bounds[0];
    for (uint32_t k = 1; k < own->processors; k++) {
        uint64_t old = own->bounds[k];
        int64_t by = shift(own->seconds[k - 1], old - before, own->seconds[k], own->bounds[k + 1] - old);
        own->bounds[k] = (uint64_t)((int64_t)old + by);
        if (own->bounds[k] < own->bounds[k - 1])
            own->bounds[k] = own->bounds[k - 1];
        before = old;
    }
}

static void start_even(struct diffusion *own, const struct lb_plan *plan)
{
    double sum = 0, before = 0;
    for (uint32_t k = 0; k < plan->processor_count; k++)
        sum += plan->processors[k].weight;
    for (uint32_t k = 0; k < plan->processor_count; k++) {
        own->bounds[k] = lb_running_share(own->count, before / sum);
        before += plan->processors[k].weight;
    }
    own->bounds[plan->processor_count] = own->count;
}

static enum lb_status diffusion_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                     struct lb_error *error)
{
    struct diffusion *own = state;
    uint32_t p = plan->processor_count;
    enum lb_status status = make_room(own, p, error);
    if (status == LB_OK)
        status = lb_shares_start(&own->shares, plan, error);
    if (status != LB_OK)
        return status;
    *order = lb_order_curve(plan->width, plan->height, lb_layout_asked(plan)->curve);
    bool goes_on =
        plan->last != NULL && own->count == order->count && own->processors == p && own->width == plan->width;
    own->count = order->count;
    own->processors = p;
    own->width = plan->width;
    if (goes_on)
        diffuse(own);
    else
        start_even(own, plan);
    for (uint32_t k = 0; k < p; k++) {
        lb_shares_set(&own->shares, k, own->bounds[k], own->bounds[k + 1], 1);
        own->seconds[k] = 0;
    }
    return LB_OK;
}

/* Whose stretch holds a position. */
static uint32_t find_owner(const struct diffusion *own, uint64_t position)
{
    uint32_t low = 0, high = own->processors;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (own->bounds[middle] <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void diffusion_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct diffusion *own = state;
    own->seconds[find_owner(own, range.begin)] += seconds;
    lb_shares_done(&own->shares, processor, range, seconds);
}

static void diffusion_end(void *state)
{
    struct diffusion *own = state;
    free(own->bounds);
    free(own->seconds);
    lb_shares_end(state);
    *own = (struct diffusion){0};
}

const struct lb_strategy lb_strategy_diffusion = {
    .name = "diffusion",
    .summary = "neighbours on the curve shift their boundary, every frame",
    .weights = LB_WEIGHTS_FOLLOWED,
    .options = LB_OPTIONS(&lb_option_curve),
    .options_size = sizeof(struct lb_layout_options),
    .state_size = diffusion_state_size,
    .plan = diffusion_plan,
    .next = lb_shares_next,
    .done = diffusion_done,
    .failed = lb_shares_failed,
    .ready = lb_shares_ready,
    .end = diffusion_end,
};
