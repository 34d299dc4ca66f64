/* A prediction binary tree: the first frame's rectangles by coverage, each later frame's by the times of the last
 * one's, C(i, j) = t / (w h) in each leaf. Paper III.A to III.C, equations 4 to 6 and 8. Where processors are of
 * different speeds, t times the speed of the processor that took it is the cost. */
#include "strategies/leaf_shares.h"

const struct lb_strategy lb_strategy_pbt = {
    .name = "pbt",
    .summary = "rectangles by coverage, then every frame by the last one's times",
    .weights = LB_WEIGHTS_FOLLOWED,
    .probe = LB_PROBE_COVERAGE,
    .probe_once = true,
    .plan = lb_leaf_shares_plan_by_times,
    LB_LEAF_SHARES_HOOKS,
    .state_size = lb_leaf_shares_state_size,
    .end = lb_leaf_shares_end,
};
