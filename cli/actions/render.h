/* The program's main work: load, render, write, report. */
#ifndef LB_CLI_ACTIONS_RENDER_H
#define LB_CLI_ACTIONS_RENDER_H

#include "cli/console/console.h"
#include "cli/options/options.h"

/* Returns the exit status; every message has been printed. */
int cli_render(const struct cli_options *options, struct cli_console *console);

#endif
