/* Eight lanes with AVX-512VL: as traverse_avx2.h, with mask registers. */
#ifndef LB_CORE_CPU_TRAVERSE_AVX512_H
#define LB_CORE_CPU_TRAVERSE_AVX512_H

#include "core/cpu/traverse_parts.h"

#include <immintrin.h>

typedef __m256 lanes;

static inline uint32_t lanes_within(const lanes *distance, float closest)
{
    return _mm256_cmp_ps_mask(*distance, _mm256_set1_ps(closest), _CMP_LE_OQ);
}

static inline __m256 node_slab(const lb_node *node, uint32_t offset, const float *rcp, const float *constant)
{
    const float *bounds = (const float *)(const void *)((const char *)node + offset);
    return _mm256_fmadd_ps(_mm256_load_ps(bounds), _mm256_broadcast_ss(rcp), _mm256_broadcast_ss(constant));
}

static inline uint32_t test_node(const lb_node *node, const struct node_ray *ray, uint32_t order,
                                 float closest, lanes *distance)
{
    const uint32_t *near = ray->near_offset, *far = ray->far_offset;
    __m256 in = _mm256_max_ps(
        _mm256_max_ps(node_slab(node, near[0], &ray->rcp[0], &ray->near[0]),
                      node_slab(node, near[1], &ray->rcp[1], &ray->near[1])),
        _mm256_max_ps(node_slab(node, near[2], &ray->rcp[2], &ray->near[2]), _mm256_setzero_ps()));
    __m256 out = _mm256_min_ps(
        _mm256_min_ps(node_slab(node, far[0], &ray->rcp[0], &ray->far[0]),
                      node_slab(node, far[1], &ray->rcp[1], &ray->far[1])),
        _mm256_min_ps(node_slab(node, far[2], &ray->rcp[2], &ray->far[2]), _mm256_set1_ps(closest)));
    __m256i place =
        _mm256_srlv_epi32(_mm256_set1_epi32((int)order), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
    in = _mm256_permutexvar_ps(place, in);
    out = _mm256_permutexvar_ps(place, out);
    *distance = in;
    return _mm256_cmp_ps_mask(in, out, _CMP_LE_OQ);
}

/* (a - o) - s * along */
static inline __m256 shear(const float *a, float o, float s, __m256 along)
{
    return _mm256_sub_ps(_mm256_sub_ps(_mm256_loadu_ps(a), _mm256_set1_ps(o)),
                         _mm256_mul_ps(_mm256_set1_ps(s), along));
}

static inline __m256 edge(__m256 a, __m256 b, __m256 c, __m256 d)
{
    return _mm256_sub_ps(_mm256_mul_ps(a, b), _mm256_mul_ps(c, d));
}

static inline void test_triangles(const float *corners, uint32_t n, const lb_slab_ray *ray, float closest,
                                  struct candidates *out)
{
    const float *cx = corners + ray->kx * n, *cy = corners + ray->ky * n, *cz = corners + ray->kz * n;
    float ox = ray->origin[ray->kx], oy = ray->origin[ray->ky];
    __m256 oz = _mm256_set1_ps(ray->origin[ray->kz]);
    __m256 az = _mm256_sub_ps(_mm256_loadu_ps(cz), oz);
    __m256 bz = _mm256_sub_ps(_mm256_loadu_ps(cz + 3 * n), oz);
    __m256 dz = _mm256_sub_ps(_mm256_loadu_ps(cz + 6 * n), oz);
    __m256 ax = shear(cx, ox, ray->sx, az), ay = shear(cy, oy, ray->sy, az);
    __m256 bx = shear(cx + 3 * n, ox, ray->sx, bz), by = shear(cy + 3 * n, oy, ray->sy, bz);
    __m256 dx = shear(cx + 6 * n, ox, ray->sx, dz), dy = shear(cy + 6 * n, oy, ray->sy, dz);
    __m256 u = edge(dx, by, dy, bx), v = edge(ax, dy, ay, dx), w = edge(bx, ay, by, ax),
           none = _mm256_setzero_ps();
    uint32_t zero = (uint32_t)_mm256_cmp_ps_mask(u, none, _CMP_EQ_OQ) |
                    _mm256_cmp_ps_mask(v, none, _CMP_EQ_OQ) | _mm256_cmp_ps_mask(w, none, _CMP_EQ_OQ);
    /* The sign bit of (u ^ v) | (u ^ w). */
    __m256i differ = _mm256_ternarylogic_epi32(_mm256_castps_si256(u), _mm256_castps_si256(v),
                                               _mm256_castps_si256(w), 0x7e);
    uint32_t all = (1u << n) - 1, same = ~(uint32_t)_mm256_movepi32_mask(differ) & all;
    out->zero = zero & all;
    out->hit = 0;
    if (same == 0)
        return;
    __m256 det = _mm256_add_ps(_mm256_add_ps(u, v), w), scale = _mm256_set1_ps(ray->sz);
    __m256 sum =
        _mm256_add_ps(_mm256_mul_ps(u, _mm256_mul_ps(scale, az)), _mm256_mul_ps(v, _mm256_mul_ps(scale, bz)));
    __m256 t = _mm256_div_ps(_mm256_add_ps(sum, _mm256_mul_ps(w, _mm256_mul_ps(scale, dz))), det);
    uint32_t within = _mm256_mask_cmp_ps_mask(_mm256_cmp_ps_mask(t, none, _CMP_GE_OQ), t,
                                              _mm256_set1_ps(closest), _CMP_LE_OQ);
    out->hit = within & same & ~out->zero;
    if (out->hit == 0)
        return;
    _mm256_storeu_ps(out->t, t);
    _mm256_storeu_ps(out->v, v);
    _mm256_storeu_ps(out->w, w);
    _mm256_storeu_ps(out->det, det);
}

#endif
