/* What light a path carries: a number in each of its lanes. All that light meets on its way, be it a material, a medium
 * or another light, works on lanes alike and knows neither how many there are nor what they stand for. Colours that are
 * seen, in images and on the film, are lb_rgb.
 *
 * The lanes are red, green and blue. Where LB_SPECTRAL is defined the kernel is compiled for spectra: its lanes are the
 * four wavelengths of the path (core/kernel/scene/spectral.h).
 *
 * LB_LANES(F) makes a colour of F(l) for each lane l, where F is a macro that gives the value of one lane. */
#ifndef LB_CORE_KERNEL_COLOR_H
#define LB_CORE_KERNEL_COLOR_H

#include "core/kernel/vec.h"

#ifdef LB_SPECTRAL

enum { LB_LANE_COUNT = 4 };

typedef struct lb_color {
    float p, q, r, s; /* from the shortest wavelength to the longest */
} lb_color;

LB_INLINE lb_color lb_color_make(float p, float q, float r, float s)
{
    lb_color c;
    c.p = p;
    c.q = q;
    c.r = r;
    c.s = s;
    return c;
}

#define LB_LANES(F) lb_color_make(F(p), F(q), F(r), F(s))

LB_INLINE lb_color lb_color_grey(float v)
{
    return lb_color_make(v, v, v, v);
}

/* The sum over all lanes. */
LB_INLINE float lb_color_sum(lb_color a)
{
    return a.p + a.q + a.r + a.s;
}

/* The largest and the least of the lanes. */
LB_INLINE float lb_color_max(lb_color a)
{
    return lb_max(lb_max(a.p, a.q), lb_max(a.r, a.s));
}

LB_INLINE float lb_color_min(lb_color a)
{
    return lb_min(lb_min(a.p, a.q), lb_min(a.r, a.s));
}

LB_INLINE bool lb_color_is_black(lb_color a)
{
    return a.p == 0.0f && a.q == 0.0f && a.r == 0.0f && a.s == 0.0f;
}

/* What stands in a lane, by its number from 0. */
LB_INLINE float lb_color_lane(lb_color a, uint32_t lane)
{
    return lane == 0 ? a.p : lane == 1 ? a.q : lane == 2 ? a.r : a.s;
}

/* Makes a colour of what stands in an array, one value for each lane. */
LB_INLINE lb_color lb_color_of_lanes(const float values[LB_LANE_COUNT])
{
    return lb_color_make(values[0], values[1], values[2], values[3]);
}

/* Chooses a lane by u in [0, 1), each as likely as its part of the sum. */
LB_INLINE uint32_t lb_color_choose(lb_color chances, float u)
{
    float at = u * lb_color_sum(chances);
    uint32_t last = chances.s > 0.0f ? 3 : chances.r > 0.0f ? 2 : 1;
    return at < chances.p                                        ? 0
           : at < chances.p + chances.q || last == 1             ? 1
           : at < chances.p + chances.q + chances.r || last == 2 ? 2
                                                                 : 3;
}

#else

enum { LB_LANE_COUNT = 3 };

typedef lb_rgb lb_color;

#define LB_LANES(F) lb_rgb_make(F(r), F(g), F(b))

LB_INLINE lb_color lb_color_grey(float v)
{
    return lb_rgb_grey(v);
}

/* The sum over all lanes. */
LB_INLINE float lb_color_sum(lb_color a)
{
    return a.r + a.g + a.b;
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

#endif

/* Functions without a comment do to each lane what their name says. */
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

LB_INLINE float lb_color_average(lb_color a)
{
    return lb_color_sum(a) * (1.0f / (float)LB_LANE_COUNT);
}

#endif
