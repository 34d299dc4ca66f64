/* Weighted ranges of bit-reversed regions: book 10.3.3, Listings 10-1 to 10-3. */
#include "strategies/layout.h"
#include "strategies/shares.h"

#include <inttypes.h>
#include <stdio.h>

struct bitrev {
    struct lb_shares shares; /* first */
    uint64_t regions, region;
    uint32_t idle; /* processors whose share is empty */
};

static size_t bitrev_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct bitrev);
}

static enum lb_status bitrev_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                  struct lb_error *error)
{
    struct bitrev *own = state;
    enum lb_status status = lb_shares_start(&own->shares, plan, error);
    if (status != LB_OK)
        return status;
    *order = lb_layout_reversed(plan, lb_layout_region_limit(plan), lb_layout_asked(plan)->curve);
    lb_shares_follow(&own->shares, plan, order->count, order->region);
    own->regions = order->count / order->region;
    own->region = order->region;
    own->idle = 0;
    for (uint32_t k = 0; k < plan->processor_count; k++)
        own->idle += own->shares.shares[k].next == own->shares.shares[k].end;
    return LB_OK;
}

static void bitrev_describe(const void *state, char *text, size_t size)
{
    const struct bitrev *own = state;
    int length = snprintf(text, size, "%" PRIu64 " regions of %" PRIu64 " pixels", own->regions, own->region);
    if (own->idle > 0 && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length,
                 "; too few: %" PRIu32 " of %" PRIu32 " processors have none", own->idle,
                 own->shares.processors);
}

const struct lb_strategy lb_strategy_bitrev = {
    .name = "bitrev",
    .summary = "weighted ranges of bit-reversed regions",
    .weights = LB_WEIGHTS_FOLLOWED,
    .options = LB_OPTIONS(&lb_option_region_size, &lb_option_region_drift, &lb_option_curve),
    .options_size = sizeof(struct lb_layout_options),
    .state_size = bitrev_state_size,
    .plan = bitrev_plan,
    .next = lb_shares_next,
    .done = lb_shares_done,
    .failed = lb_shares_failed,
    .ready = lb_shares_ready,
    .describe = bitrev_describe,
    .end = lb_shares_end,
};
