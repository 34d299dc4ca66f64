#include "strategies/layout.h"

/* ---- the options ---- */

static const char *const curves[] = {"rows", "hilbert", NULL};
static const char *const drifts[] = {"on", "off", NULL};
static const char *const orders[] = {"default", "curve", "tiles", "reversed", NULL};

_Static_assert(sizeof(enum lb_curve) == sizeof(unsigned) && sizeof(enum lb_drift) == sizeof(unsigned) &&
                   sizeof(enum lb_layout) == sizeof(unsigned),
               "an option of words is written as an unsigned");

const struct lb_option lb_option_region_size = {.name = "region-size",
                                                .argument = "N",
                                                .help = "Least pixels in a region",
                                                .type = LB_OPTION_WHOLE,
                                                .low = 1,
                                                .high = INT32_MAX,
                                                .offset = offsetof(struct lb_layout_options, region_size)};
const struct lb_option lb_option_region_drift = {
    .name = "region-drift",
    .argument = "on|off",
    .help = "Regions may be larger than need be, to meet all columns",
    .type = LB_OPTION_WORD,
    .words = drifts,
    .offset = offsetof(struct lb_layout_options, drift)};
const struct lb_option lb_option_task_size = {.name = "task-size",
                                              .argument = "N",
                                              .help = "Pixels in a task",
                                              .type = LB_OPTION_WHOLE,
                                              .low = 1,
                                              .high = INT32_MAX,
                                              .offset = offsetof(struct lb_layout_options, task_size)};
const struct lb_option lb_option_curve = {.name = "curve",
                                          .argument = "rows|hilbert",
                                          .help = "Curve that regions are pieces of",
                                          .type = LB_OPTION_WORD,
                                          .words = curves,
                                          .offset = offsetof(struct lb_layout_options, curve)};
const struct lb_option lb_option_order = {.name = "order",
                                          .argument = "default|curve|tiles|reversed",
                                          .help = "What dynamic strategies deal from",
                                          .type = LB_OPTION_WORD,
                                          .words = orders,
                                          .offset = offsetof(struct lb_layout_options, layout)};

/* ---- the orders ---- */

uint32_t lb_layout_tile_side(const struct lb_plan *plan)
{
    uint64_t asked = lb_layout_asked(plan)->task_size, area = asked != 0 ? asked : 1024;
    uint32_t most = plan->width < plan->height ? plan->width : plan->height, side = 1;
    while (side < most && (uint64_t)(side + 1) * (side + 1) <= area)
        side++;
    return side;
}

/* The fewest pixels of a region, which the book gives, and the fewest regions for each processor: the book wants many
 * more regions than processors. */
enum { BOOK_LIMIT = 128, REGIONS_EACH = 16 };

uint64_t lb_layout_region_limit(const struct lb_plan *plan)
{
    uint64_t pixels = (uint64_t)plan->width * plan->height,
             most = pixels / plan->processor_count / REGIONS_EACH, asked = lb_layout_asked(plan)->region_size;
    if (asked != 0)
        return asked;
    return most < 1 ? 1 : most < BOOK_LIMIT ? most : BOOK_LIMIT;
}

/* What lies together is rendered together in regions of up to so many pixels. A share is to be of so many times p
 * regions: the more processors, the less a dear spot evens out in what each gets, and the shorter is the time in which
 * to make up for it. */
enum { MOST = 256, REGIONS = 256 };
/* The same for strategies in which each processor begins with one range, which should be even from the first. */
enum { MOST_IN_SHARES = 16 };

static uint64_t own_region(const struct lb_plan *plan, uint64_t most)
{
    uint64_t pixels = (uint64_t)plan->width * plan->height;
    uint64_t size = pixels / REGIONS / plan->processor_count / plan->processor_count;
    return size < 1 ? 1 : size > most ? most : size;
}

lb_order lb_layout_reversed(const struct lb_plan *plan, uint64_t limit, enum lb_curve curve)
{
    if (lb_layout_asked(plan)->drift == LB_DRIFT_OFF)
        return lb_order_reversed_as_printed(plan->width, plan->height, limit, curve);
    return lb_order_reversed(plan->width, plan->height, limit, curve);
}

/* A processor's equal share should be of so many positions, or one that is much dearer than the others is too much of
 * it. */
enum { SHARE = 8192 };

/* Blocks are to be of equally many samples, where that can be. Who has no other to share with needs none: each block
 * finds its positions' pixels anew. */
uint32_t lb_layout_blocks(const struct lb_plan *plan)
{
    if (plan->processor_count == 1)
        return 1;
    uint64_t pixels = (uint64_t)plan->width * plan->height;
    uint64_t wanted = ((uint64_t)SHARE * plan->processor_count + pixels - 1) / pixels;
    uint32_t blocks = 1;
    while (blocks < plan->samples && (blocks < wanted || plan->samples % blocks != 0))
        blocks++;
    return blocks;
}

lb_order lb_layout_order(const struct lb_plan *plan, enum lb_layout usual, uint64_t *task)
{
    const struct lb_layout_options *asked = lb_layout_asked(plan);
    enum lb_layout layout = asked->layout == LB_LAYOUT_DEFAULT ? usual : asked->layout;
    if (layout == LB_LAYOUT_TILES) {
        uint32_t side = lb_layout_tile_side(plan);
        *task = (uint64_t)side * side;
        return lb_order_tiles(plan->width, plan->height, side);
    }
    if (layout == LB_LAYOUT_REVERSED) {
        bool ours = asked->layout == LB_LAYOUT_DEFAULT;
        uint64_t usual_region = ours ? own_region(plan, MOST_IN_SHARES) : 128;
        uint64_t region = asked->region_size != 0 ? asked->region_size : usual_region;
        lb_order order = lb_layout_reversed(plan, region, ours ? LB_CURVE_HILBERT : asked->curve);
        *task = asked->task_size != 0 ? asked->task_size : order.region;
        return ours ? lb_order_split(order, lb_layout_blocks(plan)) : order;
    }
    *task = asked->task_size != 0 ? asked->task_size : plan->width;
    return lb_order_curve(plan->width, plan->height, asked->curve);
}

/* CPU threads and GPUs together, of which nobody knows the speeds: a thread's first chunks are small beside a GPU's,
 * and should be fair samples nonetheless. */
static bool is_mixed(const struct lb_plan *plan)
{
    uint32_t gpus = 0;
    for (uint32_t k = 0; k < plan->processor_count; k++)
        gpus += plan->processors[k].kind == LB_PROCESSOR_GPU;
    return !plan->weights_known && gpus > 0 && gpus < plan->processor_count;
}

/* One in so many regions, the last ones, make up the tail, which is taken pixel by pixel. */
enum { TAIL = 8 };

lb_order lb_layout_spread(const struct lb_plan *plan)
{
    uint64_t asked = lb_layout_asked(plan)->region_size, most = is_mixed(plan) ? MOST_IN_SHARES : MOST;
    uint64_t size = asked != 0 ? asked : own_region(plan, most);
    lb_order order = lb_order_reversed(plan->width, plan->height, size, LB_CURVE_HILBERT);
    uint64_t regions = (uint64_t)1 << order.bits;
    order.tail = regions - regions / TAIL;
    return lb_order_split(order, lb_layout_blocks(plan));
}
