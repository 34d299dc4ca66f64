/* Progress on standard error: a bar on a terminal, lines elsewhere. */
#ifndef LB_CLI_SESSION_PROGRESS_H
#define LB_CLI_SESSION_PROGRESS_H

#include "cli/console/console.h"
#include "cli/options/options.h"
#include "core/run/frame.h"

struct cli_progress_show;

/* A frame of several: it is number `index` of `count`, and the first of them began at `begin` (lb_clock_now). */
struct cli_progress_part {
    uint32_t index, count;
    double begin;
    const char *strategy;     /* told where several are run; NULL: not */
    double time_limit, noise; /* of each frame, that may end it before its last sample; 0: none */
};

/* Shows how far `run` is on the way to `total` more samples, which make up `part`, from a thread of its own, until
 * stopped. NULL: nothing is shown. */
struct cli_progress_show *cli_progress_start(struct cli_console *console, enum cli_progress kind,
                                             const struct lb_run *run, uint64_t total,
                                             struct cli_progress_part part);
/* Shows how far the loading of a scene is, from a thread of its own, until stopped. NULL: nothing is shown. */
struct cli_progress_show *cli_progress_start_loading(struct cli_console *console, enum cli_progress kind,
                                                     struct lb_load_progress *loading);
/* Shows that something is done of which nobody knows how long it takes, as "denoising", until stopped. NULL: nothing is
 * shown. */
struct cli_progress_show *cli_progress_start_doing(struct cli_console *console, enum cli_progress kind,
                                                   const char *doing);
void cli_progress_stop(struct cli_progress_show *show);

#endif
