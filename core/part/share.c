#include "core/part/share.h"

#include "core/kernel/order/make.h"

#include <stdlib.h>

/* Pixels in a region of the order: a run that a cache line of texels serves, but 256 regions or more for each share. */
static uint64_t region_size(uint64_t pixels, uint32_t count)
{
    enum { LARGEST = 64, REGIONS = 256 };
    uint64_t fit = pixels / ((uint64_t)count * REGIONS);
    return fit > LARGEST ? LARGEST : fit > 0 ? fit : 1;
}

/* The first position of a share; of share `count`, the end. */
static uint64_t share_begin(uint64_t positions, uint32_t number, uint32_t count, const double *weights)
{
    double before = 0;
    if (number == count)
        return positions;
    if (!weights)
        return positions / count * number + positions % count * number / count;
    for (uint32_t i = 0; i < number; i++)
        before += weights[i];
    double begin = (double)positions * before;
    return begin < (double)positions ? (uint64_t)begin : positions;
}

enum lb_status lb_share_pixels(uint32_t width, uint32_t height, uint32_t number, uint32_t count,
                               const double *weights, uint64_t **bits, struct lb_error *error)
{
    uint64_t pixels = (uint64_t)width * height;
    lb_order order = lb_order_reversed(width, height, region_size(pixels, count), LB_CURVE_ROWS);
    uint64_t end = share_begin(order.count, number + 1, count, weights);
    *bits = calloc((pixels + 63) / 64, sizeof **bits);
    if (!*bits)
        return lb_error_memory(error, NULL);
    for (uint64_t at = share_begin(order.count, number, count, weights); at < end; at++) {
        uint64_t pixel = lb_order_pixel(&order, at);
        if (pixel != LB_NO_PIXEL)
            (*bits)[pixel / 64] |= (uint64_t)1 << pixel % 64;
    }
    return LB_OK;
}
