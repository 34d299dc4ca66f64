/* The files of a frame that is complete. */
#ifndef LB_CLI_ACTIONS_DELIVER_H
#define LB_CLI_ACTIONS_DELIVER_H

#include "cli/actions/job.h"

/* Writes the part, the picture, denoised where that is asked for, and the maps; the report of `frame`, which takes over
 * `file` (the picture's name, or NULL), goes into the job's outputs. Returns the exit status. `start`: seconds from the
 * run's start to the frame's. */
int cli_deliver(struct cli_job *job, struct lb_frame *frame, char *file, double start);

#endif
