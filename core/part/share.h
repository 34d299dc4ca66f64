/* The pixels of one of several shares of a picture, well spread over it, so that each costs about what its weight
 * says: by the order of the strategy bitrev (book 10.3.3), of whose positions each share has as many in a row. */
#ifndef LB_CORE_PART_SHARE_H
#define LB_CORE_PART_SHARE_H

#include "core/base/error.h"

#include <stdint.h>

/* Share `number` of 0 .. count - 1; `weights`: count positive numbers with the sum 1, or NULL: all alike. `*bits`: a
 * bit a pixel, the lowest first, the caller's to free. Every pixel is in exactly one share. */
enum lb_status lb_share_pixels(uint32_t width, uint32_t height, uint32_t number, uint32_t count,
                               const double *weights, uint64_t **bits, struct lb_error *error);

#endif
