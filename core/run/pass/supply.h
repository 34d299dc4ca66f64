/* Where the ranges of a processor's thread come from. What differs between a pass, a processor that is given work
 * ahead of time, and the portions of a joined host is how a range is asked for and what is slept for; the loop that
 * asks until there is one is here, for all of them. */
#ifndef LB_CORE_RUN_PASS_SUPPLY_H
#define LB_CORE_RUN_PASS_SUPPLY_H

#include "core/run/pass/turn.h"

/* Both are called by the hand's thread. */
struct lb_supply {
    /* LB_NEXT_RANGE and a range for the hand; or LB_NEXT_WAIT: none now; or LB_NEXT_END: none any more. */
    enum lb_next (*ask)(struct lb_hand *hand, struct lb_range *given);
    /* Sleeps until ask(), which had LB_NEXT_WAIT, may have another answer. False: it never will. */
    bool (*sleep)(struct lb_hand *hand);
};

/* Waits for the hand's next range. False: there is none any more. */
bool lb_supply_next(const struct lb_supply *supply, struct lb_hand *hand, struct lb_range *given);

#endif
