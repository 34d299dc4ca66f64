/* Weighted ranges of bit-reversed regions: book 10.3.3, Listings 10-1 to 10-3. */
#include "strategies/shares.h"

/* The lower limit of a region's pixels that the book gives. */
enum { LIMIT = 128 };

static enum lb_status bitrev_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                  struct lb_error *error)
{
    uint64_t limit = plan->region_size != 0 ? plan->region_size : LIMIT;
    enum lb_status status = lb_shares_start(state, plan, error);
    if (status != LB_OK)
        return status;
    *order = lb_order_reversed(plan->width, plan->height, limit, plan->curve);
    lb_shares_follow(state, plan, order->count, order->region);
    return LB_OK;
}

const struct lb_strategy lb_strategy_bitrev = {
    .name = "bitrev",
    .summary = "weighted ranges of bit-reversed regions",
    .weights = LB_WEIGHTS_FOLLOWED,
    .state_size = lb_shares_state_size,
    .plan = bitrev_plan,
    .next = lb_shares_next,
    .done = lb_shares_done,
    .failed = lb_shares_failed,
    .ready = lb_shares_ready,
    .end = lb_shares_end,
};
