/* --join: this program works for another one, the primary, instead of for a scene. */
#ifndef LB_CLI_ACTIONS_JOIN_H
#define LB_CLI_ACTIONS_JOIN_H

#include "cli/console/console.h"
#include "cli/options/options.h"

/* Works until the primary has no more to do. Returns the exit status. */
int cli_join(const struct cli_options *options, struct cli_console *console);

#endif
