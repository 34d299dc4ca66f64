#include "core/run/speeds/weights.h"

#include "core/speed.h"

#include <stdlib.h>

bool lb_weights_measure(const struct lb_report_balance *balance, double *speeds)
{
    uint32_t count = balance->processor_count;
    uint32_t *models = calloc(count + 1, sizeof *models);
    for (uint32_t i = 0; models && i < count; i++) {
        const struct lb_report_processor *one = &balance->processors[i];
        models[i] = one->model;
        speeds[i] = lb_report_measured(one) ? one->speed : 0;
    }
    bool done = models && lb_speeds_of_models(models, count, speeds);
    free(models);
    return done;
}
