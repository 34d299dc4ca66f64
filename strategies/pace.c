#include "strategies/pace.h"

#include <math.h>
#include <stdlib.h>

static const double KEPT = 0.9;   /* of what was measured so far, each time that more is */
static const double DOUBTFUL = 3; /* standard errors that are taken for chance */

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
    pace->measures[processor].cost += cost;
    pace->measures[processor].seconds += seconds;
}

/* Adds what was added up to what was before. Only the ratios of its speeds mean anything: they are scaled to what those
 * processors' speeds were taken to be in all. */
static void take_up(struct lb_pace *pace)
{
    double cost = 0, measured = 0, known = 0;
    for (uint32_t k = 0; k < pace->count; k++) {
        const struct lb_pace_measure *one = &pace->measures[k];
        cost += one->cost;
        if (one->cost > 0 && one->seconds > 0) {
            measured += one->cost / one->seconds;
            known += pace->speeds[k];
        }
    }
    for (uint32_t k = 0; k < pace->count; k++) {
        struct lb_pace_measure *one = &pace->measures[k];
        one->part *= KEPT;
        one->done *= KEPT;
        if (one->cost > 0 && one->seconds > 0) {
            one->part += one->cost / cost;
            one->done += one->cost / cost * (one->cost / one->seconds * (known / measured));
        }
        one->cost = one->seconds = 0;
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
        if (pace->measures[k].part > 0)
            pace->speeds[k] = pace->measures[k].done / pace->measures[k].part;
    normalise(pace->speeds, pace->count);
    for (uint32_t k = 0; k < pace->count; k++) {
        double weight = pace->measures[k].weight, error = noise / sqrt(fmax(pace->measures[k].part, 1e-9));
        pace->speeds[k] = weight * believed(pace->speeds[k] / weight, error);
    }
    normalise(pace->speeds, pace->count);
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
