/* How the small particles of a medium scatter light: Henyey and Greenstein's phase function. */
#ifndef LB_CORE_KERNEL_MEDIA_PHASE_H
#define LB_CORE_KERNEL_MEDIA_PHASE_H

#include "core/kernel/sampling.h"

/* Its value, which is also the density by solid angle with which lb_phase_sample draws. `cosine` is the one between the
 * directions of travel before and after; g is the mean of it. */
LB_INLINE float lb_phase(float cosine, float g)
{
    float base = 1.0f + g * g - 2.0f * g * cosine;
    return LB_1_4PI * (1.0f - g * g) / (base * lb_sqrt(lb_max(base, 1e-12f)));
}

/* Draws the direction of travel after w. */
LB_FUNCTION lb_vec3 lb_phase_sample(lb_vec3 w, float g, lb_vec2 u)
{
    float cosine = 1.0f - 2.0f * u.x;
    if (lb_abs(g) >= 1e-3f) {
        float ratio = (1.0f - g * g) / (1.0f + g - 2.0f * g * u.x);
        cosine = lb_clamp((1.0f + g * g - ratio * ratio) / (2.0f * g), -1.0f, 1.0f);
    }
    lb_vec3 local = lb_vector_around(cosine, u.y), s, t;
    lb_basis(w, &s, &t);
    return lb_add(lb_add(lb_scale(s, local.x), lb_scale(t, local.y)), lb_scale(w, local.z));
}

#endif
