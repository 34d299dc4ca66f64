/* What tests of scattering functions share: random numbers, a frame to stand in, and how much light comes back.
 * cmocka's headers must be included before. */
#ifndef LB_TEST_UNIT_BSDF_HELP_H
#define LB_TEST_UNIT_BSDF_HELP_H

#include "density_test.h"

#include <string.h>

static inline float between(lb_random *random, float low, float high)
{
    return low + (high - low) * unit(random);
}

/* Nothing but its kind, in the frame of world space. */
static inline lb_bsdf bsdf_flat(uint32_t kind, lb_vec3 wo)
{
    lb_bsdf bsdf;
    memset(&bsdf, 0, sizeof bsdf);
    bsdf.kind = kind;
    bsdf.s = lb_vec3_make(1.0f, 0.0f, 0.0f);
    bsdf.t = lb_vec3_make(0.0f, 1.0f, 0.0f);
    bsdf.n = lb_vec3_make(0.0f, 0.0f, 1.0f);
    bsdf.wo = wo;
    return bsdf;
}

/* The mean weight of samples, which is the part of the light that is scattered. Refracted radiance is scaled back to
 * the units of the near side. */
static inline double albedo(const lb_bsdf *bsdf, int count, lb_random *random)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        lb_scatter scatter;
        float lobe = unit(random);
        lb_vec2 u = lb_random_2d(random);
        if (lb_bsdf_sample(bsdf, lobe, u, &scatter))
            sum += (double)(scatter.weight.g * scatter.eta * scatter.eta);
    }
    return sum / count;
}

#endif
