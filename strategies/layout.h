/* The orders that dynamic strategies deal ranges of. */
#ifndef LB_STRATEGIES_LAYOUT_H
#define LB_STRATEGIES_LAYOUT_H

#include "core/strategy.h"

/* The side of a square tile of about --task-size pixels, of 32 where there is none; never longer than the picture's
 * shorter side, so that padding stays within four times the picture. */
uint32_t lb_layout_tile_side(const struct lb_plan *plan);
/* The order that the plan asks for, `usual` where it leaves it open. *task: --task-size in whole units of the
 * order (rows of a tile or of the picture, regions), else the order's own: a row, a tile of 32 x 32, a
 * region. */
lb_order lb_layout_order(const struct lb_plan *plan, enum lb_layout usual, uint64_t *task);
/* Bit-reversed regions of a Hilbert curve, their last part taken pixel by pixel across them: any range is a fair sample
 * of the picture, and no dear corner falls to one processor when it is too late to make up for it. */
lb_order lb_layout_spread(const struct lb_plan *plan);

#endif
