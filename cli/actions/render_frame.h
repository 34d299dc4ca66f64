/* One frame, from its scene to its files. */
#ifndef LB_CLI_ACTIONS_RENDER_FRAME_H
#define LB_CLI_ACTIONS_RENDER_FRAME_H

#include "cli/actions/job.h"

/* Loads the scene of frame `number` where it is not loaded, renders it, writes its files and unloads the scene.
 * Releases `file`, the picture's name or NULL, or hands it on. Returns the exit status; every message was printed. */
int cli_render_frame(struct cli_job *job, uint32_t number, char *file);

#endif
