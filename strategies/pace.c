#include "strategies/pace.h"

#include <math.h>
#include <stdlib.h>

static const double KEPT = 0.9;   /* of what was measured so far, each time that more is */
static const double DOUBTFUL = 3; /* standard errors that are taken for chance */

enum lb_status lb_pace_start(struct lb_pace *pace, uint32_t count, struct lb_error *error)
{
    if (count <= pace->capacity)
        return LB_OK;
    lb_pace_free(pace);
    pace->cost = calloc(count, sizeof *pace->cost);
    pace->seconds = calloc(count, sizeof *pace->seconds);
    pace->part = calloc(count, sizeof *pace->part);
    pace->done = calloc(count, sizeof *pace->done);
    pace->speeds = calloc(count, sizeof *pace->speeds);
    if (pace->cost == NULL || pace->seconds == NULL || pace->part == NULL || pace->done == NULL ||
        pace->speeds == NULL)
        return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
    pace->capacity = count;
    return LB_OK;
}

void lb_pace_add(struct lb_pace *pace, uint32_t processor, double cost, double seconds)
{
    pace->cost[processor] += cost;
    pace->seconds[processor] += seconds;
}

/* Adds what was added up to what was before. Only the ratios of its speeds mean anything: they are scaled to what those
 * processors' speeds were taken to be in all. */
static void take_up(struct lb_pace *pace, uint32_t count)
{
    double cost = 0, measured = 0, known = 0;
    for (uint32_t k = 0; k < count; k++) {
        cost += pace->cost[k];
        if (pace->cost[k] > 0 && pace->seconds[k] > 0) {
            measured += pace->cost[k] / pace->seconds[k];
            known += pace->speeds[k];
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        pace->part[k] *= KEPT;
        pace->done[k] *= KEPT;
        if (pace->cost[k] > 0 && pace->seconds[k] > 0) {
            pace->part[k] += pace->cost[k] / cost;
            pace->done[k] += pace->cost[k] / cost * (pace->cost[k] / pace->seconds[k] * (known / measured));
        }
        pace->cost[k] = pace->seconds[k] = 0;
    }
}

static void normalise(double *speeds, uint32_t count)
{
    double sum = 0;
    for (uint32_t k = 0; k < count; k++)
        sum += speeds[k];
    for (uint32_t k = 0; k < count; k++)
        speeds[k] /= sum;
}

/* What is left of a ratio of speeds once its logarithm, which has a standard error, is not taken for more than is sure:
 * nothing of what chance may do, nearly all of what is far beyond. */
static double believed(double ratio, double error)
{
    double deviation = log(ratio), doubt = DOUBTFUL * DOUBTFUL * error * error / (deviation * deviation);
    return doubt < 1 ? exp(deviation * (1 - doubt * doubt)) : 1;
}

void lb_pace_forget(struct lb_pace *pace, const struct lb_plan *plan)
{
    for (uint32_t k = 0; k < plan->processor_count; k++) {
        pace->cost[k] = pace->seconds[k] = pace->part[k] = pace->done[k] = 0;
        pace->speeds[k] = plan->processors[k].weight;
    }
}

void lb_pace_learn(struct lb_pace *pace, const struct lb_plan *plan, double noise)
{
    uint32_t count = plan->processor_count;
    if (plan->weights_known) {
        lb_pace_forget(pace, plan);
        return;
    }
    take_up(pace, count);
    for (uint32_t k = 0; k < count; k++)
        if (pace->part[k] > 0)
            pace->speeds[k] = pace->done[k] / pace->part[k];
    normalise(pace->speeds, count);
    for (uint32_t k = 0; k < count; k++) {
        double weight = plan->processors[k].weight, error = noise / sqrt(fmax(pace->part[k], 1e-9));
        pace->speeds[k] = weight * believed(pace->speeds[k] / weight, error);
    }
    normalise(pace->speeds, count);
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
    free(pace->cost);
    free(pace->seconds);
    free(pace->part);
    free(pace->done);
    free(pace->speeds);
    *pace = (struct lb_pace){0};
}
