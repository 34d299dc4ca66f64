#include "core/speed.h"

#include <math.h>
#include <stdlib.h>

/* bench/results/speeds.md has what changing each of these constants alone does. */

/* Which part of the older measurements counts when one is added, by enum lb_speed_memory. bench/results/orbit.md has
 * what is reached with the second, that of frames, bench/results/cpu_gpu.md with the third, that of chunks. */
static const double KEPT[] = {1, 0.9, 0.5};

/* What is believed before anything is measured. DEVIATION: the standard deviation of a position's cost over its mean,
 * and BELIEF: how many measured ranges weigh as much as that belief. SPREAD: the variance of the processors' speeds
 * over the square of their mean. bench/results/balance.md has what auto reaches with these and with those of
 * strategies/guided.c. */
static const double DEVIATION = 2, BELIEF = 4, SPREAD = 0.5;

/* Differences of up to so many standard errors are taken for chance. bench/results/orbit.md has what is reached with
 * equal speeds and with 1:3:9. */
static const double DOUBTFUL = 3;

/* What ranges take beyond their work is believed less so many standard errors; it is no more than this part of what a
 * processor took in all. */
static const double UNSURE = 1, MOST_BEGINNING = 0.9;

/* How weights follow measurements: a difference of less than DEAD_BAND of the weight is ignored, and else DAMPING of it
 * is made up for. Both are those of Cycles' work balancer; no measurement of ours chose them. */
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

/* If a speed was measured on P positions, the cost that is expected of m others by it has an error of variance
 * m (1 + m / P) times that of one position. */
void lb_surprise_learn(struct lb_surprise *surprise, const struct lb_speed *before, double speed,
                       double positions, double seconds)
{
    if (before->work <= 0 || speed <= 0)
        return;
    double off = seconds * speed - positions;
    surprise->squares += off * off / (positions * (1 + positions / before->work));
    surprise->count++;
}

/* If n positions take n / v + b seconds, and N others took N / v + r b in r ranges, then t - n T / N = b (1 - r n / N);
 * if they are the rest of a range, they take n / v, and 1 becomes 0. So b is the slope of the line through all those,
 * each counting by the inverse variance of its left side. */
void lb_beginning_learn(struct lb_beginning *beginning, const struct lb_speed *before, double ranges,
                        double positions, double seconds, bool begun)
{
    if (before->work <= 0 || before->seconds <= 0)
        return;
    double each = before->seconds / before->work, part = positions / before->work;
    double more = seconds - positions * each, due = (begun ? 0 : 1) - ranges * part;
    double weight = 1 / (positions * (1 + part) * each * each);
    beginning->products += weight * due * more;
    beginning->squares += weight * due * due;
}

double lb_beginning_of(const struct lb_beginning *beginning, double variance)
{
    if (!(beginning->squares > 0))
        return 0;
    double seconds = beginning->products / beginning->squares - UNSURE * sqrt(variance / beginning->squares);
    return seconds > 0 ? seconds : 0;
}

struct lb_speed lb_speed_without(const struct lb_speed *measured, double beginnings)
{
    double most = MOST_BEGINNING * measured->seconds;
    return (struct lb_speed){measured->work, measured->seconds - (beginnings < most ? beginnings : most)};
}

/* The guess counts as so many further positions, done at the guessed speed, as would make it as sure as it is. */
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

bool lb_speeds_of_models(const uint32_t *models, uint32_t count, double *speeds)
{
    struct sum {
        double speed;
        uint32_t number;
    } *sums = calloc(count + 1, sizeof *sums);
    if (!sums)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (speeds[i] > 0) {
            sums[models[i]].speed += speeds[i];
            sums[models[i]].number++;
        }
    for (uint32_t i = 0; i < count; i++) {
        const struct sum *sum = &sums[models[i]];
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
