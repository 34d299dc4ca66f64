/* What media do to light on a way through them. */
#ifndef LB_CORE_KERNEL_MEDIUM_H
#define LB_CORE_KERNEL_MEDIUM_H

#include "core/kernel/elementary.h"
#include "core/kernel/scene.h"

LB_INLINE lb_rgb lb_medium_extinction(const lb_medium *medium)
{
    return lb_rgb_add(medium->sigma_a, medium->sigma_s);
}

/* What is left after a way through extinction `sigma` (Beer); an endless way through nothing leaves all. */
LB_FUNCTION float lb_beer(float sigma, float distance)
{
    return sigma == 0.0f ? 1.0f : lb_exp(-sigma * distance);
}

LB_INLINE lb_rgb lb_beer_rgb(lb_rgb sigma, float distance)
{
    return lb_rgb_make(lb_beer(sigma.r, distance), lb_beer(sigma.g, distance), lb_beer(sigma.b, distance));
}

#endif
