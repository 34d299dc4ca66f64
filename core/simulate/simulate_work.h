/* The work of a picture along an order, as the simulator deals it out. */
#ifndef LB_CORE_SIMULATE_SIMULATE_WORK_H
#define LB_CORE_SIMULATE_SIMULATE_WORK_H

#include "core/strategy.h"

/* Zeroed it is empty; what it has is kept from frame to frame for the next. */
struct lb_sim_work {
    lb_order order, whole; /* whole: of whole pixels, which each block of samples goes through */
    uint32_t samples;      /* of a pixel */
    double *before;        /* work of the pixels before each position of `whole`; whole.count + 1 */
    double *dearest; /* the dearest pixel under each node of a tree over the positions; made when asked for */
    uint32_t *pixels; /* the number of pixels before each position of `whole`; whole.count + 1 */
    size_t capacity;
    double mean; /* of a pixel */
};

/* The pixel at each place of the Hilbert curve of a picture of less than 2^32 pixels, to be freed. NULL: out of
 * memory. */
uint32_t *lb_sim_hilbert(uint32_t width, uint32_t height);
/* Lays costs * scale, a map of the picture's size, along `order`. `hilbert`: the pixel at each place of the picture's
 * Hilbert curve, or NULL. */
enum lb_status lb_sim_work_lay(struct lb_sim_work *work, const lb_order *order, uint32_t samples,
                               const uint32_t *hilbert, const struct lb_estimate *costs, double scale,
                               struct lb_error *error);
/* The work of a range; a position that was born at run time, beyond the order's end, is worth the mean pixel. */
double lb_sim_work_of(const struct lb_sim_work *work, struct lb_range range);
/* For lb_sim_work_dearest(), once the work was laid. False: out of memory. */
bool lb_sim_work_index(struct lb_sim_work *work);
/* The work of the dearest position of a range. */
double lb_sim_work_dearest(const struct lb_sim_work *work, struct lb_range range);
/* The work of the whole order. */
double lb_sim_work_all(const struct lb_sim_work *work);
/* The pixels of a range, one for each block of its samples; a born position is as many as a pixel has. */
uint64_t lb_sim_work_pixels(const struct lb_sim_work *work, struct lb_range range);
void lb_sim_work_free(struct lb_sim_work *work);

#endif
