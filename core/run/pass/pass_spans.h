/* Who rendered what, and when, in a pass. */
#ifndef LB_CORE_RUN_PASS_PASS_SPANS_H
#define LB_CORE_RUN_PASS_PASS_SPANS_H

#include "core/run/pass/pass_job.h"

/* Each fills what it is named after in the result, if it is wanted. `tallies`: one an active member, with its spans. */
enum lb_status lb_pass_spans(const struct lb_pass_job *job, const struct lb_tally *tallies,
                             struct lb_pass_result *result, struct lb_error *error);
enum lb_status lb_pass_owned(const struct lb_pass_job *job, const struct lb_tally *tallies,
                             const lb_order *order, struct lb_pass_result *result, struct lb_error *error);

#endif
