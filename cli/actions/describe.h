/* --describe: says what parts of pictures hold. */
#ifndef LB_CLI_ACTIONS_DESCRIBE_H
#define LB_CLI_ACTIONS_DESCRIBE_H

#include "cli/console/console.h"
#include "cli/options/options.h"

/* Prints what each operand is, as text or, with --report-format=json, as JSON. Returns the exit status. */
int cli_describe(const struct cli_options *options, struct cli_console *console);

#endif
