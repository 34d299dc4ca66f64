/* --list-devices: the processors of this machine, or of a primary that runs elsewhere. */
#ifndef LB_CLI_ACTIONS_LIST_DEVICES_H
#define LB_CLI_ACTIONS_LIST_DEVICES_H

#include "cli/console/console.h"
#include "cli/options/options.h"

/* Prints them; returns the exit status. */
int cli_list_devices(const struct cli_options *options, struct cli_console *console);

#endif
