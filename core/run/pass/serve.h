/* The loop in which a processor's thread asks for ranges and renders them. It is the only one: what differs between a
 * pass, a processor that is given work ahead of time, and the portions of a joined host is where the ranges come from.
 */
#ifndef LB_CORE_RUN_PASS_SERVE_H
#define LB_CORE_RUN_PASS_SERVE_H

#include "core/run/pass/turn.h"

/* Where a hand's ranges come from. All are called by the hand's thread. */
struct lb_supply {
    /* LB_NEXT_RANGE and a range for the hand; or LB_NEXT_WAIT: none now; or LB_NEXT_END: none any more. */
    enum lb_next (*next)(struct lb_hand *hand, struct lb_range *given);
    /* Renders the range that next() gave. False: the hand renders no more. */
    bool (*take)(struct lb_hand *hand, struct lb_range given);
    /* Sleeps until next(), which had LB_NEXT_WAIT, may have another answer. False: it never will. */
    bool (*sleep)(struct lb_hand *hand);
};

/* Renders what the supply gives until there is nothing more for the hand. */
void lb_serve(const struct lb_supply *supply, struct lb_hand *hand);

#endif
