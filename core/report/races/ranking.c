#include "core/report/races/ranking.h"

#include <math.h>
#include <stdlib.h>

static int compare_values(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void lb_sort_values(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_values);
}

/* The largest k for which at most k of `count` fair coins show heads with no more than `chance`; -1: none. */
static long largest_tail(size_t count, double chance)
{
    double n = (double)count, sum = 0;
    long k = -1;
    while (k + 1 < (long)count) {
        double next = (double)(k + 1);
        sum += exp(lgamma(n + 1) - lgamma(next + 1) - lgamma(n - next + 1) - n * log(2));
        if (sum > chance)
            break;
        k++;
    }
    return k;
}

bool lb_median_interval(const double *sorted, size_t count, size_t rows, double *low, double *high)
{
    long k = largest_tail(count, (1 - LB_INTERVAL_COVERAGE) / 2 / (double)rows);
    size_t cut = k < 0 ? 0 : (size_t)k;
    *low = count ? sorted[cut] : 0;
    *high = count ? sorted[count - 1 - cut] : 0;
    return k >= 0;
}

uint32_t lb_interval_least(size_t rows)
{
    uint32_t count = 1;
    while (largest_tail(count, (1 - LB_INTERVAL_COVERAGE) / 2 / (double)rows) < 0)
        count++;
    return count;
}

/* Of the values of one round, `step` apart, that of row `at`: one more than those that are less, and half of the others
 * that are equal. */
static double rank_in_round(const double *times, size_t rows, size_t step, size_t at)
{
    double rank = 1;
    for (size_t i = 0; i < rows; i++) {
        rank += times[i * step] < times[at * step] ? 1 : 0;
        rank += i != at && times[i * step] == times[at * step] ? 0.5 : 0;
    }
    return rank;
}

void lb_mean_ranks(const double *times, size_t rows, size_t rounds, double *ranks)
{
    for (size_t i = 0; i < rows; i++) {
        double sum = 0;
        for (size_t round = 0; round < rounds; round++)
            sum += rank_in_round(times + round, rows, rounds, i);
        ranks[i] = rounds ? sum / (double)rounds : 1;
    }
}

static double normal_below(double z)
{
    return erfc(-z / sqrt(2)) / 2;
}

/* The probability that `count` values of the standard normal distribution lie within `range` of each other: the
 * least is at z, and all others are above it by no more than that. */
static double range_below(size_t count, double range)
{
    const double step = 1.0 / 64, most = 9;
    double sum = 0;
    for (double z = -most; z <= most; z += step)
        sum += exp(-z * z / 2) * pow(normal_below(z + range) - normal_below(z), (double)count - 1);
    return sum * step * (double)count / sqrt(2 * acos(-1));
}

double lb_rank_difference(size_t rows, size_t rounds)
{
    double low = 0, high = 64, k = (double)rows, n = (double)rounds;
    if (rows < 2 || rounds == 0)
        return 0;
    while (high - low > 1e-9) {
        double middle = (low + high) / 2;
        if (range_below(rows, middle) < LB_ORDER_COVERAGE)
            low = middle;
        else
            high = middle;
    }
    /* Sums of ranks are whole numbers, the one further out of which counts for the half between them. */
    return high * sqrt(k * (k + 1) / (12 * n)) + 1 / n;
}

static bool seems_better(const struct lb_ranked *a, const struct lb_ranked *b, double difference)
{
    return a->high < b->low || b->mean_rank - a->mean_rank > difference;
}

static bool is_better(const struct lb_ranked *a, const struct lb_ranked *b, double difference)
{
    return seems_better(a, b, difference) && !seems_better(b, a, difference);
}

void lb_rank(struct lb_ranked *rows, size_t count, double difference)
{
    for (size_t i = 0; i < count; i++) {
        rows[i].first = 1;
        rows[i].last = (uint32_t)count;
        for (size_t j = 0; j < count; j++) {
            rows[i].first += is_better(&rows[j], &rows[i], difference);
            rows[i].last -= is_better(&rows[i], &rows[j], difference);
        }
    }
}
