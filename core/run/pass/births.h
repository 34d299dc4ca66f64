/* Work that is born while a pass runs. A pass may have levels: some of its pixels get samples more, some of these still
 * more, and so on. When a range is done, those of its pixels that get more are a range of the next level, which the
 * strategy is told of as born (lb_strategy.spawn) and deals as any other. Nobody waits for a level's end. */
#ifndef LB_CORE_RUN_PASS_BIRTHS_H
#define LB_CORE_RUN_PASS_BIRTHS_H

#include "core/run/pass/turn.h"

/* The level of a range. With N positions in the order, range [a, b) of level k is [k N + a, k N + b): level 0 is what
 * the strategy has planned. */
uint64_t lb_births_level(const struct lb_hand *hand, struct lb_range range);
/* Makes room for what is rendered of a born range. The framebuffers have what was rendered of its positions before,
 * which nobody does again, so that it is kept apart until all is delivered. True also for one that was not born. */
bool lb_births_make_room(struct lb_hand *hand, struct lb_range range);
/* Adds what was delivered of a born range to the framebuffers. No other processor has the same positions now. */
void lb_births_add(const struct lb_hand *hand, const struct lb_turn *turn);
/* All of the range is delivered: tells the strategy of what it gives birth to, if anything. */
void lb_births_bear(const struct lb_hand *hand, struct lb_range range);
/* Frees what the hand has made room for. */
void lb_births_end(struct lb_hand *hand);

#endif
