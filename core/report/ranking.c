#include "core/report/ranking.h"

#include <math.h>

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

bool lb_median_interval(const double *sorted, size_t count, double *low, double *high)
{
    long k = largest_tail(count, (1 - LB_INTERVAL_COVERAGE) / 2);
    size_t cut = k < 0 ? 0 : (size_t)k;
    *low = count ? sorted[cut] : 0;
    *high = count ? sorted[count - 1 - cut] : 0;
    return k >= 0;
}

void lb_rank(struct lb_ranked *rows, size_t count)
{
    double highest = -INFINITY;
    uint32_t rank = 1;
    for (size_t i = 0; i < count; i++) {
        double lowest = INFINITY;
        for (size_t j = i; j < count; j++)
            lowest = fmin(lowest, rows[j].low);
        if (lowest > highest)
            rank = (uint32_t)i + 1;
        rows[i].rank = rank;
        highest = fmax(highest, rows[i].high);
    }
}
