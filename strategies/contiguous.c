/* p adjacent blocks of rows, as high as the weights say: paper II.B, Figure I. */
#include "strategies/layout.h"
#include "strategies/shares.h"

static enum lb_status contiguous_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                      struct lb_error *error)
{
    enum lb_status status = lb_shares_start(state, plan, error);
    if (status != LB_OK)
        return status;
    *order = lb_order_curve(plan->width, plan->height, lb_layout_asked(plan)->curve);
    lb_shares_follow(state, plan, order->count, plan->width);
    return LB_OK;
}

const struct lb_strategy lb_strategy_contiguous = {
    .name = "contiguous",
    .summary = "adjacent blocks of rows, weighted",
    .weights = LB_WEIGHTS_FOLLOWED,
    .options = LB_OPTIONS(&lb_option_curve),
    .options_size = sizeof(struct lb_layout_options),
    .plan = contiguous_plan,
    LB_SHARES_HOOKS,
};
