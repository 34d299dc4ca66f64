/* Rectangles of which each is covered by as much of the scene as any other: paper III.B, equations 4 to 6. */
#include "strategies/leaf_shares.h"

const struct lb_strategy lb_strategy_coverage = {
    .name = "coverage",
    .summary = "rectangles of equal coverage by the scene",
    .weights = LB_WEIGHTS_FOLLOWED,
    .probe = LB_PROBE_COVERAGE,
    .plan = lb_leaf_shares_plan,
    LB_LEAF_SHARES_HOOKS,
    .state_size = lb_leaf_shares_state_size,
    .end = lb_leaf_shares_end,
};
