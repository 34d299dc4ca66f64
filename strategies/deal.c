#include "strategies/deal.h"

uint64_t lb_region_size(const struct lb_plan *plan, uint64_t limit)
{
    uint64_t least = plan->region_size != 0 ? plan->region_size : limit;
    uint64_t n = (uint64_t)plan->width * plan->height;
    uint32_t bits = 0;
    while (bits < 31 && (least << (bits + 1)) <= n)
        bits++;
    return (n + (1u << bits) - 1) >> bits;
}

enum lb_status lb_deal_plan(void *state, const struct lb_plan *plan, uint64_t region, struct lb_order *order,
                            struct lb_error *error)
{
    enum lb_status status = lb_shares_start(state, plan, error);
    if (status != LB_OK)
        return status;
    *order = lb_order_dealt(plan->width, plan->height, region, plan->processor_count, plan->curve);
    for (uint32_t k = 0; k < plan->processor_count; k++)
        lb_shares_set(state, k, lb_dealt_begin(order, k), lb_dealt_begin(order, k + 1), region);
    return LB_OK;
}
