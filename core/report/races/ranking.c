#include "core/report/races/ranking.h"

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

void lb_rank(struct lb_ranked *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rows[i].first = 1;
        rows[i].last = (uint32_t)count;
        for (size_t j = 0; j < count; j++) {
            rows[i].first += rows[j].high < rows[i].low;
            rows[i].last -= rows[j].low > rows[i].high;
        }
    }
}
