/* The picture bisected along its longer sides into p rectangles of equal estimated cost: paper III.B; pre-processing
 * [11]. The estimate is coverage, or what a cheap pre-pass found; without one the rectangles have equal areas. */
#include "strategies/forecast.h"

static enum lb_status estimate_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                    struct lb_error *error)
{
    struct lb_forecast *forecast = state;
    enum lb_status status = lb_forecast_start(forecast, plan, error);
    if (status != LB_OK)
        return status;
    lb_forecast_guess(forecast, plan);
    lb_density_bisect(&forecast->density, forecast->weights, plan->processor_count, forecast->leaves);
    return lb_forecast_finish(forecast, plan, order, error);
}

const struct lb_strategy lb_strategy_estimate = {
    .name = "estimate",
    .summary = "rectangles of equal estimated cost",
    .weights = LB_WEIGHTS_FOLLOWED,
    .estimate = true,
    .state_size = lb_forecast_state_size,
    .plan = estimate_plan,
    .next = lb_blocks_next,
    .done = lb_blocks_done,
    .failed = lb_blocks_failed,
    .ready = lb_blocks_ready,
    .end = lb_forecast_end,
};
