/* What runs of strategies tell: the interval in which the median of a strategy's times lies, and ranks. */
#ifndef LB_CORE_REPORT_RACES_RANKING_H
#define LB_CORE_REPORT_RACES_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The probability with which the intervals of all strategies at once hold their medians. */
#define LB_INTERVAL_COVERAGE 0.99

/* The interval of the median of what `sorted` (rising) was drawn from, of one of `rows` strategies, each of which may
 * miss its median with an equal part of the probability that any does (Bonferroni). It goes by order statistics (David,
 * Nagaraja, Order Statistics, 2003, 7.1): from the k-th least to the k-th largest value, with the largest k that the
 * binomial distribution allows. It assumes nothing of how times are distributed, and draws nothing. False, with the
 * least and the largest value: there are too few. */
bool lb_median_interval(const double *sorted, size_t count, size_t rows, double *low, double *high);

/* The fewest values for which there is one: 8 for one strategy, 9 for two, 13 for 21. */
uint32_t lb_interval_least(size_t rows);

/* An interval for each of `count` rows, and the places that the row may have: from one more than the number of those
 * that are surely better, whose intervals end before its own begins, to that of those that are not surely worse. */
struct lb_ranked {
    double low, high;
    uint32_t first, last;
};

/* Sets the places of all rows. Whose intervals overlap have places in common; who is surely better than another one has
 * none with it that are not better. */
void lb_rank(struct lb_ranked *rows, size_t count);

#endif
