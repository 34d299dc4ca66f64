/* A run: what lives from its first frame to its last, as the state of its strategy does. */
#ifndef LB_CORE_RUN_RUN_H
#define LB_CORE_RUN_RUN_H

#include "core/run/pass/look.h"
#include "core/run/pass/member.h"
#include "core/run/pass/options.h"

struct lb_run;

/* `members` (count >= 1) must outlive the run, which updates them. There is room for `most` >= count of them. */
enum lb_status lb_run_open(const struct lb_run_options *options, struct lb_member *members, uint32_t count,
                           uint32_t most, struct lb_run **run, struct lb_error *error);
/* There are `count` members from now on, no fewer than before and no more than there is room for. For renew(), between
 * passes. */
enum lb_status lb_run_grow(struct lb_run *run, uint32_t count, struct lb_error *error);
void lb_run_close(struct lb_run *run);

/* What there is of the frame that is being rendered, with a wish that keeps what is held, in a run that is looked
 * at: a copy, to be released by lb_part_free; without samples where no frame is. From any thread. */
enum lb_status lb_run_look(struct lb_run *run, const struct lb_part_subject *subject, struct lb_part *part,
                           struct lb_error *error);

/* What the pixels of the frame that is being rendered are worth by now, as lb_look_changes() says, in a run that is
 * looked at. From any thread, but from one alone. */
void lb_run_changes(struct lb_run *run, lb_look_show *show, void *user);

/* Samples rendered since the run was opened. From any thread. */
uint64_t lb_run_progress(const struct lb_run *run);
/* In a run that goes on until a noise is reached: the noise of the frame that is being rendered, as its last pass left
 * it, and how many samples in all the frame will take, since noise falls by the root of their number. Negative: not
 * known. From any thread. */
struct lb_run_outlook {
    double noise, samples;
};
struct lb_run_outlook lb_run_outlook(const struct lb_run *run);

#endif
