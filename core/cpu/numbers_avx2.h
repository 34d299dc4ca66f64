/* Draws all numbers of a vertex at once (core/kernel/integrators/numbers.h) with AVX2: those that core/kernel/sampler.h
 * draws one by one, bit for bit. What a dimension is for all samples of a pixel is made once. */
#ifndef LB_CORE_CPU_NUMBERS_AVX2_H
#define LB_CORE_CPU_NUMBERS_AVX2_H

#define LB_NUMBERS
#include "core/kernel/integrators/numbers.h"

#include <immintrin.h>

/* The dimensions of a vertex, side by side: in the lower half of the vectors for the first number of each pair. */
struct vertex_dimensions {
    uint32_t order[4], shift[8], scramble[8];
};

/* The dimensions of later vertices, which few paths have, are made for each sample. */
#define KEPT_VERTICES 12u

struct lb_pixel_numbers {
    uint64_t key;  /* of the pixel's samples, until they are branched (lb_sampler_branch) */
    uint32_t kept; /* bit i: those of vertex i are there */
    struct vertex_dimensions vertex[KEPT_VERTICES + 1];
};

static inline void make_dimensions(uint64_t key, uint32_t depth, struct vertex_dimensions *made)
{
    for (uint32_t i = 0; i < LB_DIMENSIONS_A_VERTEX; i++) {
        lb_dimension dimension =
            lb_dimension_make(key, LB_DIMENSION_VERTEX + depth * LB_DIMENSIONS_A_VERTEX + i);
        made->order[i] = dimension.order;
        made->shift[i] = (uint32_t)dimension.shift;
        made->shift[4 + i] = (uint32_t)(dimension.shift >> 32);
        made->scramble[i] = (uint32_t)dimension.scramble;
        made->scramble[4 + i] = (uint32_t)(dimension.scramble >> 32);
    }
}

/* lb_owen_reversed. */
LB_INLINE __m256i owen_reversed8(__m256i x, __m256i seed)
{
    x = _mm256_xor_si256(x, _mm256_mullo_epi32(x, _mm256_set1_epi32(0x5cdb446a)));
    x = _mm256_add_epi32(x, seed);
    x = _mm256_mullo_epi32(x, _mm256_or_si256(_mm256_srli_epi32(seed, 16), _mm256_set1_epi32(1)));
    x = _mm256_xor_si256(x, _mm256_mullo_epi32(x, _mm256_set1_epi32((int)0x9cf81370)));
    return _mm256_xor_si256(x, _mm256_mullo_epi32(x, _mm256_set1_epi32(0x67a7d3f6)));
}

/* lb_reverse_bits: of each half byte by a table, then the bytes. */
LB_INLINE __m256i reverse_bits8(__m256i x)
{
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i reversed =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15));
    const __m256i order =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    __m256i upper = _mm256_shuffle_epi8(reversed, _mm256_and_si256(_mm256_srli_epi32(x, 4), low));
    __m256i lower = _mm256_slli_epi32(_mm256_shuffle_epi8(reversed, _mm256_and_si256(x, low)), 4);
    return _mm256_shuffle_epi8(_mm256_or_si256(upper, lower), order);
}

/* What lb_sampler_2d makes of an index for Sobol's second dimension. */
LB_INLINE __m256i second_index8(__m256i x)
{
    x = _mm256_xor_si256(x, _mm256_and_si256(_mm256_srli_epi32(x, 1), _mm256_set1_epi32(0x55555555)));
    x = _mm256_xor_si256(x, _mm256_and_si256(_mm256_srli_epi32(x, 2), _mm256_set1_epi32(0x33333333)));
    x = _mm256_xor_si256(x, _mm256_and_si256(_mm256_srli_epi32(x, 4), _mm256_set1_epi32(0x0f0f0f0f)));
    x = _mm256_xor_si256(x, _mm256_and_si256(_mm256_srli_epi32(x, 8), _mm256_set1_epi32(0x00ff00ff)));
    return _mm256_xor_si256(x, _mm256_srli_epi32(x, 16));
}

LB_INLINE void lb_vertex_draw(lb_pixel_numbers *pixel, const lb_sampler *sampler, uint32_t depth,
                              float drawn[2 * LB_DIMENSIONS_A_VERTEX])
{
    if (pixel->kept == 0)
        pixel->key = sampler->key;
    uint32_t place = depth < KEPT_VERTICES && pixel->key == sampler->key ? depth : KEPT_VERTICES;
    struct vertex_dimensions *vertex = &pixel->vertex[place];
    if (__builtin_expect((pixel->kept >> place & 1) == 0, 0)) {
        make_dimensions(sampler->key, depth, vertex);
        pixel->kept |= (1u << place) & ~(1u << KEPT_VERTICES);
    }
    __m256i order = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)vertex->order));
    __m256i index = reverse_bits8(owen_reversed8(_mm256_set1_epi32((int)sampler->sample), order));
    index = _mm256_blend_epi32(index, second_index8(index), 0xf0);
    index = _mm256_xor_si256(index, _mm256_loadu_si256((const void *)vertex->shift));
    index = reverse_bits8(owen_reversed8(index, _mm256_loadu_si256((const void *)vertex->scramble)));
    __m256 unit = _mm256_cvtepi32_ps(_mm256_srli_epi32(index, 8));
    _mm256_storeu_ps(drawn, _mm256_mul_ps(unit, _mm256_set1_ps(0x1p-24f)));
}

#endif
