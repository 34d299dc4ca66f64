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

#endif
