/* The places that strategies may have in a race. */
#ifndef LB_CORE_REPORT_RACES_COMPARISON_RANK_H
#define LB_CORE_REPORT_RACES_COMPARISON_RANK_H

#include "core/report/races/comparison.h"

/* Sets the intervals of all rows and, where these have enough runs or are those of a simulation of one run each, their
 * places, by the adjusted times that there must be, and of real runs by the balance. Out of memory there are no
 * places. */
void lb_comparison_rank(struct lb_comparison *comparison);

#endif
