/* --compare --threads=1..8: a race on each number of threads, as curves. */
#ifndef LB_CLI_ACTIONS_THREAD_CURVES_H
#define LB_CLI_ACTIONS_THREAD_CURVES_H

#include "cli/console/console.h"
#include "cli/options/options.h"

/* Of options with thread_steps. Returns the exit status; every message has been printed. */
int cli_thread_curves(const struct cli_options *options, struct cli_console *console);

#endif
