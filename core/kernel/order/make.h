/* Makes orders of every kind. Each has one block: its positions are whole pixels. */
#ifndef LB_CORE_KERNEL_ORDER_MAKE_H
#define LB_CORE_KERNEL_ORDER_MAKE_H

#include "core/kernel/order/order.h"

/* The order that follows the base curve from end to end. */
LB_FUNCTION lb_order lb_order_curve(uint32_t width, uint32_t height, enum lb_curve curve)
{
    lb_order order;
    order.width = width;
    order.height = height;
    order.count = (uint64_t)width * height;
    order.kind = LB_ORDER_CURVE;
    order.curve = curve;
    order.bits = 0;
    order.hands = 1;
    order.side = 1;
    order.rectangle_count = 0;
    order.region = 1;
    order.tail = 0;
    order.seed = 0;
    order.rectangles = 0;
    order.blocks = 1;
    order.left_out = 0;
    return order;
}

LB_FUNCTION uint64_t lb_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Do regions of size s spread over the columns of the picture? For every i with 2^i <= s, those whose numbers are equal
 * modulo 2^i must meet every column, or all but one in 64. Their first columns are gcd(2^i s, width) apart, and each
 * region covers s columns. No size does this for much smaller shares of a picture whose width is a power of two. */
LB_FUNCTION bool lb_regions_drift(uint64_t s, uint64_t width)
{
    uint64_t step;
    for (step = 1; step <= s; step *= 2)
        if (lb_common_divisor(step * s, width) > s + s / 64)
            return false;
    return true;
}

/* Book 10.3.3: as many regions, 2^b of them, as have at least `limit` pixels each (1 .. 2^31), with the bits of their
 * numbers reversed. Their size is the least that covers the picture. */
LB_FUNCTION lb_order lb_order_reversed_as_printed(uint32_t width, uint32_t height, uint64_t limit,
                                                  enum lb_curve curve)
{
    lb_order order = lb_order_curve(width, height, curve);
    uint64_t n = order.count;
    uint32_t bits = 0;
    while (bits < 31u && (limit << (bits + 1u)) <= n)
        bits++;
    order.kind = LB_ORDER_REVERSED;
    order.bits = bits;
    order.region = (n + ((uint64_t)1 << bits) - 1) >> bits;
    order.tail = (uint64_t)1 << bits;
    order.count = order.region << bits;
    return order;
}

/* The same, but along rows the regions have the smallest size, from that one on, for which they drift over the
 * columns. */
LB_FUNCTION lb_order lb_order_reversed(uint32_t width, uint32_t height, uint64_t limit, enum lb_curve curve)
{
    lb_order order = lb_order_reversed_as_printed(width, height, limit, curve);
    while (curve == LB_CURVE_ROWS && order.bits > 0 && !lb_regions_drift(order.region, width))
        order.region++;
    order.count = order.region << order.bits;
    return order;
}

/* Regions of `region` >= 1 pixels, dealt round-robin to `hands` >= 1 hands. */
LB_FUNCTION lb_order lb_order_dealt(uint32_t width, uint32_t height, uint64_t region, uint32_t hands,
                                    enum lb_curve curve)
{
    lb_order order = lb_order_curve(width, height, curve);
    order.kind = LB_ORDER_DEALT;
    order.region = region;
    order.hands = hands;
    order.count = (order.count + region - 1) / region * region;
    return order;
}

/* Square tiles, whose side is 1 .. 65535 pixels. */
LB_FUNCTION lb_order lb_order_tiles(uint32_t width, uint32_t height, uint32_t side)
{
    lb_order order = lb_order_curve(width, height, LB_CURVE_ROWS);
    order.kind = LB_ORDER_TILES;
    order.side = side;
    return order;
}

/* The same tiles in a pseudo-random order, padded to whole ones. */
LB_FUNCTION lb_order lb_order_shuffled(uint32_t width, uint32_t height, uint32_t side, uint64_t seed)
{
    lb_order order = lb_order_curve(width, height, LB_CURVE_ROWS);
    uint64_t across = ((uint64_t)width + side - 1) / side, down = ((uint64_t)height + side - 1) / side;
    order.kind = LB_ORDER_SHUFFLED;
    order.side = side;
    order.seed = seed;
    order.count = across * down * side * side;
    return order;
}

/* The same tiles dealt round-robin to `hands` >= 1 hands, padded to whole ones. */
LB_FUNCTION lb_order lb_order_handed(uint32_t width, uint32_t height, uint32_t side, uint32_t hands)
{
    lb_order order = lb_order_shuffled(width, height, side, 0);
    order.kind = LB_ORDER_HANDED;
    order.region = (uint64_t)side * side;
    order.hands = hands;
    return order;
}

/* Rectangles that cover the picture, sorted by begin, none of them empty. They must outlive the order. */
LB_FUNCTION lb_order lb_order_rectangles(uint32_t width, uint32_t height, const lb_rectangle *rectangles,
                                         uint32_t rectangle_count)
{
    lb_order order = lb_order_curve(width, height, LB_CURVE_ROWS);
    order.kind = LB_ORDER_RECTANGLES;
    order.rectangles = rectangles;
    order.rectangle_count = rectangle_count;
    return order;
}

#endif
