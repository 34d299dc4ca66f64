#include "strategies/layout.h"

uint32_t lb_layout_tile_side(const struct lb_plan *plan)
{
    uint64_t area = plan->task_size != 0 ? plan->task_size : 1024;
    uint32_t most = plan->width < plan->height ? plan->width : plan->height, side = 1;
    while (side < most && (uint64_t)(side + 1) * (side + 1) <= area)
        side++;
    return side;
}

/* The lower limit of a region's pixels that the book gives; and m should be much larger than p. */
enum { BOOK_LIMIT = 128, REGIONS_EACH = 16 };

uint64_t lb_layout_region_limit(const struct lb_plan *plan)
{
    uint64_t pixels = (uint64_t)plan->width * plan->height,
             most = pixels / plan->processor_count / REGIONS_EACH;
    if (plan->region_size != 0)
        return plan->region_size;
    return most < 1 ? 1 : most < BOOK_LIMIT ? most : BOOK_LIMIT;
}

/* What lies together is rendered together in regions of up to so many pixels. A share is to be of so many times p
 * regions: the more processors, the less a dear spot evens out in what each gets, and the shorter is the time in which
 * to make up for it. */
enum { MOST = 256, REGIONS = 256 };
/* Likewise where everybody begins with one range, which should be even from the first. */
enum { MOST_IN_SHARES = 16 };

static uint64_t own_region(const struct lb_plan *plan, uint64_t most)
{
    uint64_t pixels = (uint64_t)plan->width * plan->height;
    uint64_t size = pixels / REGIONS / plan->processor_count / plan->processor_count;
    return size < 1 ? 1 : size > most ? most : size;
}

lb_order lb_layout_reversed(const struct lb_plan *plan, uint64_t limit, enum lb_curve curve)
{
    if (plan->region_drift_off)
        return lb_order_reversed_as_printed(plan->width, plan->height, limit, curve);
    return lb_order_reversed(plan->width, plan->height, limit, curve);
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
        uint64_t usual_region = ours ? own_region(plan, MOST_IN_SHARES) : 128;
        uint64_t region = plan->region_size != 0 ? plan->region_size : usual_region;
        lb_order order = lb_layout_reversed(plan, region, ours ? LB_CURVE_HILBERT : plan->curve);
        *task = plan->task_size != 0 ? plan->task_size : order.region;
        return order;
    }
    *task = plan->task_size != 0 ? plan->task_size : plan->width;
    return lb_order_curve(plan->width, plan->height, plan->curve);
}

/* The last regions, one in so many, are the tail that is taken pixel by pixel. */
enum { TAIL = 8 };

lb_order lb_layout_spread(const struct lb_plan *plan)
{
    uint64_t size = plan->region_size != 0 ? plan->region_size : own_region(plan, MOST);
    lb_order order = lb_order_reversed(plan->width, plan->height, size, LB_CURVE_HILBERT);
    uint64_t regions = (uint64_t)1 << order.bits;
    order.tail = regions - regions / TAIL;
    return order;
}
