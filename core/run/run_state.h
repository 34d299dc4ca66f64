/* What a run is, for the files of core/run that render its frames. Private to core/run. */
#ifndef LB_CORE_RUN_RUN_STATE_H
#define LB_CORE_RUN_RUN_STATE_H

#include "core/run/run.h"

#include <stdatomic.h>

struct lb_run {
    struct lb_run_options options;
    struct lb_member *members;
    uint32_t count;   /* of members, */
    uint32_t most;    /* and how many there may come to be */
    uint32_t *active; /* numbers of the members that are not lost */
    uint32_t active_count;
    void *strategy_options;                 /* for its plans */
    void *state;                            /* the strategy's, for the active members */
    bool planned;                           /* the strategy has made a plan with that state, */
    uint32_t width, height;                 /* for a picture of this size */
    struct lb_progress *progress;           /* most */
    struct lb_look *look;                   /* NULL: nobody looks */
    _Atomic double noise, samples_expected; /* of the frame, as lb_run_outlook() tells them */
};

/* Ends the strategy's state: its next plan is the first of a new one. */
void lb_run_forget(struct lb_run *run);
/* Chooses the members that take part: all that are not lost. If one was lost or came since the last pass, the strategy
 * begins anew with those that are there. */
enum lb_status lb_run_choose(struct lb_run *run, struct lb_error *error);
/* Is any member left that can render? */
bool lb_run_any_left(const struct lb_run *run);
/* Has a signal come that ends the run? A renewal does not. */
bool lb_run_stopped(const struct lb_run *run);

#endif
