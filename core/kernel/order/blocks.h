/* Orders that split the samples of a pixel into blocks, so that several processors can share a pixel. */
#ifndef LB_CORE_KERNEL_ORDER_BLOCKS_H
#define LB_CORE_KERNEL_ORDER_BLOCKS_H

#include "core/kernel/order/order.h"

/* The same order with the samples of every pixel in `blocks` >= 1 blocks. Before, it must be one of whole pixels. */
LB_FUNCTION lb_order lb_order_split(lb_order order, uint32_t blocks)
{
    order.count *= blocks;
    order.blocks = blocks;
    return order;
}

/* The order of whole pixels in which each block goes through the picture. */
LB_FUNCTION lb_order lb_order_block(lb_order order)
{
    if (order.blocks > 1)
        order.count /= order.blocks;
    order.blocks = 1;
    return order;
}

/* The number of the first sample that is in a block, where a pixel has `samples` samples. For block number `blocks` it
 * is `samples`. */
LB_FUNCTION uint32_t lb_order_block_sample(const lb_order *order, uint32_t samples, uint64_t block)
{
    return order->blocks > 1 ? (uint32_t)(samples * block / order->blocks) : block > 0 ? samples : 0;
}

/* Processors that share a range should each have so many positions of it, or one that is much dearer than the others
 * keeps one of them busy while the others wait. Where blocks have LB_BLOCKS_ALIKE samples or more, one sample more or
 * less makes no great difference. */
enum { LB_BLOCKS_SHARE = 64, LB_BLOCKS_ALIKE = 8 };

/* Into how many blocks the samples of a pixel should be split where so many processors share `positions` >= 1 pixels of
 * `samples` each: 1 where these are enough. All blocks have as many samples, or about as many where they have many. */
LB_FUNCTION uint32_t lb_order_blocks_for(uint32_t samples, uint64_t positions, uint32_t processors)
{
    uint64_t wanted = ((uint64_t)LB_BLOCKS_SHARE * processors + positions - 1) / positions;
    if (processors < 2 || wanted < 2 || samples < 2)
        return 1;
    for (uint64_t blocks = wanted; blocks < 2 * wanted && blocks <= samples / 2; blocks++)
        if (samples % blocks == 0)
            return (uint32_t)blocks;
    return wanted <= samples / LB_BLOCKS_ALIKE ? (uint32_t)wanted : samples;
}

#endif
