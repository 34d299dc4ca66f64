/* Rectangles by a forecast of the cost: what estimate and robles share. */
#ifndef LB_STRATEGIES_FORECAST_H
#define LB_STRATEGIES_FORECAST_H

#include "strategies/blocks.h"
#include "strategies/density.h"

/* The first member of their states; all zero before the first frame. */
struct lb_forecast {
    struct lb_blocks blocks; /* first */
    struct lb_density density;
    lb_rectangle *leaves; /* a processor each */
    double *weights;      /* likewise; of a processor that is lost next to nothing */
    uint32_t capacity;
};

size_t lb_forecast_state_size(uint32_t processors);
/* Makes room and takes up the plan's weights. */
enum lb_status lb_forecast_start(struct lb_forecast *forecast, const struct lb_plan *plan,
                                 struct lb_error *error);
/* From the plan's estimate, or evenly where there is none. */
void lb_forecast_guess(struct lb_forecast *forecast, const struct lb_plan *plan);
/* From the times of the last frame's blocks (paper, equation 8), each times the weight of the processor that took
 * it. */
void lb_forecast_learn(struct lb_forecast *forecast);
/* Was there a last frame of the same size and processors? */
bool lb_forecast_has_last(const struct lb_forecast *forecast, const struct lb_plan *plan);
/* The leaves become the frame's. */
enum lb_status lb_forecast_finish(struct lb_forecast *forecast, const struct lb_plan *plan,
                                  struct lb_order *order, struct lb_error *error);
void lb_forecast_end(void *state);

#endif
