/* Adaptive frames: rounds that tell where the picture is noisy, and the passes that follow from them. */
#ifndef LB_CORE_RUN_FRAME_ADAPTIVE_H
#define LB_CORE_RUN_FRAME_ADAPTIVE_H

#include "core/run/frame.h"
#include "core/run/run_state.h"

/* Renders the frame, whose samples are as many in a pixel on average as the scene says (core/run/adaptive.h). */
enum lb_status lb_frame_render_adaptively(struct lb_run *run, const lb_scene *scene,
                                          const struct lb_wish *wish, struct lb_frame *frame,
                                          struct lb_error *error);

#endif
