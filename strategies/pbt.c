/* A prediction binary tree: estimate's rectangles at first, then re-cut before every frame from the times of the last. Paper
 * III.A-C, equations 4 to 8, with these mends: intervals are half-open; the processors are halved in number and the cost is
 * split as their weights are, so that p need not be a power of two; C is a time, which times the weight of the processor that
 * took it is cost; and it is known block by block, not only leaf by leaf. Where weights are not known, times take their place,
 * and the shares converge to the speeds over some frames. */
#include "strategies/forecast.h"

static enum lb_status pbt_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                               struct lb_error *error)
{
    struct lb_forecast *forecast = state;
    bool learn = lb_forecast_has_last(forecast, plan);
    enum lb_status status = lb_forecast_start(forecast, plan, error);
    if (status != LB_OK)
        return status;
    if (learn && !plan->estimate_exact)
        lb_forecast_learn(forecast, plan);
    else
        lb_forecast_guess(forecast, plan);
    lb_density_bisect(&forecast->density, forecast->weights, plan->processor_count, forecast->leaves);
    return lb_forecast_finish(forecast, plan, order, error);
}

const struct lb_strategy lb_strategy_pbt = {
    .name = "pbt",
    .summary = "rectangles re-cut every frame from the last one's times",
    .weights = LB_WEIGHTS_FOLLOWED,
    .estimate = true,
    .state_size = lb_forecast_state_size,
    .plan = pbt_plan,
    .next = lb_blocks_next,
    .done = lb_blocks_done,
    .failed = lb_blocks_failed,
    .ready = lb_blocks_ready,
    .end = lb_forecast_end,
};
