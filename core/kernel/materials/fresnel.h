/* How much light an ideal interface reflects, for unpolarised light, and where it refracts the rest. */
#ifndef LB_CORE_KERNEL_MATERIALS_FRESNEL_H
#define LB_CORE_KERNEL_MATERIALS_FRESNEL_H

#include "core/kernel/color.h"

/* The part that a dielectric reflects. `cosine` is that of the incident direction, negative where light comes from
 * inside, and `eta` the index inside over the one outside. It is 1 under total internal reflection. */
LB_FUNCTION float lb_fresnel_dielectric(float cosine, float eta)
{
    cosine = lb_clamp(cosine, -1.0f, 1.0f);
    if (cosine < 0.0f) {
        eta = 1.0f / eta;
        cosine = -cosine;
    }
    float sine2 = (1.0f - cosine * cosine) / (eta * eta);
    if (sine2 >= 1.0f)
        return 1.0f;
    float below = lb_sqrt(1.0f - sine2);
    float parallel = (eta * cosine - below) / (eta * cosine + below);
    float perpendicular = (cosine - eta * below) / (cosine + eta * below);
    return (parallel * parallel + perpendicular * perpendicular) * 0.5f;
}

/* The part that a conductor of the index eta + i k reflects. `cosine` is in 0 .. 1. */
LB_FUNCTION float lb_fresnel_conductor(float cosine, float eta, float k)
{
    cosine = lb_clamp(cosine, 0.0f, 1.0f);
    float cosine2 = cosine * cosine, sine2 = 1.0f - cosine2;
    float difference = eta * eta - k * k - sine2;
    float both = lb_sqrt(difference * difference + 4.0f * eta * eta * k * k); /* a^2 + b^2 */
    float a = lb_sqrt(lb_max(0.0f, 0.5f * (both + difference)));
    float sum = both + cosine2, product = 2.0f * a * cosine;
    float perpendicular = (sum - product) / (sum + product);
    float sum_parallel = cosine2 * both + sine2 * sine2, product_parallel = product * sine2;
    float parallel = perpendicular * (sum_parallel - product_parallel) / (sum_parallel + product_parallel);
    return 0.5f * (perpendicular + parallel);
}

LB_INLINE lb_color lb_fresnel_conductor_lanes(float cosine, lb_color eta, lb_color k)
{
#define LB_LANE(l) lb_fresnel_conductor(cosine, eta.l, k.l)
    return LB_LANES(LB_LANE);
#undef LB_LANE
}

/* Sets `*out` to the direction that w is refracted into at the unit normal n, which may be on either side, and
 * `*relative` to the index of the far side over that of w's. False: it is reflected totally. */
LB_FUNCTION bool lb_refract(lb_vec3 w, lb_vec3 n, float eta, float *relative, lb_vec3 *out)
{
    float cosine = lb_dot(n, w);
    if (cosine < 0.0f) {
        eta = 1.0f / eta;
        cosine = -cosine;
        n = lb_negate(n);
    }
    float sine2 = lb_max(0.0f, 1.0f - cosine * cosine) / (eta * eta);
    if (sine2 >= 1.0f)
        return false;
    float below = lb_sqrt(1.0f - sine2);
    *relative = eta;
    *out = lb_add_scaled(lb_scale(w, -1.0f / eta), n, cosine / eta - below);
    return true;
}

#endif
