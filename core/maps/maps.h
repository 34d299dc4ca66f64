/* Pictures about a frame: who rendered what, and what each pixel cost. */
#ifndef LB_CORE_MAPS_MAPS_H
#define LB_CORE_MAPS_MAPS_H

#include "core/base/error.h"
#include "core/report/color.h"
#include "core/report/report.h"

#include <stdint.h>

/* A PNG with a colour a processor, mixed where several rendered samples of a pixel; pixels of nobody are black.
 * Below the map stands a legend with what `balance` tells of each. */
enum lb_status lb_partition_map_write(const char *path, uint32_t width, uint32_t height,
                                      const struct lb_owned *owned, const struct lb_report_balance *balance,
                                      struct lb_error *error);
/* .pfm: the costs themselves, in all three channels. .png: a heat map from black (nothing) over red and yellow to white
 * (the dearest thousandth), by the square root of the cost; below it the scale, in `unit`. */
enum lb_status lb_cost_map_write(const char *path, uint32_t width, uint32_t height, const float *cost,
                                 const char *unit, struct lb_error *error);

#endif
