/* An order is a bijection from positions 0 .. count - 1 to the pixels of a picture; some positions are padding and hold
 * none. It is a pure function of a few numbers, the same on CPU and GPU, and only rectangles bring a table. Here stands
 * which pixel each position has; core/kernel/order/make.h makes orders. "Book" in these files is the one that
 * lbrender-strategies(7) names. */
#ifndef LB_CORE_KERNEL_ORDER_ORDER_H
#define LB_CORE_KERNEL_ORDER_ORDER_H

#include "core/kernel/base.h"
#include "core/kernel/order/hilbert.h"
#include "core/kernel/order/permutations.h"

/* How the base curve runs through the picture. Regions are pieces of it. */
enum lb_curve { LB_CURVE_ROWS, LB_CURVE_HILBERT };

/* The kinds of orders. The members of lb_order say which kinds they are for. */
enum lb_order_kind {
    LB_ORDER_CURVE,    /* the base curve itself */
    LB_ORDER_REVERSED, /* 2^bits regions of the curve, in the order of their numbers with the bits reversed */
    LB_ORDER_DEALT,    /* regions of the curve dealt round-robin to `hands`, hand after hand */
    LB_ORDER_TILES,    /* square tiles, row by row, each row by row; no padding */
    LB_ORDER_SHUFFLED, /* square tiles in a pseudo-random order, padded to whole ones */
    LB_ORDER_HANDED,   /* square tiles dealt round-robin to `hands`, hand after hand, padded to whole ones */
    LB_ORDER_RECTANGLES, /* a table of rectangles, each row by row */
};

#define LB_NO_PIXEL UINT64_MAX

/* A rectangle of pixels, whose positions are begin .. begin + width * height - 1, row by row. */
typedef struct lb_rectangle {
    uint64_t begin;
    uint32_t x, y, width, height;
} lb_rectangle;

/* An order. All zero but width, height and count, it goes through the picture row by row. */
typedef struct lb_order {
    uint32_t width, height;
    uint64_t count; /* how many positions there are, with padding */
    enum lb_order_kind kind;
    enum lb_curve curve;      /* CURVE, REVERSED, DEALT */
    uint32_t bits;            /* REVERSED: bits of a region's number, 0 .. 32 */
    uint32_t hands;           /* DEALT, HANDED */
    uint32_t side;            /* TILES, SHUFFLED, HANDED: side of a tile, in pixels */
    uint32_t rectangle_count; /* RECTANGLES: they are sorted by begin, none empty, and cover the picture */
    uint64_t region;          /* REVERSED, DEALT: positions in a region; HANDED: positions in a tile */
    /* REVERSED: the number, in the order, of the first region of the tail. The tail is taken across its regions: the
     * first pixel of each of them, then the second of each, and so on. Where there is no tail this is the number of
     * regions, or 0. */
    uint64_t tail;
    uint64_t seed;                  /* SHUFFLED */
    const lb_rectangle *rectangles; /* they belong to the strategy, until its next plan() or end() */
    /* Into how many blocks the samples of a pixel are split. First come the positions of the first block of all pixels,
     * then in the same order those of the second, and so on. 0 or 1: a position is a whole pixel. */
    uint32_t blocks;
    const uint64_t *left_out; /* a bit for each pixel, the lowest first: it is not to be rendered; or NULL */
} lb_order;

/* The pixel at a place of the base curve, in [0, width * height). */
LB_FUNCTION uint64_t lb_curve_pixel(const lb_order *order, uint64_t place)
{
    uint32_t x, y;
    if (place >= (uint64_t)order->width * order->height)
        return LB_NO_PIXEL;
    if (order->curve == LB_CURVE_ROWS)
        return place;
    lb_hilbert_point(order->width, order->height, place, &x, &y);
    return (uint64_t)y * order->width + x;
}

/* REVERSED: the place on the curve, where padding counts. It is its own inverse where there is no tail. Book, Listing
 * 10-1, with line 14 corrected: the reversed number is multiplied by the region's size. */
LB_FUNCTION uint64_t lb_reversed_place(const lb_order *order, uint64_t position)
{
    uint64_t f = position / order->region, p = position % order->region;
    if (order->tail != 0 && f >= order->tail) {
        uint64_t regions = ((uint64_t)1 << order->bits) - order->tail;
        uint64_t within = position - order->tail * order->region;
        f = order->tail + within % regions;
        p = within / regions;
    }
    return lb_reverse_low_bits((uint32_t)f, order->bits) * order->region + p;
}

/* DEALT, HANDED: the place on the curve, or among tiles. Hand k of h holds the regions k, k + h, k + 2 h, ... in
 * turn. */
LB_FUNCTION uint64_t lb_dealt_place(const lb_order *order, uint64_t position)
{
    uint64_t f = position / order->region, p = position % order->region;
    uint64_t regions = order->count / order->region;
    uint64_t each = regions / order->hands, longer = regions % order->hands;
    uint64_t hand, card;
    if (f < longer * (each + 1)) {
        hand = f / (each + 1);
        card = f % (each + 1);
    } else {
        hand = longer + (f - longer * (each + 1)) / each;
        card = (f - longer * (each + 1)) % each;
    }
    return (card * order->hands + hand) * order->region + p;
}

/* CURVE, REVERSED, DEALT: the place on the curve, padding included. */
LB_FUNCTION uint64_t lb_curve_place(const lb_order *order, uint64_t position)
{
    return order->kind == LB_ORDER_CURVE      ? position
           : order->kind == LB_ORDER_REVERSED ? lb_reversed_place(order, position)
                                              : lb_dealt_place(order, position);
}

/* DEALT, HANDED: the first position of a hand; for hand number `hands` it is the count. */
LB_FUNCTION uint64_t lb_dealt_begin(const lb_order *order, uint32_t hand)
{
    uint64_t regions = order->count / order->region;
    uint64_t each = regions / order->hands, longer = regions % order->hands;
    return (hand * each + (hand < longer ? hand : longer)) * order->region;
}

/* TILES, SHUFFLED, HANDED, RECTANGLES: each of the functions of this form gives the pixel at a position. */
LB_FUNCTION uint64_t lb_tiles_pixel(const lb_order *order, uint64_t position)
{
    uint64_t side = order->side, width = order->width;
    uint64_t y0 = position / (width * side) * side;
    uint64_t rows = order->height - y0 < side ? order->height - y0 : side;
    uint64_t within = position - y0 * width;
    uint64_t x0 = within / (side * rows) * side;
    uint64_t columns = width - x0 < side ? width - x0 : side;
    within -= x0 * rows;
    return (y0 + within / columns) * width + x0 + within % columns;
}

/* The pixel at a place in a tile, where tiles are numbered row by row, and those at the picture's edges are whole
 * too. */
LB_FUNCTION uint64_t lb_whole_tile_pixel(const lb_order *order, uint64_t tile, uint64_t place)
{
    uint64_t side = order->side, across = (order->width + side - 1) / side;
    uint64_t x = tile % across * side + place % side;
    uint64_t y = tile / across * side + place / side;
    return x < order->width && y < order->height ? y * order->width + x : LB_NO_PIXEL;
}

LB_FUNCTION uint64_t lb_shuffled_pixel(const lb_order *order, uint64_t position)
{
    uint64_t area = (uint64_t)order->side * order->side;
    uint64_t tile = lb_shuffle(position / area, order->count / area, order->seed);
    return lb_whole_tile_pixel(order, tile, position % area);
}

LB_FUNCTION uint64_t lb_handed_pixel(const lb_order *order, uint64_t position)
{
    uint64_t place = lb_dealt_place(order, position);
    return lb_whole_tile_pixel(order, place / order->region, place % order->region);
}

/* RECTANGLES: the rectangle that holds a position. */
LB_FUNCTION const lb_rectangle *lb_rectangle_at(const lb_order *order, uint64_t position)
{
    uint32_t low = 0, high = order->rectangle_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (order->rectangles[middle].begin <= position)
            low = middle;
        else
            high = middle;
    }
    return &order->rectangles[low];
}

LB_FUNCTION uint64_t lb_rectangles_pixel(const lb_order *order, uint64_t position)
{
    const lb_rectangle *r = lb_rectangle_at(order, position);
    position -= r->begin;
    return (r->y + position / r->width) * order->width + r->x + position % r->width;
}

/* The pixel, as y * width + x, at a position of an order of whole pixels. LB_NO_PIXEL for padding and for positions
 * from count on. */
LB_FUNCTION uint64_t lb_order_pixel(const lb_order *order, uint64_t position)
{
    if (position >= order->count)
        return LB_NO_PIXEL;
    switch (order->kind) {
    case LB_ORDER_CURVE:
    case LB_ORDER_REVERSED:
    case LB_ORDER_DEALT:
        return lb_curve_pixel(order, lb_curve_place(order, position));
    case LB_ORDER_TILES:
        return lb_tiles_pixel(order, position);
    case LB_ORDER_SHUFFLED:
        return lb_shuffled_pixel(order, position);
    case LB_ORDER_HANDED:
        return lb_handed_pixel(order, position);
    case LB_ORDER_RECTANGLES:
        return lb_rectangles_pixel(order, position);
    }
    return LB_NO_PIXEL;
}

/* `pixel`, or LB_NO_PIXEL where it is left out. */
LB_FUNCTION uint64_t lb_order_unless_left_out(const lb_order *order, uint64_t pixel)
{
    if (order->left_out != 0 && pixel != LB_NO_PIXEL && (order->left_out[pixel / 64] >> pixel % 64 & 1) != 0)
        return LB_NO_PIXEL;
    return pixel;
}

/* What is to be rendered at a position: its pixel, or LB_NO_PIXEL also for one that is left out. */
LB_FUNCTION uint64_t lb_order_due(const lb_order *order, uint64_t position)
{
    return lb_order_unless_left_out(order, lb_order_pixel(order, position));
}

/* Is the order its own inverse, so that its picture can be put right by swaps alone (book, Listing 10-3)? */
LB_FUNCTION bool lb_order_is_involution(const lb_order *order)
{
    bool no_tail = order->tail == 0 || order->tail == (uint64_t)1 << order->bits;
    return order->curve == LB_CURVE_ROWS &&
           (order->kind == LB_ORDER_CURVE || (order->kind == LB_ORDER_REVERSED && no_tail));
}

#endif
