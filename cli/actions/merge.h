/* --merge: joins parts of a picture, without its scene. */
#ifndef LB_CLI_ACTIONS_MERGE_H
#define LB_CLI_ACTIONS_MERGE_H

#include "cli/console/console.h"
#include "cli/options/options.h"

/* Joins the operands and writes the picture, or the part, that they make. Returns the exit status. */
int cli_merge(const struct cli_options *options, struct cli_console *console);

#endif
