/* Probes count steps; where costs are measured in seconds, so must what they found be. */
#ifndef LB_CORE_RUN_ESTIMATE_UNIT_H
#define LB_CORE_RUN_ESTIMATE_UNIT_H

#include "core/run/frame.h"

/* Turns what probes found from steps into seconds, by how long a step took in the frame on the mean. Nothing where the
 * frame has no costs, or took no steps. */
void lb_estimates_in_seconds(struct lb_frame *frame);

#endif
