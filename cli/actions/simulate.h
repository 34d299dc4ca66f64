/* --simulate: a strategy, or with --compare all of them, under the virtual clock. */
#ifndef LB_CLI_ACTIONS_SIMULATE_H
#define LB_CLI_ACTIONS_SIMULATE_H

#include "cli/console/console.h"
#include "cli/options/options.h"

/* Returns the exit status; every message has been printed. */
int cli_simulate(const struct cli_options *options, struct cli_console *console);

#endif
