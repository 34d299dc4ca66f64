/* What light a path carries: a number in each of its lanes, which are red, green and blue. All that light meets on its
 * way, be it a material, a medium or another light, works on lanes alike and knows neither how many there are nor what
 * they stand for. Colours that are seen, in images and on the film, are lb_rgb.
 *
 * LB_LANES(F) makes a colour of F(r), F(g) and F(b), where F is a macro that gives the value of one lane. */
#ifndef LB_CORE_KERNEL_COLOR_H
#define LB_CORE_KERNEL_COLOR_H

#include "core/kernel/vec.h"

enum { LB_LANE_COUNT = 3 };

typedef lb_rgb lb_color;

#define LB_LANES(F) lb_rgb_make(F(r), F(g), F(b))

/* Functions without a comment do to each lane what their name says. */
LB_INLINE lb_color lb_color_grey(float v)
{
    return lb_rgb_grey(v);
}

LB_INLINE lb_color lb_color_add(lb_color a, lb_color b)
{
#define LB_LANE(l) a.l + b.l
    return LB_LANES(LB_LANE);
#undef LB_LANE
}

LB_INLINE lb_color lb_color_sub(lb_color a, lb_color b)
{
#define LB_LANE(l) a.l - b.l
    return LB_LANES(LB_LANE);
#undef LB_LANE
}

LB_INLINE lb_color lb_color_mul(lb_color a, lb_color b)
{
#define LB_LANE(l) a.l *b.l
    return LB_LANES(LB_LANE);
#undef LB_LANE
}

LB_INLINE lb_color lb_color_scale(lb_color a, float s)
{
#define LB_LANE(l) a.l *s
    return LB_LANES(LB_LANE);
#undef LB_LANE
}

LB_INLINE lb_color lb_color_clamp(lb_color a, float low, float high)
{
#define LB_LANE(l) lb_clamp(a.l, low, high)
    return LB_LANES(LB_LANE);
#undef LB_LANE
}

/* What is below 0 becomes 0. */
LB_INLINE lb_color lb_color_clamp_low(lb_color a)
{
#define LB_LANE(l) lb_max(a.l, 0.0f)
    return LB_LANES(LB_LANE);
#undef LB_LANE
}

/* The sum over all lanes. */
LB_INLINE float lb_color_sum(lb_color a)
{
    return a.r + a.g + a.b;
}

LB_INLINE float lb_color_average(lb_color a)
{
    return lb_color_sum(a) * (1.0f / (float)LB_LANE_COUNT);
}

/* The largest and the least of the lanes. */
LB_INLINE float lb_color_max(lb_color a)
{
    return lb_rgb_max(a);
}

LB_INLINE float lb_color_min(lb_color a)
{
    return lb_min(lb_min(a.r, a.g), a.b);
}

LB_INLINE bool lb_color_is_black(lb_color a)
{
    return lb_rgb_is_black(a);
}

/* What stands in a lane, by its number from 0. */
LB_INLINE float lb_color_lane(lb_color a, uint32_t lane)
{
    return lane == 0 ? a.r : lane == 1 ? a.g : a.b;
}

/* Makes a colour of what stands in an array, one value for each lane. */
LB_INLINE lb_color lb_color_of_lanes(const float values[LB_LANE_COUNT])
{
    return lb_rgb_make(values[0], values[1], values[2]);
}

/* Chooses a lane by u in [0, 1), each as likely as its part of the sum. */
LB_INLINE uint32_t lb_color_choose(lb_color chances, float u)
{
    float at = u * lb_color_sum(chances);
    return at < chances.r ? 0 : at < chances.r + chances.g || !(chances.b > 0.0f) ? 1 : 2;
}

/* What light of a colour that is seen carries in each lane, and how light that has come to the film is seen. */
LB_INLINE lb_color lb_color_of_rgb(lb_rgb rgb)
{
    return rgb;
}

LB_INLINE lb_rgb lb_color_seen(lb_color light)
{
    return light;
}

#endif
