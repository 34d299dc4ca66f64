/* The film: what each pixel adds up. Contributions are rounded to fixed point and added as integers, so that sums do
 * not depend on the order of samples, nor on passes or processors. */
#ifndef LB_CORE_KERNEL_FILM_FILM_H
#define LB_CORE_KERNEL_FILM_FILM_H

#include "core/kernel/film/filter.h"

/* One position of a local framebuffer. */
typedef struct lb_film_pixel {
    int64_t sum[3]; /* of weight * r, g and b, in units of 2^-LB_FILM_BITS */
    int64_t weight; /* of the samples' filter weights, in the same unit */
} lb_film_pixel;

#define LB_FILM_BITS 30

/* The place of pixel (x, y), which the film has, among its pixels, row by row. */
LB_INLINE uint64_t lb_film_place(const lb_film *film, uint32_t x, uint32_t y)
{
    return (uint64_t)(y - film->y0) * film->width + (x - film->x0);
}

/* The largest share of a sum that one of `samples` samples may have, in the film's unit: that many of them fit into 62
 * bits. In radiance it is 2^32 / samples, 65,536 for instance with 65,536 samples in a pixel. */
LB_INLINE double lb_film_bound(uint32_t samples)
{
    return 0x1p62 / (double)(samples > 0 ? samples : 1u);
}

/* What is 1 in the film's unit. */
#define LB_FILM_ONE 0x1p30

/* Rounds what is in the film's unit to the nearest whole number, halves away from zero. */
LB_INLINE int64_t lb_film_round(double scaled)
{
    return (int64_t)(scaled + (scaled < 0.0 ? -0.5 : 0.5));
}

/* The value in the film's unit, limited to -bound .. bound. */
LB_INLINE double lb_film_limited(double value, double bound)
{
    double scaled = value * LB_FILM_ONE;
    return scaled > bound ? bound : scaled < -bound ? -bound : scaled;
}

/* The same, rounded. */
LB_INLINE int64_t lb_film_fixed(double value, double bound)
{
    return lb_film_round(lb_film_limited(value, bound));
}

/* Scales a colour down so that its largest component is at most `limit`. Its hue stays, as with pbrt's
 * maxcomponentvalue. */
LB_INLINE lb_rgb lb_film_limit(lb_rgb c, float limit)
{
    float largest = lb_rgb_max(c);
    return largest > limit ? lb_rgb_scale(c, limit / largest) : c;
}

/* The colour as the film's sensor records it, whose components may be below 0. What is far beyond the brightest that
 * the film keeps is made no brighter than 1e30, so that no sum overflows. */
LB_SELDOM lb_rgb lb_film_sense(const lb_film *film, lb_rgb c)
{
    c = lb_rgb_make(lb_clamp(c.r, -1e30f, 1e30f), lb_clamp(c.g, -1e30f, 1e30f), lb_clamp(c.b, -1e30f, 1e30f));
    return lb_rgb_make(film->sensor[0][0] * c.r + film->sensor[0][1] * c.g + film->sensor[0][2] * c.b,
                       film->sensor[1][0] * c.r + film->sensor[1][1] * c.g + film->sensor[1][2] * c.b,
                       film->sensor[2][0] * c.r + film->sensor[2][1] * c.g + film->sensor[2][2] * c.b);
}

/* What the film records of a sample's radiance. False: it is NaN or infinite. */
LB_INLINE bool lb_film_take(const lb_film *film, lb_rgb radiance, lb_rgb *taken)
{
    lb_rgb c = lb_rgb_scale(radiance, film->imaging_ratio);
    if (!lb_is_finite(c.r) || !lb_is_finite(c.g) || !lb_is_finite(c.b))
        return false;
    c = lb_film_limit(c, film->max_component);
    *taken = film->has_sensor != 0 ? lb_film_sense(film, c) : c;
    return true;
}

/* Adds a sample's radiance. `samples_in_all` is the number of samples that a pixel gets in the whole picture; it bounds
 * a sample's share, so that no sum can overflow in any order. False: the radiance is NaN or infinite, and nothing was
 * added. */
LB_INLINE bool lb_film_add(lb_film_pixel *pixel, const lb_film *film, uint32_t samples_in_all,
                           lb_rgb radiance, float weight)
{
    lb_rgb c;
    if (!lb_film_take(film, radiance, &c) || !lb_is_finite(weight))
        return false;
    double bound = lb_film_bound(samples_in_all), w = (double)weight;
    pixel->sum[0] += lb_film_fixed((double)c.r * w, bound);
    pixel->sum[1] += lb_film_fixed((double)c.g * w, bound);
    pixel->sum[2] += lb_film_fixed((double)c.b * w, bound);
    pixel->weight += lb_film_fixed(w, bound);
    return true;
}

/* The pixel's final colour, linear: the sums over the weight. It is black where the weight is 0. */
LB_FUNCTION lb_rgb lb_film_rgb(const lb_film_pixel *pixel)
{
    if (pixel->weight == 0)
        return lb_rgb_grey(0.0f);
    double weight = (double)pixel->weight;
    return lb_rgb_make((float)((double)pixel->sum[0] / weight), (float)((double)pixel->sum[1] / weight),
                       (float)((double)pixel->sum[2] / weight));
}

/* sRGB's transfer function (IEC 61966-2-1). NaN and values below 0 count as 0, values above 1 as 1. */
LB_FUNCTION float lb_srgb_encode(float linear)
{
    float x = lb_clamp(linear, 0.0f, 1.0f);
    return x <= 0.0031308f ? 12.92f * x : 1.055f * lb_pow(x, 1.0f / 2.4f) - 0.055f;
}

/* The same, rounded to one of 0 .. 255. */
LB_FUNCTION uint8_t lb_srgb_byte(float linear)
{
    return (uint8_t)lb_to_int(lb_srgb_encode(linear) * 255.0f + 0.5f);
}

#endif
