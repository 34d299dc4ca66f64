/* The orders that strategies share out, by what the plan asks for. */
#ifndef LB_STRATEGIES_LAYOUT_H
#define LB_STRATEGIES_LAYOUT_H

#include "core/strategy.h"

/* The side of a square tile of about --task-size pixels, of 32 where there is none; never longer than the picture's
 * shorter side, so that padding stays within four times the picture. */
uint32_t lb_layout_tile_side(const struct lb_plan *plan);
/* The least pixels in a region of bitrev and strips: --region-size, else the book's 128, or fewer where there would not
 * be 16 regions a processor. */
uint64_t lb_layout_region_limit(const struct lb_plan *plan);
/* Bit-reversed regions of at least `limit` pixels, larger where that makes them drift (--region-drift). */
lb_order lb_layout_reversed(const struct lb_plan *plan, uint64_t limit, enum lb_curve curve);
/* The order that the plan asks for, `usual` where it leaves it open. *task: --task-size in whole units of the
 * order (rows of a tile or of the picture, regions), else the order's own: a row, a tile of 32 x 32, a
 * region. */
lb_order lb_layout_order(const struct lb_plan *plan, enum lb_layout usual, uint64_t *task);
/* Bit-reversed regions of a Hilbert curve, their last part taken pixel by pixel across them: any range is a fair sample
 * of the picture, and no dear corner falls to one processor when it is too late to make up for it. */
lb_order lb_layout_spread(const struct lb_plan *plan);

#endif
