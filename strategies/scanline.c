/* Scanlines, dealt round-robin: book 10.3.2, Figure 10-1 right. */
#include "strategies/deal.h"
#include "strategies/layout.h"

static enum lb_status scanline_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                    struct lb_error *error)
{
    return lb_deal_plan(state, plan, plan->width, order, error);
}

const struct lb_strategy lb_strategy_scanline = {
    .name = "scanline",
    .summary = "scanlines, round-robin",
    .weights = LB_WEIGHTS_IGNORED,
    .options = LB_OPTIONS(&lb_option_curve),
    .options_size = sizeof(struct lb_layout_options),
    .state_size = lb_shares_state_size,
    .plan = scanline_plan,
    .next = lb_shares_next,
    .done = lb_shares_done,
    .failed = lb_shares_failed,
    .ready = lb_shares_ready,
    .end = lb_shares_end,
};
