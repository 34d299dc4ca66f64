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
    .plan = scanline_plan,
    LB_SHARES_HOOKS,
};
