/* Regions dealt round-robin: what scanline, strips and scatter do with regions of different sizes. */
#ifndef LB_STRATEGIES_DEAL_H
#define LB_STRATEGIES_DEAL_H

#include "strategies/shares.h"

/* The state is struct lb_shares. */
enum lb_status lb_deal_plan(void *state, const struct lb_plan *plan, uint64_t region, struct lb_order *order,
                            struct lb_error *error);
/* The size of bitrev's regions: the largest 2^b regions of at least --region-size (else `limit`) pixels. */
uint64_t lb_region_size(const struct lb_plan *plan, uint64_t limit);

#endif
