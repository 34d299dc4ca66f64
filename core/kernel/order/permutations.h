/* Permutations of 0 .. count - 1 that orders are made of. */
#ifndef LB_CORE_KERNEL_ORDER_PERMUTATIONS_H
#define LB_CORE_KERNEL_ORDER_PERMUTATIONS_H

#include "core/kernel/base.h"

/* The lowest `bits` bits of x in reverse, for bits from 0 to 32 and x < 2^bits. Book, Listing 10-2, but without a shift
 * by 32 where there are no bits. */
LB_FUNCTION uint32_t lb_reverse_low_bits(uint32_t x, uint32_t bits)
{
    if (bits == 0)
        return 0;
    x = ((x & 0xaaaaaaaau) >> 1) | ((x & 0x55555555u) << 1);
    x = ((x & 0xccccccccu) >> 2) | ((x & 0x33333333u) << 2);
    x = ((x & 0xf0f0f0f0u) >> 4) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x & 0xff00ff00u) >> 8) | ((x & 0x00ff00ffu) << 8);
    x = (x >> 16) | (x << 16);
    return x >> (32u - bits);
}

/* The place of `index`, which is below `count`, in a pseudo-random permutation of 0 .. count - 1. It mixes the bits of
 * the next power of two invertibly, until the result is below `count`, which takes fewer than two turns on average. */
LB_FUNCTION uint64_t lb_shuffle(uint64_t index, uint64_t count, uint64_t seed)
{
    uint32_t bits = 1;
    uint64_t mask, x = index;
    while (bits < 63u && ((uint64_t)1 << bits) < count)
        bits++;
    mask = ((uint64_t)1 << bits) - 1;
    do {
        uint32_t round;
        for (round = 0; round < 4; round++) {
            x = (x + (seed >> (round * 16u)) + round) & mask;
            x ^= x >> (bits + 1u) / 2u;
            x = (x * (0x9e3779b97f4a7c15u + 2u * ((seed << round) & 0xffffu))) & mask;
            x ^= x >> (bits + 2u) / 3u;
        }
    } while (x >= count);
    return x;
}

#endif
