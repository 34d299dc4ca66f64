/* Telling what would be rendered, and how long that would take. */
#ifndef LB_CLI_ACTIONS_DRY_RUN_H
#define LB_CLI_ACTIONS_DRY_RUN_H

#include "cli/console/console.h"
#include "cli/options/options.h"

/* Loads the first frame's scene, renders about a second of it, and prints on standard output what is known then.
 * Writes no file. Returns the exit status. */
int cli_dry_run(const struct cli_options *options, struct cli_console *console);

#endif
