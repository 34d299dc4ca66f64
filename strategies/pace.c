#include "strategies/pace.h"

#include <math.h>
#include <stdlib.h>

enum lb_status lb_pace_start(struct lb_pace *pace, const struct lb_plan *plan, struct lb_error *error)
{
    if (plan->processor_count > pace->count) {
        lb_pace_free(pace);
        pace->measures = calloc(plan->processor_count, sizeof *pace->measures);
        pace->speeds = calloc(plan->processor_count, sizeof *pace->speeds);
        if (pace->measures == NULL || pace->speeds == NULL)
            return lb_error_memory(error, NULL);
    }
    pace->count = plan->processor_count;
    pace->known = plan->weights_known;
    for (uint32_t k = 0; k < pace->count; k++)
        pace->measures[k].weight = plan->processors[k].weight;
    return LB_OK;
}

void lb_pace_add(struct lb_pace *pace, uint32_t processor, double cost, double seconds)
{
    lb_speed_add(&pace->measures[processor].now, cost, seconds, LB_SPEED_ALL);
}

/* Adds what was added up to what was before. Only the ratios of its speeds mean anything: they are scaled to what those
 * processors' speeds were taken to be in all. */
static void take_up(struct lb_pace *pace)
{
    double cost = 0, measured = 0, known = 0;
    for (uint32_t k = 0; k < pace->count; k++) {
        const struct lb_speed *now = &pace->measures[k].now;
        cost += now->work;
        if (lb_speed_of(now) > 0) {
            measured += lb_speed_of(now);
            known += pace->speeds[k];
        }
    }
    for (uint32_t k = 0; k < pace->count; k++) {
        struct lb_pace_measure *one = &pace->measures[k];
        double speed = lb_speed_of(&one->now), part = speed > 0 ? one->now.work / cost : 0;
        lb_speed_add(&one->mean, speed > 0 ? part * (speed * (known / measured)) : 0, part, LB_SPEED_FRAMES);
        one->now = (struct lb_speed){0};
    }
}

void lb_pace_forget(struct lb_pace *pace)
{
    for (uint32_t k = 0; k < pace->count; k++) {
        pace->measures[k] = (struct lb_pace_measure){.weight = pace->measures[k].weight};
        pace->speeds[k] = pace->measures[k].weight;
    }
}

void lb_pace_learn(struct lb_pace *pace, double noise)
{
    if (pace->known) {
        lb_pace_forget(pace);
        return;
    }
    take_up(pace);
    for (uint32_t k = 0; k < pace->count; k++)
        if (lb_speed_of(&pace->measures[k].mean) > 0)
            pace->speeds[k] = lb_speed_of(&pace->measures[k].mean);
    lb_speeds_normalise(pace->speeds, pace->count);
    for (uint32_t k = 0; k < pace->count; k++) {
        const struct lb_pace_measure *one = &pace->measures[k];
        double weight = one->weight, error = noise / sqrt(fmax(one->mean.seconds, 1e-9));
        pace->speeds[k] = weight * lb_speed_believed(pace->speeds[k] / weight, error);
    }
    lb_speeds_normalise(pace->speeds, pace->count);
}

double lb_pace_noise(const float *costs, size_t count)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)costs[i];
        if (i > 0) {
            double step = (double)costs[i] - (double)costs[i - 1];
            squares += step * step / 2;
        }
    }
    return sum > 0 && count > 1 ? sqrt(squares / (double)(count - 1) * (double)count) / sum : 0;
}

void lb_pace_free(struct lb_pace *pace)
{
    free(pace->measures);
    free(pace->speeds);
    *pace = (struct lb_pace){0};
}
