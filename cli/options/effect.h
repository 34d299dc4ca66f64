/* Options that were given and change nothing. */
#ifndef LB_CLI_OPTIONS_EFFECT_H
#define LB_CLI_OPTIONS_EFFECT_H

#include "cli/options/options.h"

/* A warning for each that has no effect in what is done, as the picture's name in a simulation. */
void cli_option_effect_warn(const struct cli_options *options, const struct lb_log *log);
/* A warning for weights, and for each option of strategies, that the chosen strategy has no use for. */
void cli_option_effect_warn_strategy(const struct cli_options *options, const struct lb_log *log);

#endif
