/* One processor of a run over all its frames, and what stays the same over these. */
#ifndef LB_CORE_RUN_PASS_MEMBER_H
#define LB_CORE_RUN_PASS_MEMBER_H

#include "core/interrupt.h"
#include "core/report/report.h"
#include "core/run/pass/growth.h"
#include "core/run/pass/schedule.h"
#include "core/settings.h"

/* One processor of a run over all its frames. */
struct lb_member {
    struct lb_processor *processor; /* opened with the frame's scene; NULL: it could not be opened */
    enum lb_processor_kind kind;    /* what strategies take it for */
    const char *type;               /* the name of its kind in reports */
    char name[32];                  /* its own, also where it was never opened; "": its processor's */
    uint32_t group, bind_index;
    uint32_t model; /* the number of the first member like it: those of one model weigh the same */
    double weight;
    enum lb_source weight_source;
    bool opened;             /* its processor was, if only for some frames */
    bool lost;               /* set when it is lost; it takes no part in later passes */
    struct lb_error error;   /* the last failure's */
    struct lb_measured last; /* of the last pass */
};

/* What stays the same over the frames of a run. */
struct lb_run_options {
    struct lb_settings settings;
    bool measure_weights; /* refine the weights from pass to pass, for strategies that follow them */
    bool want_estimates;  /* what every probe finds, though the strategy may want none */
    bool want_cost;
    bool want_owners; /* who rendered which pixel */
    bool want_spans;  /* when which range was rendered */
    struct lb_growth growth;
    bool looked_at; /* lb_run_look() or lb_run_changes() is called */
    /* A signal ends the run soon, and its frame is incomplete. A renewal ends the pass; renew() is called, and the
     * frame goes on. NULL: neither ever comes. */
    struct lb_interrupt *interrupt;
    /* Opens members that came or came back; NULL: there are no renewals. Where `wait`, no member is left, and it waits
     * for some. Called between passes. */
    void (*renew)(void *user, bool wait);
    void *user;
};

/* Are they of several models, so that their weights may differ? */
bool lb_members_differ(const struct lb_member *members, uint32_t count);
/* Are the weights of those numbered by `active` given, measured or from the cache: anything but a guess? */
bool lb_members_weighed(const struct lb_member *members, const uint32_t *active, uint32_t active_count);
/* Can it still render? */
bool lb_member_is_left(const struct lb_member *member);
/* What a report says of it, whatever it did: name, kind, model, weight, and whether it is lost. */
void lb_member_report(const struct lb_member *member, struct lb_report_processor *report);
/* Keeps what a pass measured of those numbered by `active`, whether they were lost, and the last failure's error
 * (`errors`: a member each). */
void lb_members_learn(struct lb_member *members, const uint32_t *active, uint32_t active_count,
                      const struct lb_report_balance *balance, const struct lb_error *errors);
/* Sets the weights of all by the speeds that a pass measured; `first`: those that they have are a guess
 * (core/run/speeds/weights.h). */
enum lb_status lb_members_refine(struct lb_member *members, uint32_t count, bool first,
                                 const struct lb_report_balance *balance, struct lb_error *error);

#endif
