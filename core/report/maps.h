/* Pictures about a frame: who rendered what, and what each pixel cost. */
#ifndef LB_CORE_REPORT_MAPS_H
#define LB_CORE_REPORT_MAPS_H

#include "core/base/error.h"

#include <stdint.h>

/* A PNG with a colour a processor; pixels of nobody (UINT32_MAX) are black. */
enum lb_status lb_partition_map_write(const char *path, uint32_t width, uint32_t height,
                                      const uint32_t *owners, struct lb_error *error);
/* .pfm: the costs themselves, in all three channels. .png: a heat map from black (nothing) over red and yellow to white
 * (the dearest thousandth), by the square root of the cost. */
enum lb_status lb_cost_map_write(const char *path, uint32_t width, uint32_t height, const float *cost,
                                 struct lb_error *error);

#endif
