/* Rectangles of equal estimated cost, by a cheap pre-pass: paper II.C, pre-processing [11]; bisected as in III.B. */
#include "strategies/leaf_shares.h"

const struct lb_strategy lb_strategy_estimate = {
    .name = "estimate",
    .summary = "rectangles of equal cost by a cheap pre-pass",
    .weights = LB_WEIGHTS_FOLLOWED,
    .probe = LB_PROBE_COST,
    .plan = lb_leaf_shares_plan,
    LB_LEAF_SHARES_HOOKS,
    .state_size = lb_leaf_shares_state_size,
    .end = lb_leaf_shares_end,
};
