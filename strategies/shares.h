/* What all static strategies have in common: each processor has one range, its share, and is given it piece
 * by piece, so that a frame can be interrupted and watched. No processor does another's share, but for what
 * failures leave behind. */
#ifndef LB_STRATEGIES_SHARES_H
#define LB_STRATEGIES_SHARES_H

#include "strategies/backlog.h"

struct lb_share {
    uint64_t next, end; /* positions not yet given out */
    uint64_t piece;
    bool lost;
};

/* The state of a static strategy, or the first member of it; all zero before the first frame. */
struct lb_shares {
    struct lb_share *shares;
    uint32_t processors, capacity;
    uint64_t outstanding; /* positions given out or waiting, not delivered */
    uint64_t piece;       /* of what failures left behind */
    struct lb_backlog backlog;
};

/* Makes room for the plan's processors, all shares empty. */
enum lb_status lb_shares_start(struct lb_shares *shares, const struct lb_plan *plan, struct lb_error *error);
/* Gives `processor` [begin, end); its pieces are multiples of `unit` >= 1 (but the last). Once a frame. */
void lb_shares_set(struct lb_shares *shares, uint32_t processor, uint64_t begin, uint64_t end, uint64_t unit);
/* Adjacent shares of `count` positions in units of `unit` >= 1 that follow the weights: with m units and W_k
 * the sum of the first k weights, share k is the units [round(m W_k), round(m W_{k+1})). Within one unit of
 * its due; maybe empty. */
void lb_shares_follow(struct lb_shares *shares, const struct lb_plan *plan, uint64_t count, uint64_t unit);

/* round(count * fraction), at most count. */
uint64_t lb_running_share(uint64_t count, double fraction);

/* The hooks of a strategy whose state begins with struct lb_shares, and in its table all but plan() of one whose state
 * is no more than that. */
#define LB_SHARES_HOOKS                                                                                      \
    .state_size = lb_shares_state_size, .next = lb_shares_next, .done = lb_shares_done,                      \
    .failed = lb_shares_failed, .ready = lb_shares_ready, .end = lb_shares_end
size_t lb_shares_state_size(uint32_t processors);
enum lb_next lb_shares_next(void *state, uint32_t processor, struct lb_range *range);
void lb_shares_done(void *state, uint32_t processor, struct lb_range range, double seconds);
void lb_shares_failed(void *state, uint32_t processor, struct lb_range range, bool lost);
bool lb_shares_ready(const void *state);
void lb_shares_end(void *state);

#endif
