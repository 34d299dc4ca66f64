/* Strips of s pixels, as the regions of bitrev (book 10.3.3), dealt round-robin (10.3.2). */
#include "strategies/deal.h"
#include "strategies/layout.h"

static enum lb_status strips_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                  struct lb_error *error)
{
    lb_order regions = lb_order_reversed_as_printed(plan->width, plan->height, lb_layout_region_limit(plan),
                                                    lb_layout_asked(plan)->curve);
    return lb_deal_plan(state, plan, regions.region, order, error);
}

const struct lb_strategy lb_strategy_strips = {
    .name = "strips",
    .summary = "strips of pixels, round-robin",
    .weights = LB_WEIGHTS_IGNORED,
    .options = LB_OPTIONS(&lb_option_region_size, &lb_option_curve),
    .options_size = sizeof(struct lb_layout_options),
    .plan = strips_plan,
    LB_SHARES_HOOKS,
};
