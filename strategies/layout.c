#include "strategies/layout.h"

uint32_t lb_layout_tile_side(const struct lb_plan *plan)
{
    uint64_t area = plan->task_size != 0 ? plan->task_size : 1024;
    uint32_t most = plan->width < plan->height ? plan->width : plan->height, side = 1;
    while (side < most && (uint64_t)(side + 1) * (side + 1) <= area)
        side++;
    return side;
}

lb_order lb_layout_order(const struct lb_plan *plan, enum lb_layout usual, uint64_t *task)
{
    enum lb_layout layout = plan->layout == LB_LAYOUT_DEFAULT ? usual : plan->layout;
    if (layout == LB_LAYOUT_TILES) {
        uint32_t side = lb_layout_tile_side(plan);
        *task = (uint64_t)side * side;
        return lb_order_tiles(plan->width, plan->height, side);
    }
    if (layout == LB_LAYOUT_REVERSED) {
        bool ours = plan->layout == LB_LAYOUT_DEFAULT;
        uint64_t region = plan->region_size != 0 ? plan->region_size : ours ? 16 : 128;
        lb_order order =
            lb_order_reversed(plan->width, plan->height, region, ours ? LB_CURVE_HILBERT : plan->curve);
        *task = plan->task_size != 0 ? plan->task_size : order.region;
        return order;
    }
    *task = plan->task_size != 0 ? plan->task_size : plan->width;
    return lb_order_curve(plan->width, plan->height, plan->curve);
}
