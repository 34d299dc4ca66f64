/* A range of an order that several processors render together: what a host does with a range that another host gave
 * it. */
#ifndef LB_CORE_RUN_PORTION_H
#define LB_CORE_RUN_PORTION_H

#include "core/run/member.h"

/* Who renders, and how they share the range among themselves. */
struct lb_portion_team {
    /* The strategy, its options, the seed of its draws, and what threads are bound to. */
    struct lb_settings settings;
    struct lb_member *members; /* those that get lost are told so here, and take no part any more */
    uint32_t count;
};

/* Renders work->range into `result`, as a processor's render() would (core/processor.h), and tells the listener of its
 * pieces. `did`, an element a member, is set to what each of them did; NULL: is not asked for. LB_ERROR: no member is
 * left, and nothing of the result counts. */
enum lb_status lb_portion_render(const struct lb_portion_team *team, const struct lb_work *work,
                                 const struct lb_listener *listener, struct lb_result *result,
                                 struct lb_remote_did *did, struct lb_error *error);

#endif
