/* The numbers that a sample draws: points of Sobol's (0,2)-sequence with hashed Owen scrambling, a pure function of
 * (seed, frame, pixel, sample index, dimension). Every dimension, and every pair of dimensions that is drawn together,
 * has its own shuffle of the sequence and its own scrambling ("padding"; Burley 2020, "Practical Hash-based Owen
 * Scrambling"), which the pixels of a block of 16 x 16 share. Over the samples 0 .. 2^k - 1 of a pixel each of them is
 * a (0,k,2)-net; over those of an aligned block of 2 x 2, 8 x 8 or 16 x 16 pixels together it is one again, and over
 * 4 x 4 almost (core/kernel/pixel_block.h). They are independent of each other and of those of all other blocks. */
#ifndef LB_CORE_KERNEL_SAMPLER_H
#define LB_CORE_KERNEL_SAMPLER_H

#include "core/kernel/hash.h"
#include "core/kernel/pixel_block.h"
#include "core/kernel/vec.h"

/* Where a sample is in its numbers. */
typedef struct lb_sampler {
    uint64_t key; /* a hash of seed, frame and block of pixels; in the lowest bits the place in the block */
    uint32_t sample;    /* the sample's index with its bits reversed */
    uint32_t dimension; /* the next dimension */
} lb_sampler;

/* The bits of each byte of x in reverse. */
LB_INLINE uint64_t lb_reverse_in_bytes(uint64_t x)
{
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
    x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
    return (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
}

/* The bytes of x in reverse; compilers know the instruction for it. */
LB_INLINE uint32_t lb_reverse_bytes(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

/* The bits of x in reverse. */
LB_INLINE uint32_t lb_reverse_bits(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __brev(x);
#else
    return lb_reverse_bytes((uint32_t)lb_reverse_in_bytes(x));
#endif
}

/* The bits of two numbers in reverse, each in its half. */
LB_INLINE uint64_t lb_reverse_both(uint32_t low, uint32_t high)
{
#ifdef __CUDA_ARCH__
    return (uint64_t)__brev(high) << 32 | __brev(low);
#else
    uint64_t x = lb_reverse_in_bytes((uint64_t)high << 32 | low);
    return (uint64_t)lb_reverse_bytes((uint32_t)(x >> 32)) << 32 | lb_reverse_bytes((uint32_t)x);
#endif
}

/* A permutation of numbers in which each bit depends only on itself and the bits below it: on reversed numbers it is an
 * Owen scrambling (Laine, Karras 2011). The multipliers are the best of some thousand that were tried: every bit flips
 * every higher one with a probability within 0.004 of 1/2. */
LB_INLINE uint32_t lb_owen_reversed(uint32_t x, uint32_t seed)
{
    x ^= x * 0x5cdb446au;
    x += seed;
    x *= (seed >> 16) | 1u;
    x ^= x * 0x9cf81370u;
    x ^= x * 0x67a7d3f6u;
    return x;
}

/* The upper 24 bits as a number in [0, 1). */
LB_INLINE float lb_unit_float(uint32_t x)
{
    return (float)(x >> 8) * 0x1p-24f;
}

/* Starts sample number `sample` of the pixel (x, y) of the film. */
LB_FUNCTION void lb_sampler_start(lb_sampler *sampler, uint32_t seed, uint32_t frame, uint32_t x, uint32_t y,
                                  uint32_t sample)
{
    uint64_t block = (uint64_t)(x >> LB_BLOCK_BITS) << 32 | y >> LB_BLOCK_BITS;
    uint64_t key = lb_hash_combine((uint64_t)seed << 32 | frame, block);
    sampler->key = (key & ~(uint64_t)LB_BLOCK_PLACE) | lb_block_place(x, y);
    sampler->sample = lb_reverse_bits(sample);
    sampler->dimension = 0;
}

/* Changes all dimensions to others, by a number. */
LB_INLINE void lb_sampler_branch(lb_sampler *sampler, uint64_t number)
{
    uint64_t place = sampler->key & LB_BLOCK_PLACE;
    uint64_t key = lb_hash_combine(sampler->key | LB_BLOCK_PLACE, number);
    sampler->key = (key & ~(uint64_t)LB_BLOCK_PLACE) | place;
}

/* A dimension as all samples of a pixel have it. But for the shift it is the same for all pixels of a block. */
typedef struct lb_dimension {
    uint64_t shift;    /* by how much the pixel shifts the points (lb_block_shift) */
    uint64_t scramble; /* of the points; the lower half is for their first number */
    uint32_t order;    /* by which the samples are shuffled */
} lb_dimension;

LB_INLINE lb_dimension lb_dimension_make(uint64_t key, uint32_t number)
{
    uint64_t mixed = lb_hash_u64((key | LB_BLOCK_PLACE) + number * 0x9e3779b97f4a7c15u);
    lb_dimension dimension;
    dimension.shift = lb_block_shift(lb_block_shuffle((uint32_t)key, (uint32_t)(mixed >> 32)));
    dimension.scramble = mixed * 0xd1342543de82ef95u;
    dimension.scramble ^= dimension.scramble >> 32;
    dimension.order = (uint32_t)mixed;
    return dimension;
}

/* The next dimension, and the place in the sequence that the sample has there. */
LB_INLINE lb_dimension lb_sampler_next(lb_sampler *sampler, uint32_t *index)
{
    lb_dimension dimension = lb_dimension_make(sampler->key, sampler->dimension);
    sampler->dimension++;
    *index = lb_reverse_bits(lb_owen_reversed(sampler->sample, dimension.order));
    return dimension;
}

/* Draws a number in [0, 1), a multiple of 2^-24, from the next dimension. */
LB_OFTEN float lb_sampler_1d(lb_sampler *sampler)
{
    uint32_t index;
    lb_dimension dimension = lb_sampler_next(sampler, &index);
    return lb_unit_float(
        lb_reverse_bits(lb_owen_reversed(index ^ (uint32_t)dimension.shift, (uint32_t)dimension.scramble)));
}

/* Draws two numbers in [0, 1), multiples of 2^-24, from the next pair of dimensions. */
LB_OFTEN lb_vec2 lb_sampler_2d(lb_sampler *sampler)
{
    uint32_t index;
    lb_dimension dimension = lb_sampler_next(sampler, &index);
    /* Sobol's second dimension is Pascal's triangle modulo 2: bit i is the sum of those bits j of the index for which i
     * is a subset of j as sets of bits (Lucas), which five steps sum up. Its bits come out reversed, as they are needed
     * here. */
    uint32_t second = index;
    second ^= second >> 1 & 0x55555555u;
    second ^= second >> 2 & 0x33333333u;
    second ^= second >> 4 & 0x0f0f0f0fu;
    second ^= second >> 8 & 0x00ff00ffu;
    second ^= second >> 16;
    uint64_t both = lb_reverse_both(
        lb_owen_reversed(index ^ (uint32_t)dimension.shift, (uint32_t)dimension.scramble),
        lb_owen_reversed(second ^ (uint32_t)(dimension.shift >> 32), (uint32_t)(dimension.scramble >> 32)));
    return lb_vec2_make(lb_unit_float((uint32_t)both), lb_unit_float((uint32_t)(both >> 32)));
}

/* Plain random numbers without a pattern, for walks whose length is not known beforehand (layered materials, media). */
typedef struct lb_random {
    uint64_t state;
} lb_random;

LB_INLINE void lb_random_start(lb_random *random, uint64_t seed)
{
    random->state = lb_hash_u64(seed + 0x9e3779b97f4a7c15u);
}

/* Draws a number in [0, 1), a multiple of 2^-24. */
LB_INLINE float lb_random_1d(lb_random *random)
{
    random->state += 0x9e3779b97f4a7c15u;
    return lb_unit_float((uint32_t)(lb_hash_u64(random->state) >> 32));
}

#endif
