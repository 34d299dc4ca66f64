/* Hashes that mix all bits of small keys. They are fast, and no defence against chosen keys. */
#ifndef LB_CORE_KERNEL_HASH_H
#define LB_CORE_KERNEL_HASH_H

#include "core/kernel/base.h"

/* A bijection of 32-bit numbers in which every input bit flips every output bit with a probability close to 1/2
 * (multipliers: Wellons 2018, "lowbias32"). It takes 0 to 0. */
LB_INLINE uint32_t lb_hash_u32(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

/* The same for 64 bits (the output function of SplitMix64: Steele, Lea, Flood 2014, with Stafford's multipliers). It
 * takes 0 to 0. */
LB_INLINE uint64_t lb_hash_u64(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    x ^= x >> 31;
    return x;
}

/* The hash of two numbers, whose order matters. Longer keys are hashed by a chain of calls. */
LB_INLINE uint64_t lb_hash_combine(uint64_t a, uint64_t b)
{
    return lb_hash_u64(lb_hash_u64(a + 0x9e3779b97f4a7c15u) + b);
}

#endif
