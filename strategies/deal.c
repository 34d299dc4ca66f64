#include "strategies/deal.h"

#include "strategies/layout.h"

enum lb_status lb_deal_hands(void *state, const struct lb_plan *plan, const lb_order *order,
                             struct lb_error *error)
{
    enum lb_status status = lb_shares_start(state, plan, error);
    for (uint32_t k = 0; k < plan->processor_count && status == LB_OK; k++)
        lb_shares_set(state, k, lb_dealt_begin(order, k), lb_dealt_begin(order, k + 1), order->region);
    return status;
}

enum lb_status lb_deal_plan(void *state, const struct lb_plan *plan, uint64_t region, struct lb_order *order,
                            struct lb_error *error)
{
    *order = lb_order_dealt(plan->width, plan->height, region, plan->processor_count,
                            lb_layout_asked(plan)->curve);
    return lb_deal_hands(state, plan, order, error);
}
