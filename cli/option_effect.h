/* Options that were given and change nothing. */
#ifndef LB_CLI_OPTION_EFFECT_H
#define LB_CLI_OPTION_EFFECT_H

#include "cli/options.h"

/* A warning for each that has no effect in what is done, as the picture's name in a simulation. What a strategy does
 * not read is told by cli_strategy_options_warn. */
void cli_option_effect_warn(const struct cli_options *options, const struct lb_log *log);

#endif
