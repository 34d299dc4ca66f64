/* What is dealt round-robin: what scanline, strips and scatter do with regions of different sizes, and tiles with
 * tiles. */
#ifndef LB_STRATEGIES_DEAL_H
#define LB_STRATEGIES_DEAL_H

#include "strategies/shares.h"

/* Gives each processor its share of an order of regions or tiles; `state` is a struct lb_shares. */
enum lb_status lb_deal_hands(void *state, const struct lb_plan *plan, const lb_order *order,
                             struct lb_error *error);
/* plan() for regions of so many pixels; the options are layout.h's, with --curve among them. */
enum lb_status lb_deal_plan(void *state, const struct lb_plan *plan, uint64_t region, struct lb_order *order,
                            struct lb_error *error);
#endif
