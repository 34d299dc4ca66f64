#include "core/speed.h"

#include <math.h>

/* What each of these does alone: bench/results/speeds.md. */

/* By enum lb_speed_memory. What is reached with that of frames: bench/results/orbit.md; with that of chunks:
 * bench/results/cpu_gpu.md. */
static const double KEPT[] = {1, 0.9, 0.5};

/* The standard deviation of a position's cost over its mean while nothing is measured, and how many ranges must have
 * been measured to believe them as much; the variance of the processors' speeds over the square of their mean,
 * beforehand. bench/results/balance.md, as for auto's other constants (strategies/guided.c). */
static const double DEVIATION = 2, BELIEF = 4, SPREAD = 0.5;

/* Standard errors that are taken for chance: bench/results/orbit.md, with equal speeds and with 1:3:9. */
static const double DOUBTFUL = 3;

/* Weights: a change by less than this part is none, else it is this part of the way. As Cycles' work balancer; no
 * measurement of ours chose them. */
static const double DEAD_BAND = 0.02, DAMPING = 0.5;

void lb_speed_add(struct lb_speed *measured, double work, double seconds, enum lb_speed_memory memory)
{
    measured->work = measured->work * KEPT[memory] + work;
    measured->seconds = measured->seconds * KEPT[memory] + seconds;
}

double lb_speed_of(const struct lb_speed *measured)
{
    return measured->work > 0 && measured->seconds > 0 ? measured->work / measured->seconds : 0;
}

double lb_surprise_variance(const struct lb_surprise *surprise)
{
    return (surprise->squares + BELIEF * DEVIATION * DEVIATION) / (surprise->count + BELIEF);
}

/* A range of m positions by one that was measured on P of them is off by m (1 + m / P) variances of a position. */
void lb_surprise_learn(struct lb_surprise *surprise, const struct lb_speed *before, double speed,
                       double positions, double seconds)
{
    if (before->work <= 0 || speed <= 0)
        return;
    double off = seconds * speed - positions;
    surprise->squares += off * off / (positions * (1 + positions / before->work));
    surprise->count++;
}

/* As though it had done so many positions more at the speed that was guessed as make the guess as sure as it is. */
double lb_speed_expected(const struct lb_speed *measured, double guess, double variance)
{
    double doubt = variance / SPREAD;
    return (measured->work + doubt) / (measured->seconds + doubt / guess);
}

void lb_speeds_normalise(double *speeds, uint32_t count)
{
    double sum = 0;
    for (uint32_t k = 0; k < count; k++)
        sum += speeds[k];
    for (uint32_t k = 0; k < count; k++)
        speeds[k] /= sum;
}

double lb_speed_believed(double ratio, double error)
{
    double deviation = log(ratio), doubt = DOUBTFUL * DOUBTFUL * error * error / (deviation * deviation);
    return doubt < 1 ? exp(deviation * (1 - doubt * doubt)) : 1;
}

double lb_weight_follow(double weight, double measured)
{
    return fabs(measured - weight) > DEAD_BAND * weight ? weight + DAMPING * (measured - weight) : weight;
}
