/* What a user can do where a strategy has nothing for some of the processors. */
#ifndef LB_CLI_ACTIONS_REMEDIES_H
#define LB_CLI_ACTIONS_REMEDIES_H

#include "core/strategy.h"

/* By the options that the strategy declares; NULL: nothing is known. */
const char *cli_remedy_for(const struct lb_strategy *strategy);

#endif
