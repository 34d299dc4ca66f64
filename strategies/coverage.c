/* Rectangles of which each is covered by as much of the scene as any other: paper III.B, equations 4 to 6. */
#include "strategies/leaf_shares.h"

const struct lb_strategy lb_strategy_coverage = {
    .name = "coverage",
    .summary = "rectangles of equal coverage by the scene",
    .weights = LB_WEIGHTS_FOLLOWED,
    .probe = LB_PROBE_COVERAGE,
    .state_size = lb_leaf_shares_state_size,
    .plan = lb_leaf_shares_plan,
    .next = lb_shares_next,
    .done = lb_leaf_shares_done,
    .failed = lb_shares_failed,
    .ready = lb_shares_ready,
    .describe = lb_leaf_shares_describe,
    .end = lb_leaf_shares_end,
};
