/* Small square tiles, dealt round-robin: book 10.3.2. --task-size is a tile's area. */
#include "strategies/deal.h"
#include "strategies/layout.h"

static enum lb_status tiles_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                 struct lb_error *error)
{
    *order = lb_order_handed(plan->width, plan->height, lb_layout_tile_side(plan), plan->processor_count);
    return lb_deal_hands(state, plan, order, error);
}

const struct lb_strategy lb_strategy_tiles = {
    .name = "tiles",
    .summary = "small square tiles, round-robin",
    .weights = LB_WEIGHTS_IGNORED,
    .options = LB_OPTIONS(&lb_option_task_size),
    .options_size = sizeof(struct lb_layout_options),
    .plan = tiles_plan,
    LB_SHARES_HOOKS,
};
