/* The example of CONTRIBUTING.md, for the tests; a strategy of the table is declared in strategies/table.c. */
#ifndef LB_STRATEGIES_SKELETON_H
#define LB_STRATEGIES_SKELETON_H

#include "core/strategy.h"

extern const struct lb_strategy lb_strategy_skeleton;

#endif
