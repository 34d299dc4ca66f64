/* Walks through the positions of an order: the pixel of the next one costs a fraction of what lb_order_pixel() takes,
 * which starts at the root of a Hilbert curve each time. */
#ifndef LB_CORE_KERNEL_ORDER_WALK_H
#define LB_CORE_KERNEL_ORDER_WALK_H

#include "core/kernel/order/curve_walk.h"
#include "core/kernel/order/order.h"

typedef struct lb_order_walk {
    const lb_order *order; /* of whole pixels */
    bool along;            /* does the order follow a Hilbert curve? */
    lb_curve_walk curve;   /* where it does */
} lb_order_walk;

LB_FUNCTION void lb_order_walk_begin(const lb_order *order, lb_order_walk *walk)
{
    walk->order = order;
    walk->along =
        order->curve == LB_CURVE_HILBERT &&
        (order->kind == LB_ORDER_CURVE || order->kind == LB_ORDER_REVERSED || order->kind == LB_ORDER_DEALT);
    if (walk->along)
        lb_curve_walk_begin(order->width, order->height, &walk->curve);
}

/* As lb_order_pixel() of any positions, in whatever sequence; neighbours are quick. */
LB_FUNCTION uint64_t lb_order_walk_pixel(lb_order_walk *walk, uint64_t position)
{
    const lb_order *order = walk->order;
    uint64_t place;
    if (!walk->along)
        return lb_order_pixel(order, position);
    place = position < order->count ? lb_curve_place(order, position) : LB_NO_PIXEL;
    return place < (uint64_t)order->width * order->height ? lb_curve_walk_pixel(&walk->curve, place)
                                                          : LB_NO_PIXEL;
}

/* As lb_order_due(). */
LB_FUNCTION uint64_t lb_order_walk_due(lb_order_walk *walk, uint64_t position)
{
    return lb_order_unless_left_out(walk->order, lb_order_walk_pixel(walk, position));
}

#endif
