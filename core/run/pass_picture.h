/* The picture of a pass, from the local framebuffers. */
#ifndef LB_CORE_RUN_PASS_PICTURE_H
#define LB_CORE_RUN_PASS_PICTURE_H

#include "core/run/pass_job.h"

/* The result's pixels and costs, which are laid out along the order, become the picture's and its map: in place, by the
 * order's inverse. The result says whether the pass is complete. */
enum lb_status lb_pass_assemble(const struct lb_pass_job *job, const lb_order *order,
                                struct lb_pass_result *result, struct lb_error *error);

#endif
