/* Makes the errors of neighbouring pixels cancel, which looks like blue noise: the pixels of a block share one sequence
 * of points, and each shifts it by its place in the block, so that not only a pixel's points are a net but also those
 * of all pixels of a smaller block together. This does what Ahmed and Wonka 2020 ("Screen-Space Blue-Noise Diffusion
 * of Monte Carlo Sampling Error via Hierarchical Ordering of Pixels") do; but there a pixel's points depend on how many
 * it will have, and here on their numbers alone.
 *
 * Why: take the index's digits in base 4 as elements of the field of four, 0, 1, w, w + 1, and as the coefficients of a
 * polynomial in t. Digits of the first number are then its expansion's coefficients at t = 0, and of the second one
 * those at t = 1: these are Sobol's points, up to which digit stands for which element. The digits of the place are
 * coefficients of 1/(t - w), 1/(t - w)^2 and so on. The sum of both is f/(t - w)^n with a polynomial f of fewer than
 * k + n coefficients, for 4^k samples and blocks of 4^n pixels. Where it vanishes to the order a at 0 and b at 1 with
 * a + b = k + n, f is 0. So each of the 4^(k+n) points has a box of size 4^-a by 4^-b of its own. */
#ifndef LB_CORE_KERNEL_PIXEL_BLOCK_H
#define LB_CORE_KERNEL_PIXEL_BLOCK_H

#include "core/kernel/base.h"

/* A block has 2^LB_BLOCK_BITS pixels on a side; a place in it has twice as many bits. */
#define LB_BLOCK_BITS  4u
#define LB_BLOCK_PLACE 0xffu

/* The lower four bits of x, the highest first, each in the lower one of two bits. */
LB_INLINE uint32_t lb_block_spread(uint32_t x)
{
    return (x & 1u) << 6 | (x & 2u) << 3 | (x & 4u) | (x >> 3 & 1u);
}

/* The pixel's place in its block: its number along a Z curve with the bits reversed, so that those come first which
 * say in which quarter of the block it lies. */
LB_INLINE uint32_t lb_block_place(uint32_t x, uint32_t y)
{
    return lb_block_spread(x) << 1 | lb_block_spread(y);
}

/* Shuffles places by a seed: each bit of the result depends on its own bit and those below it, so that quarters of a
 * block, and of these, stay together. Only the lower eight bits count. */
LB_INLINE uint32_t lb_block_shuffle(uint32_t place, uint32_t seed)
{
    place ^= place * (seed >> 8 & ~1u);
    return (place + seed) * (seed >> 16 | 1u);
}

/* What is to be added, bit by bit, to an index and to what makes the second number of it, before both are scrambled: in
 * the lower and in the upper half. It is linear in the place's bits; the tables say what each four of them bring. */
LB_INLINE uint64_t lb_block_shift(uint32_t place)
{
    static const uint64_t coarse[16] = {
        0x0000000000000000u, 0x0203010201020301u, 0x0102030102030102u, 0x0301020303010203u,
        0x0d060b0d0d060b0du, 0x0f050a0f0c04080cu, 0x0c04080c0f050a0fu, 0x0e07090e0e07090eu,
        0x0b0d060b060b0d06u, 0x090e070907090e07u, 0x0a0f050a04080c04u, 0x080c0408050a0f05u,
        0x060b0d060b0d060bu, 0x04080c040a0f050au, 0x07090e07090e0709u, 0x050a0f05080c0408u};
    static const uint64_t fine[16] = {
        0x0000000000000000u, 0x1321321321321321u, 0x3213213232132132u, 0x2132132113213213u,
        0xb6db6db66db6db6du, 0xa5fa5fa54c84c84cu, 0x84c84c845fa5fa5fu, 0x97e97e977e97e97eu,
        0x6db6db6db6db6db6u, 0x7e97e97e97e97e97u, 0x5fa5fa5f84c84c84u, 0x4c84c84ca5fa5fa5u,
        0xdb6db6dbdb6db6dbu, 0xc84c84c8fa5fa5fau, 0xe97e97e9e97e97e9u, 0xfa5fa5fac84c84c8u};
    return coarse[place & 15u] ^ fine[place >> 4 & 15u];
}

#endif
