/* What the other programs of a machine did is taken out of a race's times. */
#ifndef LB_CORE_REPORT_RACES_COMPARISON_ADJUST_H
#define LB_CORE_REPORT_RACES_COMPARISON_ADJUST_H

#include "core/report/races/comparison.h"

/* Sets `adjusted` of all runs. What a run would have taken had its threads had their CPUs all the time is t (t_min -
 * slowed) / t_min, which leaves its efficiency as it is. Of this, what a round's runs have in common (a clock that is
 * slower for a while, a cache that others use) is divided by the middle of the round's strategies, and multiplied by
 * the middle of these middles. Runs of a round that is not complete keep their own level. In a simulation nobody else
 * uses the processors: `adjusted` is t. Where there is no memory for the rounds' levels, levels stay too. */
void lb_comparison_adjust(struct lb_comparison *comparison);

/* The rounds that all strategies have a run of. */
uint32_t lb_comparison_rounds(const struct lb_comparison *comparison);

#endif
