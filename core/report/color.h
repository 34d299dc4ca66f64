/* Colours of maps and pages: of processors, and of costs. */
#ifndef LB_CORE_REPORT_COLOR_H
#define LB_CORE_REPORT_COLOR_H

#include <stddef.h>
#include <stdint.h>

/* 8-bit sRGB of processor number `owner`. The colours of the first twelve differ as much as they can to the eye; of
 * those after them each sixteen have one hue, from dark to light, so that maps of hundreds can be read as groups. */
void lb_owner_color(uint32_t owner, uint8_t color[3]);

/* Who rendered a pixel: for each processor its colour, by the number of its samples, and these numbers. Zero:
 * nobody. */
struct lb_owned {
    float color[3], samples;
};
void lb_owned_add(struct lb_owned *owned, const uint8_t color[3], float samples);
/* The mean of the colours; black where nobody rendered the pixel. */
void lb_owned_color(const struct lb_owned *owned, uint8_t color[3]);

/* The colour of a level from 0 (black) over red and yellow to 1 (white). */
void lb_heat_color(double level, uint8_t color[3]);
/* The level of a cost beside the one that is white. */
double lb_heat_level(double cost, double white);
/* The cost that only a thousandth of the `count` costs exceed: what is white. 0: out of memory or nothing costs
 * anything. */
float lb_heat_white(const float *cost, size_t count);

#endif
