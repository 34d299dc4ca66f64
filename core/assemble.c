#include "core/assemble.h"

#include "core/base/pages.h"
#include "core/kernel/order/curve_walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- by swaps, in place ---- */

static void swap_bytes(unsigned char *a, unsigned char *b, size_t count)
{
    unsigned char carried[4096];
    for (size_t done = 0; done < count;) {
        size_t part = count - done < sizeof carried ? count - done : sizeof carried;
        memcpy(carried, a + done, part);
        memcpy(a + done, b + done, part);
        memcpy(b + done, carried, part);
        done += part;
    }
}

/* Bit reversal is its own inverse, so regions that belong in each other's places are swapped. */
static void assemble_by_swaps(const lb_order *order, unsigned char *elements, size_t size)
{
    if (order->kind == LB_ORDER_CURVE)
        return;
    size_t region = order->region * size;
    for (uint64_t i = 0; i < order->count; i += order->region) {
        uint64_t j = lb_reversed_place(order, i);
        if (j > i)
            swap_bytes(elements + i * size, elements + j * size, region);
    }
}

/* ---- along runs, to another place ---- */

/* Neighbouring positions whose places are neighbours too, on the curve or in a row of the picture. */
struct run {
    uint64_t place; /* LB_NO_PIXEL: padding */
    uint64_t length;
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The first of `most` places on the curve, as far as all of them lie in the picture or all lie beyond it. */
static struct run run_along_curve(const lb_order *order, uint64_t place, uint64_t most)
{
    uint64_t pixels = (uint64_t)order->width * order->height;
    return place < pixels ? (struct run){place, least(most, pixels - place)}
                          : (struct run){LB_NO_PIXEL, most};
}

static struct run run_along_row(const lb_order *order, uint64_t position)
{
    uint64_t side = order->side, pixel = lb_order_pixel(order, position), x = pixel % order->width;
    const lb_rectangle *r;
    switch (order->kind) {
    case LB_ORDER_TILES:
        return (struct run){pixel, least(side - x % side, order->width - x)};
    case LB_ORDER_RECTANGLES:
        r = lb_rectangle_at(order, position);
        return (struct run){pixel, r->x + r->width - x};
    default: /* Whole tiles: from padding on, their rows are padding. */
        return (struct run){pixel, pixel == LB_NO_PIXEL ? side - position % side
                                                        : least(side - x % side, order->width - x)};
    }
}

static struct run find_run(const lb_order *order, uint64_t position)
{
    bool in_tail;
    switch (order->kind) {
    case LB_ORDER_CURVE:
        return run_along_curve(order, position, order->count - position);
    case LB_ORDER_REVERSED:
        in_tail = order->tail != 0 && position / order->region >= order->tail;
        return run_along_curve(order, lb_reversed_place(order, position),
                               in_tail ? 1 : order->region - position % order->region);
    case LB_ORDER_DEALT:
        return run_along_curve(order, lb_dealt_place(order, position),
                               order->region - position % order->region);
    default:
        return run_along_row(order, position);
    }
}

static void gather(const lb_order *order, const unsigned char *from, size_t size, unsigned char *to)
{
    lb_curve_walk walk;
    lb_curve_walk_begin(order->width, order->height, &walk);
    for (uint64_t position = 0; position < order->count;) {
        struct run run = find_run(order, position);
        const unsigned char *first = from + position * size;
        position += run.length;
        if (run.place == LB_NO_PIXEL)
            continue;
        if (order->curve == LB_CURVE_ROWS)
            memcpy(to + run.place * size, first, run.length * size);
        for (uint64_t i = 0; order->curve == LB_CURVE_HILBERT && i < run.length; i++)
            memcpy(to + lb_curve_walk_pixel(&walk, run.place + i) * size, first + i * size, size);
    }
}

/* ---- along cycles, in place ---- */

struct picture {
    const lb_order *order;
    unsigned char *elements;
    size_t size;
    unsigned char *carried; /* the element in hand, and room for another */
    uint64_t *seen;         /* a bit a position: its element was taken up */
};

static bool take_up(struct picture *picture, uint64_t position)
{
    uint64_t bit = (uint64_t)1 << (position & 63);
    bool first = (picture->seen[position >> 6] & bit) == 0;
    picture->seen[position >> 6] |= bit;
    return first;
}

/* Carries elements to their pixels from `start` on, until one's place was free: held padding, or was
 * `start`'s own. */
static void follow(struct picture *picture, uint64_t start)
{
    unsigned char *hand = picture->carried, *spare = hand + picture->size;
    if (!take_up(picture, start))
        return;
    uint64_t pixel = lb_order_pixel(picture->order, start);
    if (pixel == LB_NO_PIXEL)
        return;
    memcpy(hand, picture->elements + start * picture->size, picture->size);
    for (;;) {
        unsigned char *place = picture->elements + pixel * picture->size;
        uint64_t next = take_up(picture, pixel) ? lb_order_pixel(picture->order, pixel) : LB_NO_PIXEL;
        memcpy(spare, place, picture->size);
        memcpy(place, hand, picture->size);
        if (next == LB_NO_PIXEL)
            return;
        unsigned char *full = spare;
        spare = hand;
        hand = full;
        pixel = next;
    }
}

/* First the paths that begin beyond the picture, where no element goes; what is left then are cycles. */
static void assemble_by_cycles(struct picture *picture)
{
    for (uint64_t i = picture->order->count; i-- > 0;)
        follow(picture, i);
}

enum lb_status lb_order_assemble_in_place(const lb_order *order, void *elements, size_t size,
                                          struct lb_error *error)
{
    struct picture picture = {order, elements, size, calloc(2, size),
                              calloc(order->count / 64 + 1, sizeof *picture.seen)};
    bool ready = picture.carried != NULL && picture.seen != NULL;
    if (ready)
        assemble_by_cycles(&picture);
    free(picture.carried);
    free(picture.seen);
    return ready ? LB_OK : lb_error_memory(error, NULL);
}

void *lb_order_assemble(const lb_order *order, void *elements, size_t size, struct lb_error *error)
{
    size_t pixels = (size_t)order->width * order->height;
    if (lb_order_is_involution(order)) {
        assemble_by_swaps(order, elements, size);
        return elements;
    }
    void *picture = pixels <= LB_ASSEMBLE_ASIDE / size ? lb_pages_calloc(pixels, size) : NULL;
    if (!picture)
        return lb_order_assemble_in_place(order, elements, size, error) == LB_OK ? elements : NULL;
    gather(order, elements, size, picture);
    free(elements);
    return picture;
}
