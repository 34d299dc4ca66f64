/* Square tiles dealt at random: paper II.B, tiling; lecture notes, randomized. The tiles are shuffled and dealt out in
 * equal numbers, where the paper draws a processor for each. --task-size is a tile's area. */
#include "strategies/layout.h"
#include "strategies/shares.h"

static enum lb_status random_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                  struct lb_error *error)
{
    uint32_t side = lb_layout_tile_side(plan), p = plan->processor_count;
    uint64_t area = (uint64_t)side * side, tiles;
    enum lb_status status = lb_shares_start(state, plan, error);
    if (status != LB_OK)
        return status;
    *order = lb_order_shuffled(plan->width, plan->height, side, plan->seed + plan->frame);
    tiles = order->count / area;
    for (uint32_t k = 0; k < p; k++)
        lb_shares_set(state, k, tiles * k / p * area, tiles * (k + 1) / p * area, area);
    return LB_OK;
}

const struct lb_strategy lb_strategy_random = {
    .name = "random",
    .summary = "square tiles, dealt at random",
    .weights = LB_WEIGHTS_IGNORED,
    .options = LB_OPTIONS(&lb_option_task_size),
    .options_size = sizeof(struct lb_layout_options),
    .plan = random_plan,
    LB_SHARES_HOOKS,
};
