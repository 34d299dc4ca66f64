/* A pass, from its plan to its picture and figures. */
#ifndef LB_CORE_RUN_PASS_PASS_H
#define LB_CORE_RUN_PASS_PASS_H

#include "core/run/pass/pass_job.h"

/* Plans and renders the pass. LB_OK also when it was stopped or processors were lost. The result is the caller's to
 * release, or to take apart, also after an error. */
enum lb_status lb_pass_render(const struct lb_pass_job *job, struct lb_pass_result *result,
                              struct lb_error *error);
void lb_pass_result_free(struct lb_pass_result *result);

#endif
