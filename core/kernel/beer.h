/* Beer's law: how much light a way through an even medium leaves. */
#ifndef LB_CORE_KERNEL_BEER_H
#define LB_CORE_KERNEL_BEER_H

#include "core/kernel/elementary.h"
#include "core/kernel/vec.h"

/* The part of light that is left after a way through a medium of extinction `sigma` (Beer's law). Where there is no
 * extinction all of it is left, even after an endless way. */
LB_FUNCTION float lb_beer(float sigma, float distance)
{
    return sigma == 0.0f ? 1.0f : lb_exp(-sigma * distance);
}

LB_INLINE lb_rgb lb_beer_rgb(lb_rgb sigma, float distance)
{
    return lb_rgb_make(lb_beer(sigma.r, distance), lb_beer(sigma.g, distance), lb_beer(sigma.b, distance));
}

#endif
