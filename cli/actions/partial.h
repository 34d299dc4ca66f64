/* The files of a frame that is not complete: stopped by a signal, its processors lost, or asked for on its way. */
#ifndef LB_CLI_ACTIONS_PARTIAL_H
#define LB_CLI_ACTIONS_PARTIAL_H

#include "cli/actions/job.h"

/* Writes what there is of `frame`, whose picture would be `file` (NULL: none): the part, the partial picture, and its
 * place in the report. Tells the user why the frame ended and what was written; returns the exit status. `start`:
 * seconds from the run's start to the frame's. */
int cli_partial_deliver(struct cli_job *job, struct lb_frame *frame, const char *file, double start);
/* Writes the picture as far as it is, as SIGUSR1 asks, to a file beside that of the whole picture. `user`: the
 * struct cli_job; a cli_parts.show. */
void cli_partial_show(void *user, const struct lb_part *part);

#endif
