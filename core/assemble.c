#include "core/assemble.h"

#include <stdlib.h>
#include <string.h>

struct picture {
    const lb_order *order;
    unsigned char *elements;
    size_t size;
    unsigned char *carried; /* the element in hand, and room for another */
    uint64_t *seen;         /* a bit a position: its element was taken up */
};

static void swap(struct picture *picture, uint64_t i, uint64_t j)
{
    unsigned char *a = picture->elements + i * picture->size, *b = picture->elements + j * picture->size;
    memcpy(picture->carried, a, picture->size);
    memcpy(a, b, picture->size);
    memcpy(b, picture->carried, picture->size);
}

static void assemble_by_swaps(struct picture *picture)
{
    const lb_order *order = picture->order;
    if (order->kind == LB_ORDER_CURVE)
        return;
    for (uint64_t i = 0; i < order->count; i++) {
        uint64_t j = lb_reversed_place(order, i);
        if (j > i)
            swap(picture, i, j);
    }
}

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
    uint64_t position = start;
    uint64_t pixel = lb_order_pixel(picture->order, position);
    if (pixel == LB_NO_PIXEL || !take_up(picture, position))
        return;
    memcpy(hand, picture->elements + position * picture->size, picture->size);
    for (;;) {
        unsigned char *place = picture->elements + pixel * picture->size;
        uint64_t next = lb_order_pixel(picture->order, pixel);
        bool goes_on = next != LB_NO_PIXEL && take_up(picture, pixel);
        memcpy(spare, place, picture->size);
        memcpy(place, hand, picture->size);
        if (!goes_on)
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

enum lb_status lb_order_assemble(const lb_order *order, void *elements, size_t size, struct lb_error *error)
{
    struct picture picture = {order, elements, size, calloc(2, size), NULL};
    bool swaps = lb_order_is_involution(order);
    if (!swaps)
        picture.seen = calloc(order->count / 64 + 1, sizeof *picture.seen);
    bool ready = picture.carried != NULL && (swaps || picture.seen != NULL);
    if (ready && swaps)
        assemble_by_swaps(&picture);
    else if (ready)
        assemble_by_cycles(&picture);
    free(picture.carried);
    free(picture.seen);
    return ready ? LB_OK : lb_error_memory(error, NULL);
}
