/* A processor's thread asks for ranges and renders them, a piece at a time. */
#ifndef LB_CORE_RUN_PASS_HAND_H
#define LB_CORE_RUN_PASS_HAND_H

#include "core/run/pass/turn.h"

/* Where the ranges of a processor's thread come from. A pass, a processor that is given work ahead of time, and the
 * portions of a joined host differ in how a range is asked for and what is slept for. Both functions are called by the
 * hand's thread. */
struct lb_supply {
    /* LB_NEXT_RANGE and a range for the hand; or LB_NEXT_WAIT: none now; or LB_NEXT_END: none any more. */
    enum lb_next (*ask)(struct lb_hand *hand, struct lb_range *given);
    /* Sleeps until ask(), which had LB_NEXT_WAIT, may have another answer. False: it never will. */
    bool (*sleep)(struct lb_hand *hand);
};

/* Waits for the hand's next range. False: there is none any more. */
bool lb_hand_next(struct lb_hand *hand, const struct lb_supply *supply, struct lb_range *given);

/* Renders a whole range at once, piece by piece, and sets hand->piece by the speed. False: the processor is lost or the
 * pass was stopped. */
bool lb_hand_render(struct lb_hand *hand, struct lb_range given);

/* How many positions the first piece has, when no speed is known. */
uint64_t lb_hand_first_piece(const struct lb_hand *hand);
/* Sets the next piece's size by the last one's speed, but at most to twice that one's. */
void lb_hand_adapt_piece(struct lb_hand *hand, uint64_t positions, double seconds);

#endif
