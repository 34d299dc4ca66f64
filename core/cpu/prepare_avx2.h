/* Prepares a ray for a traversal, three axes at once. The numbers are those of lb_slab_prepare
 * (core/kernel/shapes/box.h) and of prepare_nodes in core/cpu/prepare_portable.h, bit for bit. */
#ifndef LB_CORE_CPU_PREPARE_AVX2_H
#define LB_CORE_CPU_PREPARE_AVX2_H

#include "core/kernel/shapes/box.h"

#include <immintrin.h>

LB_INLINE __m128 load_vec3(const lb_vec3 *v)
{
    return _mm_setr_ps(v->x, v->y, v->z, 0.0f);
}

LB_INLINE __m128 abs4(__m128 a)
{
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
}

/* Gives the axes (kx, ky, kz) of lb_slab_ray: kz is the axis along which the direction is largest, `*largest` its size
 * there, and the other two follow it. `size` holds the direction's absolute values. */
LB_INLINE __m128i axes_of(__m128 size, float *largest)
{
    static const uint32_t axes[8][4] = {
        {0},          {1, 2, 0, 0}, {2, 0, 1, 0}, {2, 0, 1, 0}, /* by the set of axes that are the largest */
        {0, 1, 2, 0}, {0, 1, 2, 0}, {0, 1, 2, 0}, {0, 1, 2, 0}};
    __m128 y = _mm_movehdup_ps(size), z = _mm_movehl_ps(size, size);
    __m128 most = _mm_max_ss(_mm_max_ss(size, y), z);
    *largest = _mm_cvtss_f32(most);
    uint32_t set = (uint32_t)_mm_movemask_ps(_mm_cmpeq_ps(size, _mm_broadcastss_ps(most))) & 7;
    return _mm_loadu_si128((const __m128i *)(const void *)axes[set]);
}

/* lb_slab_prepare of the portable form: false where no ray in this direction can hit anything. */
LB_INLINE bool prepare_ray(const lb_vec3 *origin, const lb_vec3 *direction, lb_slab_ray *ray)
{
    __m128 o = load_vec3(origin), d = load_vec3(direction), size = abs4(d), one = _mm_set1_ps(1.0f);
    float largest;
    __m128i axes = axes_of(size, &largest);
    __m128 turned = _mm_permutevar_ps(d, axes);
    __m128 along = _mm_permute_ps(turned, _MM_SHUFFLE(2, 2, 2, 2));
    __m128 shear = _mm_div_ps(_mm_blend_ps(turned, one, 12), along);
    __m128 limit = _mm_mul_ps(abs4(_mm_permute_ps(shear, _MM_SHUFFLE(2, 2, 2, 2))), _mm_set1_ps(0x1p+96f));
    limit = _mm_min_ps(limit, _mm_set1_ps(LB_FLOAT_MAX));
    __m128 rcp = _mm_div_ps(one, d), small = _mm_cmple_ps(abs4(rcp), limit);
    /* A branch is faster here than a selection, as what follows need not wait for the shear. */
    if (__builtin_expect((_mm_movemask_ps(small) & 7) != 7, 0))
        rcp = _mm_blendv_ps(_mm_or_ps(limit, _mm_and_ps(_mm_set1_ps(-0.0f), d)), rcp, small);
    _mm_storeu_ps(ray->origin, o);
    _mm_storeu_ps(ray->rcp, rcp);
    _mm_storeu_si128((__m128i *)(void *)&ray->kx, axes);
    _mm_storeu_ps(&ray->sx, shear);
    __m128 sound = _mm_and_ps(_mm_cmple_ps(size, _mm_set1_ps(LB_DIRECTION_MAX)),
                              _mm_cmple_ps(abs4(o), _mm_set1_ps(LB_FLOAT_MAX)));
    return _mm_movemask_ps(sound) == 15 && largest >= LB_DIRECTION_MIN;
}

/* Makes the constants of struct node_ray (core/cpu/traverse_tests.h) for each axis; returns the ray's octant. */
LB_INLINE uint32_t prepare_nodes(const lb_slab_ray *ray, const lb_box *bounds, float near[4], float far[4])
{
    __m128 o = _mm_loadu_ps(ray->origin), rcp = _mm_loadu_ps(ray->rcp), least = _mm_set1_ps(0x1p-126f);
    __m128 lower = _mm_setr_ps(bounds->lower[0], bounds->lower[1], bounds->lower[2], 0.0f);
    __m128 upper = _mm_setr_ps(bounds->upper[0], bounds->upper[1], bounds->upper[2], 0.0f);
    __m128 reach = _mm_add_ps(abs4(o), _mm_max_ps(abs4(lower), abs4(upper)));
    __m128 unit = _mm_mul_ps(abs4(rcp), reach), middle = _mm_xor_ps(_mm_mul_ps(o, rcp), _mm_set1_ps(-0.0f));
    _mm_storeu_ps(near, _mm_sub_ps(middle, _mm_add_ps(_mm_mul_ps(unit, _mm_set1_ps(0x1p-21f)), least)));
    _mm_storeu_ps(far, _mm_add_ps(middle, _mm_add_ps(_mm_mul_ps(unit, _mm_set1_ps(0x1.8p-21f)), least)));
    return (uint32_t)_mm_movemask_ps(rcp) & 7;
}

#endif
