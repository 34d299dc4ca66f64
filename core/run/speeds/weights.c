#include "core/run/speeds/weights.h"

#include "core/speed.h"

#include <stdlib.h>

bool lb_weights_measure(const struct lb_report_balance *balance, double *speeds)
{
    uint32_t count = balance->processor_count;
    struct sum {
        double speed;
        uint32_t number;
    } *sums = calloc(count + 1, sizeof *sums);
    if (!sums)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (lb_report_measured(&balance->processors[i])) {
            struct sum *sum = &sums[balance->processors[i].model];
            sum->speed += balance->processors[i].speed;
            sum->number++;
        }
    for (uint32_t i = 0; i < count; i++) {
        const struct sum *sum = &sums[balance->processors[i].model];
        speeds[i] = sum->number ? sum->speed / sum->number : 0;
    }
    free(sums);
    return true;
}

void lb_weights_refine(const double *speeds, uint32_t count, bool first, double *weights)
{
    double speed = 0, weight = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        if (speeds[i] > 0) {
            speed += speeds[i];
            weight += weights[i];
        }
    for (uint32_t i = 0; i < count; i++) {
        if (speeds[i] > 0) {
            double measured = weight * speeds[i] / speed;
            weights[i] = first ? measured : lb_weight_follow(weights[i], measured);
        }
        sum += weights[i];
    }
    for (uint32_t i = 0; i < count; i++)
        weights[i] /= sum;
}
