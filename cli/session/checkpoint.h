/* Rendering a frame while its state is written to a file every so often, and whenever SIGUSR1 asks for it. */
#ifndef LB_CLI_SESSION_CHECKPOINT_H
#define LB_CLI_SESSION_CHECKPOINT_H

#include "cli/session/session.h"

/* lb_run_frame() with parts->checkpoint, which is not NULL. What cannot be written is a warning: the render goes on. */
enum lb_status cli_checkpoint_render(struct cli_session *s, uint32_t number, const struct cli_parts *parts,
                                     struct lb_frame *frame);

#endif
