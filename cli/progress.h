/* Progress on standard error: a bar on a terminal, lines elsewhere. */
#ifndef LB_CLI_PROGRESS_H
#define LB_CLI_PROGRESS_H

#include "cli/console.h"
#include "cli/options.h"
#include "core/run/frame.h"

struct cli_progress_show;

/* Shows how far `run` is on the way to `total` samples, from a thread of its own, until stopped. NULL: nothing is shown. */
struct cli_progress_show *cli_progress_start(struct cli_console *console, enum cli_progress kind,
                                             const struct lb_run *run, uint64_t total);
void cli_progress_stop(struct cli_progress_show *show);

#endif
