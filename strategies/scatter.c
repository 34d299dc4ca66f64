/* Pixel i to processor i mod p: paper II.B, scatter decomposition. */
#include "strategies/deal.h"
#include "strategies/layout.h"

static enum lb_status scatter_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                   struct lb_error *error)
{
    return lb_deal_plan(state, plan, 1, order, error);
}

const struct lb_strategy lb_strategy_scatter = {
    .name = "scatter",
    .summary = "pixel i to processor i mod p",
    .weights = LB_WEIGHTS_IGNORED,
    .options = LB_OPTIONS(&lb_option_curve),
    .options_size = sizeof(struct lb_layout_options),
    .plan = scatter_plan,
    LB_SHARES_HOOKS,
};
