/* Pixel i to processor i mod p: paper II.B, scatter decomposition. */
#include "strategies/deal.h"

static enum lb_status scatter_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                   struct lb_error *error)
{
    return lb_deal_plan(state, plan, 1, order, error);
}

const struct lb_strategy lb_strategy_scatter = {
    .name = "scatter",
    .summary = "pixel i to processor i mod p",
    .weights = LB_WEIGHTS_IGNORED,
    .state_size = lb_shares_state_size,
    .plan = scatter_plan,
    .next = lb_shares_next,
    .done = lb_shares_done,
    .failed = lb_shares_failed,
    .ready = lb_shares_ready,
    .end = lb_shares_end,
};
