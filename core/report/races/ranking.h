/* What runs of strategies tell: the interval in which the median of a strategy's times lies, and ranks. */
#ifndef LB_CORE_REPORT_RACES_RANKING_H
#define LB_CORE_REPORT_RACES_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The probability with which the intervals of all strategies at once hold their medians, and that with which no two of
 * them are told apart by their ranks in rounds that do not differ: with 99 % all that a race says is right. */
#define LB_INTERVAL_COVERAGE 0.995
#define LB_ORDER_COVERAGE    0.995

/* Sorts them, the least first. */
void lb_sort_values(double *values, size_t count);

/* The interval of the median of what `sorted` (rising) was drawn from, of one of `rows` strategies, each of which may
 * miss its median with an equal part of the probability that any does (Bonferroni). It goes by order statistics (David,
 * Nagaraja, Order Statistics, 2003, 7.1): from the k-th least to the k-th largest value, with the largest k that the
 * binomial distribution allows. It assumes nothing of how times are distributed, and draws nothing. False, with the
 * least and the largest value: there are too few. */
bool lb_median_interval(const double *sorted, size_t count, size_t rows, double *low, double *high);

/* The fewest values for which there is one: 9 for one strategy, 10 for two, 14 for 21. */
uint32_t lb_interval_least(size_t rows);

/* The mean of each row's rank in a round over all rounds (Friedman, The use of ranks to avoid the assumption of
 * normality, 1937): `times` has `rounds` values of each of `rows` rows, row by row; 1 is the least of a round, and
 * those that are equal share the mean of their ranks. Rounds count alike, however noisy they are, and what all of a
 * round have in common does not count. */
void lb_mean_ranks(const double *times, size_t rows, size_t rounds, double *ranks);

/* How far mean ranks are apart that are told apart: if all rows are alike, any two of them are further apart by
 * chance with a probability of 1 - LB_ORDER_COVERAGE at most (Nemenyi 1963; Demsar, Statistical comparisons of
 * classifiers over multiple data sets, 2006, 3.2.2), by the normal distribution that mean ranks have of many rounds,
 * corrected for what is discrete of few. */
double lb_rank_difference(size_t rows, size_t rounds);

/* What is known of a strategy, and the places that it may have: from one more than the number of those that are surely
 * better to that of those that are not surely worse. */
struct lb_ranked {
    double low, high; /* the interval of its median time */
    double mean_rank;
    uint32_t first, last; /* 0: the runs are too few to tell */
};

/* Sets the places of all rows. One is surely better than another where its interval ends before the other's begins or
 * its mean rank is less by more than `difference`, and the other is not better by either. Few rounds of hardly any
 * noise are told apart by intervals, many noisy ones by ranks. Those neither of which is surely better have places in
 * common. */
void lb_rank(struct lb_ranked *rows, size_t count, double difference);

#endif
