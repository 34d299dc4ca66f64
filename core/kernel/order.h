/* An order: a bijection from positions 0 .. count-1 to the pixels of a picture; some positions are padding
 * and hold none. */
#ifndef LB_CORE_KERNEL_ORDER_H
#define LB_CORE_KERNEL_ORDER_H

#include "core/kernel/base.h"

/* How the base curve, which regions are pieces of, runs through the picture. */
enum lb_curve { LB_CURVE_ROWS, LB_CURVE_HILBERT };

#define LB_NO_PIXEL UINT64_MAX

typedef struct lb_order {
    uint32_t width, height;
    uint64_t count; /* positions, padding included */
} lb_order;

/* The pixel y * width + x at a position, or LB_NO_PIXEL. */
LB_FUNCTION uint64_t lb_order_pixel(const lb_order *order, uint64_t position)
{
    return position < (uint64_t)order->width * order->height ? position : LB_NO_PIXEL;
}

#endif
