/* The options of a run. */
#ifndef LB_CORE_RUN_PASS_OPTIONS_H
#define LB_CORE_RUN_PASS_OPTIONS_H

#include "core/interrupt.h"
#include "core/run/pass/growth.h"
#include "core/settings.h"

/* What a user asks of a run, which holds for all its frames. */
struct lb_run_options {
    struct lb_settings settings;
    bool measure_weights; /* refine the weights from pass to pass, for strategies that follow them */
    bool want_estimates;  /* keep what each kind of probe finds, though the strategy may want none of them */
    bool want_cost;
    bool want_owned; /* who rendered which pixel */
    bool want_spans; /* when which range was rendered */
    struct lb_growth growth;
    bool looked_at; /* lb_run_look() or lb_run_changes() is called */
    /* What interrupts a pass. After a signal the run ends, and its frame is incomplete; after a renewal renew() is
     * called, and the frame goes on. NULL: nothing interrupts. */
    struct lb_interrupt *interrupt;
    /* Opens members that joined or came back; called between passes. Where `wait` is true, no member is left, and
     * renew() returns when one has come or nobody is to be waited for. NULL: nobody joins. */
    void (*renew)(void *user, bool wait);
    void *user; /* for renew() */
};

#endif
