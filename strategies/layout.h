/* The orders that strategies share out, by what the plan asks for. */
#ifndef LB_STRATEGIES_LAYOUT_H
#define LB_STRATEGIES_LAYOUT_H

#include "core/strategy.h"

/* What a strategy that deals ranges while the frame runs deals them of (--order); the others have orders of
 * their own. */
enum lb_layout {
    LB_LAYOUT_DEFAULT,  /* the strategy's own choice */
    LB_LAYOUT_CURVE,    /* the curve itself: rows, or Hilbert's */
    LB_LAYOUT_TILES,    /* square tiles of about task_size pixels, row by row */
    LB_LAYOUT_REVERSED, /* bit-reversed regions of the curve */
};

/* May bit-reversed regions be larger than need be, so that they drift over the columns, or are they as large as the
 * book says? */
enum lb_drift { LB_DRIFT_ON, LB_DRIFT_OFF };

/* The options that several strategies have. A strategy that declares one of them has this struct as its options, or at
 * the beginning of them. */
struct lb_layout_options {
    uint64_t region_size; /* in pixels, 0: the strategy's own choice */
    uint64_t task_size;   /* in pixels, 0: the strategy's own choice */
    enum lb_drift drift;
    enum lb_curve curve;
    enum lb_layout layout;
};

/* In the table of a strategy that deals what --order says: its options. */
#define LB_LAYOUT_OPTIONS                                                                                    \
    .options = LB_OPTIONS(&lb_option_order, &lb_option_curve, &lb_option_task_size, &lb_option_region_size,  \
                          &lb_option_region_drift),                                                          \
    .options_size = sizeof(struct lb_layout_options)

extern const struct lb_option lb_option_region_size, lb_option_region_drift, lb_option_task_size,
    lb_option_curve, lb_option_order;

/* The plan's options, of a strategy that declares some of these. */
static inline const struct lb_layout_options *lb_layout_asked(const struct lb_plan *plan)
{
    return (const struct lb_layout_options *)plan->options;
}

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
/* Into how many blocks the samples of a pixel should be split (lb_order_split): 1 unless there are many processors for
 * the picture's size. */
uint32_t lb_layout_blocks(const struct lb_plan *plan);
/* Bit-reversed regions of a Hilbert curve, their last part taken pixel by pixel across them: any range is a fair sample
 * of the picture, and no dear corner falls to one processor when it is too late to make up for it. */
lb_order lb_layout_spread(const struct lb_plan *plan);

#endif
