#include "strategies/forecast.h"

#include <stdlib.h>

size_t lb_forecast_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct lb_forecast);
}

enum lb_status lb_forecast_start(struct lb_forecast *forecast, const struct lb_plan *plan,
                                 struct lb_error *error)
{
    uint32_t count = plan->processor_count;
    if (count > forecast->capacity) {
        free(forecast->leaves);
        free(forecast->weights);
        forecast->leaves = calloc(count, sizeof *forecast->leaves);
        forecast->weights = calloc(count, sizeof *forecast->weights);
        forecast->capacity = count;
        if (forecast->leaves == NULL || forecast->weights == NULL) {
            forecast->capacity = 0;
            return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        bool lost = plan->last != NULL && plan->last[k].lost;
        forecast->weights[k] = plan->processors[k].weight * (lost ? 1e-9 : 1);
    }
    return lb_density_start(&forecast->density, plan->width, plan->height, error);
}

void lb_forecast_guess(struct lb_forecast *forecast, const struct lb_plan *plan)
{
    if (plan->estimate != NULL)
        lb_density_add_map(&forecast->density, plan->estimate);
    lb_density_finish(&forecast->density);
}

bool lb_forecast_has_last(const struct lb_forecast *forecast, const struct lb_plan *plan)
{
    return plan->last != NULL && forecast->blocks.processors == plan->processor_count &&
           forecast->blocks.count > 0 && forecast->blocks.outstanding == 0 &&
           forecast->density.width == plan->width && forecast->density.height == plan->height;
}

void lb_forecast_learn(struct lb_forecast *forecast)
{
    const struct lb_blocks *blocks = &forecast->blocks;
    for (uint32_t i = 0; i < blocks->count; i++)
        lb_density_add(&forecast->density, &blocks->blocks[i],
                       blocks->seconds[i] * forecast->weights[blocks->doer[i]]);
    lb_density_finish(&forecast->density);
}

enum lb_status lb_forecast_finish(struct lb_forecast *forecast, const struct lb_plan *plan,
                                  struct lb_order *order, struct lb_error *error)
{
    return lb_blocks_start(&forecast->blocks, plan, forecast->leaves, order, error);
}

void lb_forecast_end(void *state)
{
    struct lb_forecast *forecast = state;
    lb_blocks_free(&forecast->blocks);
    lb_density_free(&forecast->density);
    free(forecast->leaves);
    free(forecast->weights);
    *forecast = (struct lb_forecast){0};
}
