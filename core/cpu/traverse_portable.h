/* Eight lanes in plain C: loops that gcc and clang turn into whatever vectors the target has. It must give
 * the same numbers as traverse_avx2.h and traverse_avx512.h, operation by operation. */
#ifndef LB_CORE_CPU_TRAVERSE_PORTABLE_H
#define LB_CORE_CPU_TRAVERSE_PORTABLE_H

#include "core/cpu/traverse_parts.h"

typedef struct lanes {
    float v[8];
} lanes;

static inline uint32_t lanes_within(const lanes *distance, float closest)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 8; i++)
        mask |= (uint32_t)(distance->v[i] <= closest) << i;
    return mask;
}

static inline uint32_t test_node(const lb_node *node, const struct node_ray *ray, uint32_t order,
                                 float closest, lanes *distance)
{
    float in[8], out[8];
    const float *near[3], *far[3];
    for (uint32_t a = 0; a < 3; a++) {
        near[a] = (const float *)(const void *)((const char *)node + ray->near_offset[a]);
        far[a] = (const float *)(const void *)((const char *)node + ray->far_offset[a]);
    }
    for (uint32_t i = 0; i < 8; i++) {
        float x = lb_fma(near[0][i], ray->rcp[0], ray->near[0]),
              y = lb_fma(near[1][i], ray->rcp[1], ray->near[1]);
        float z = lb_fma(near[2][i], ray->rcp[2], ray->near[2]);
        in[i] = lb_max(lb_max(x, y), lb_max(z, 0.0f));
    }
    for (uint32_t i = 0; i < 8; i++) {
        float x = lb_fma(far[0][i], ray->rcp[0], ray->far[0]),
              y = lb_fma(far[1][i], ray->rcp[1], ray->far[1]);
        float z = lb_fma(far[2][i], ray->rcp[2], ray->far[2]);
        out[i] = lb_min(lb_min(x, y), lb_min(z, closest));
    }
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t child = order >> 4 * i & 7;
        distance->v[i] = in[child];
        mask |= (uint32_t)(in[child] <= out[child]) << i;
    }
    return mask;
}

static inline void test_triangles(const float *corners, uint32_t n, const lb_slab_ray *ray, float closest,
                                  struct candidates *out)
{
    float x[3][8], y[3][8], z[3][8], u[8], v[8], w[8];
    for (uint32_t c = 0; c < 3; c++) {
        const float *cx = corners + (3 * c + ray->kx) * n, *cy = corners + (3 * c + ray->ky) * n;
        const float *cz = corners + (3 * c + ray->kz) * n;
        for (uint32_t i = 0; i < 8; i++) {
            float along = cz[i] - ray->origin[ray->kz];
            x[c][i] = (cx[i] - ray->origin[ray->kx]) - ray->sx * along;
            y[c][i] = (cy[i] - ray->origin[ray->ky]) - ray->sy * along;
            z[c][i] = ray->sz * along;
        }
    }
    uint32_t zero = 0, same = 0;
    for (uint32_t i = 0; i < 8; i++) {
        u[i] = x[2][i] * y[1][i] - y[2][i] * x[1][i];
        v[i] = x[0][i] * y[2][i] - y[0][i] * x[2][i];
        w[i] = x[1][i] * y[0][i] - y[1][i] * x[0][i];
    }
    for (uint32_t i = 0; i < 8; i++) {
        zero |= (uint32_t)(u[i] == 0.0f || v[i] == 0.0f || w[i] == 0.0f) << i;
        same |= (uint32_t)((u[i] > 0.0f && v[i] > 0.0f && w[i] > 0.0f) ||
                           (u[i] < 0.0f && v[i] < 0.0f && w[i] < 0.0f))
                << i;
    }
    uint32_t all = (1u << n) - 1, hit = 0;
    out->zero = zero & all;
    if (same & all)
        for (uint32_t i = 0; i < 8; i++) {
            out->v[i] = v[i];
            out->w[i] = w[i];
            out->det[i] = u[i] + v[i] + w[i];
            out->t[i] = (u[i] * z[0][i] + v[i] * z[1][i] + w[i] * z[2][i]) / out->det[i];
            hit |= (uint32_t)(out->t[i] >= 0.0f && out->t[i] <= closest) << i;
        }
    out->hit = hit & same & all;
}

#endif
