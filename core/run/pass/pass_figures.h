/* The figures of a pass, from what the scheduler's threads tallied. */
#ifndef LB_CORE_RUN_PASS_PASS_FIGURES_H
#define LB_CORE_RUN_PASS_PASS_FIGURES_H

#include "core/run/pass/pass_job.h"

/* Fills the result's balance, errors, samples and whether it is complete. `tallies`: one an active member. */
enum lb_status lb_pass_figures(const struct lb_pass_job *job, const struct lb_tally *tallies,
                               struct lb_pass_result *result, struct lb_error *error);

#endif
