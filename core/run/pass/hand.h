/* A processor's thread renders ranges, a piece at a time. */
#ifndef LB_CORE_RUN_PASS_HAND_H
#define LB_CORE_RUN_PASS_HAND_H

#include "core/run/pass/turn.h"

/* Renders a whole range at once, piece by piece, and sets hand->piece by the speed. False: the processor is lost or the
 * pass was stopped. */
bool lb_hand_render(struct lb_hand *hand, struct lb_range given);

#endif
