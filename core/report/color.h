/* Colours of maps and pages: of processors, and of costs. */
#ifndef LB_CORE_REPORT_COLOR_H
#define LB_CORE_REPORT_COLOR_H

#include <stddef.h>
#include <stdint.h>

/* 8-bit sRGB of processor number `owner`; those of near numbers differ most. */
void lb_owner_color(uint32_t owner, uint8_t color[3]);
/* The colour of a level from 0 (black) over red and yellow to 1 (white). */
void lb_heat_color(double level, uint8_t color[3]);
/* The level of a cost beside the one that is white. */
double lb_heat_level(double cost, double white);
/* The cost that only a thousandth of the `count` costs exceed: what is white. 0: out of memory or nothing costs
 * anything. */
float lb_heat_white(const float *cost, size_t count);

#endif
