/* A pass added to its frame: pictures, times, figures. */
#ifndef LB_CORE_RUN_FRAME_ADD_H
#define LB_CORE_RUN_FRAME_ADD_H

#include "core/run/frame.h"
#include "core/run/pass/pass_job.h"

/* Adds the pass up into the frame, which takes over those of its arrays that it can use. `wants_noise`: frame->noise is
 * set where an earlier pass is there to compare with. `channel_sums`: how many sums a pixel has (lb_channels.count).
 * An error is a lack of memory, after which the frame lacks a part of the pass. */
enum lb_status lb_frame_add(struct lb_frame *frame, struct lb_pass_result *pass, bool wants_noise,
                            uint32_t channel_sums, struct lb_error *error);

#endif
