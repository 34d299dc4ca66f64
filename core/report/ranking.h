/* What runs of strategies tell: the interval in which the median of a strategy's times lies, and ranks. */
#ifndef LB_CORE_REPORT_RANKING_H
#define LB_CORE_REPORT_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The probability with which an interval holds the median, and the fewest values for which there is one. */
#define LB_INTERVAL_COVERAGE 0.99
enum { LB_INTERVAL_LEAST = 8 };

/* The interval of the median of what `sorted` (rising) was drawn from, by order statistics (David, Nagaraja, Order
 * Statistics, 2003, 7.1): the k-th least and the k-th largest value, with the largest k for which the binomial
 * distribution gives at least LB_INTERVAL_COVERAGE. It assumes nothing of how times are distributed, and draws nothing.
 * False, with the least and the largest value: there are too few. */
bool lb_median_interval(const double *sorted, size_t count, double *low, double *high);

/* An interval for each of `count` rows, and what becomes of it. */
struct lb_ranked {
    double low, high;
    uint32_t rank; /* 1 + how many are better */
};

/* Ranks: who is joined to another by intervals that overlap, be it over a third one, shares a rank. The rows stand in
 * any order of which the better ones come first, as by their medians. */
void lb_rank(struct lb_ranked *rows, size_t count);

#endif
