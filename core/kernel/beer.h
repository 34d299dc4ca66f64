/* Beer's law: how much light a way through an even medium leaves. */
#ifndef LB_CORE_KERNEL_BEER_H
#define LB_CORE_KERNEL_BEER_H

#include "core/kernel/color.h"
#include "core/kernel/math.h"

/* The part of light that is left after a way through a medium of extinction `sigma` (Beer's law). Where there is no
 * extinction all of it is left, even after an endless way. */
LB_FUNCTION float lb_beer(float sigma, float distance)
{
    return sigma == 0.0f ? 1.0f : lb_exp(-sigma * distance);
}

LB_INLINE lb_color lb_beer_lanes(lb_color sigma, float distance)
{
#define LB_LANE(l) lb_beer(sigma.l, distance)
    return LB_LANES(LB_LANE);
#undef LB_LANE
}

#endif
