/* The members of a run, which are its processors over all frames. */
#ifndef LB_CORE_RUN_PASS_MEMBER_H
#define LB_CORE_RUN_PASS_MEMBER_H

#include "core/report/report.h"
#include "core/run/pass/schedule.h"

/* A processor as a run knows it over all frames: it is opened anew with each frame's scene. */
struct lb_member {
    struct lb_processor *processor; /* opened with the frame's scene; NULL: it could not be opened */
    enum lb_processor_kind kind;    /* what strategies take it for */
    const char *type;               /* the name of its kind in reports */
    char name[32];                  /* its name in reports; "": that of `processor` */
    uint32_t group,
        bind_index; /* the group for strategies that have groups; the CPU that its thread is bound to */
    uint32_t model; /* the number of the first member of its model; a model has one weight */
    double weight;
    enum lb_source weight_source;
    bool opened;             /* it was opened for at least one frame */
    bool lost;               /* it takes no part in later passes */
    struct lb_error error;   /* its last failure */
    struct lb_measured last; /* what the last pass measured of it */
};

/* Are the members of several models, so that their weights may differ? */
bool lb_members_differ(const struct lb_member *members, uint32_t count);
/* Are the weights of those numbered by `active` given, measured or from the cache: anything but a guess? */
bool lb_members_weighed(const struct lb_member *members, const uint32_t *active, uint32_t active_count);
/* Can the member still render? */
bool lb_member_is_left(const struct lb_member *member);
/* Fills in what a report says of the member whatever it did: name, kind, model, weight, and whether it is lost. */
void lb_member_report(const struct lb_member *member, struct lb_report_processor *report);
/* Keeps what a pass measured of those numbered by `active`, whether they were lost, and the last failure's error
 * (`errors`: a member each). */
void lb_members_learn(struct lb_member *members, const uint32_t *active, uint32_t active_count,
                      const struct lb_report_balance *balance, const struct lb_error *errors);
/* Sets the weights of all by the speeds that a pass measured; `first`: those that they have are a guess
 * (lb_weights_refine). */
enum lb_status lb_members_refine(struct lb_member *members, uint32_t count, bool first,
                                 const struct lb_report_balance *balance, struct lb_error *error);

#endif
