/* Strips of s pixels, dealt round-robin: book 10.3.2. As long as the regions of bitrev. */
#include "strategies/deal.h"

static enum lb_status strips_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                  struct lb_error *error)
{
    return lb_deal_plan(state, plan, lb_region_size(plan, 128), order, error);
}

const struct lb_strategy lb_strategy_strips = {
    .name = "strips",
    .summary = "strips of pixels, round-robin",
    .weights = LB_WEIGHTS_IGNORED,
    .state_size = lb_shares_state_size,
    .plan = strips_plan,
    .next = lb_shares_next,
    .done = lb_shares_done,
    .failed = lb_shares_failed,
    .ready = lb_shares_ready,
    .end = lb_shares_end,
};
