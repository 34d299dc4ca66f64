/* Rectangles of equal estimated cost, by a cheap pre-pass: paper II.C, pre-processing [11]; bisected as in III.B. */
#include "strategies/leaf_shares.h"

const struct lb_strategy lb_strategy_estimate = {
    .name = "estimate",
    .summary = "rectangles of equal cost by a cheap pre-pass",
    .weights = LB_WEIGHTS_FOLLOWED,
    .probe = LB_PROBE_COST,
    .state_size = lb_leaf_shares_state_size,
    .plan = lb_leaf_shares_plan,
    .next = lb_shares_next,
    .done = lb_leaf_shares_done,
    .failed = lb_shares_failed,
    .ready = lb_shares_ready,
    .describe = lb_leaf_shares_describe,
    .end = lb_leaf_shares_end,
};
