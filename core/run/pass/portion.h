/* Ranges of orders that several processors render together: what a host does with the ranges that another host gives
 * it. A processor that has nothing more to do of one range goes on with the next, so that nobody waits for the last
 * one to be done. */
#ifndef LB_CORE_RUN_PASS_PORTION_H
#define LB_CORE_RUN_PASS_PORTION_H

#include "core/run/pass/member.h"
#include "core/settings.h"

struct lb_portion_team; /* a thread a member */

/* Opens a team of the members that are left, which must stay until the team is closed. Those that get lost are told so
 * there, and take no part any more. `settings`: how each range is shared among them. LB_ERROR: no thread could be
 * made. */
enum lb_status lb_portion_team_open(const struct lb_settings *settings, struct lb_member *members,
                                    uint32_t count, struct lb_portion_team **team, struct lb_error *error);
/* Ends the threads, when no call of lb_portion_render is under way any more. NULL: does nothing. */
void lb_portion_team_close(struct lb_portion_team *team);

/* Renders work->range into `result`, as a processor's render() would (core/processor.h), and tells the listener of its
 * pieces. `did`, an element a member, is set to what each of them did; NULL: is not asked for. Several threads may call
 * this at once: what was begun first goes first. result->render_seconds is the time that the members spent on it, over
 * their number: what it takes where they always have something in hand. LB_ERROR: no member is left, and nothing of the
 * result counts. */
enum lb_status lb_portion_render(struct lb_portion_team *team, const struct lb_work *work,
                                 const struct lb_listener *listener, struct lb_result *result,
                                 struct lb_remote_did *did, struct lb_error *error);

#endif
