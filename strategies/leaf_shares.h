/* Leaves that are handed out whole: each processor does its own, piece by piece, and the seconds that each leaf took
 * are kept for the next frame. */
#ifndef LB_STRATEGIES_LEAF_SHARES_H
#define LB_STRATEGIES_LEAF_SHARES_H

#include "strategies/leaves.h"
#include "strategies/rectangles.h"
#include "strategies/shares.h"

/* The state of a strategy that does so, or the first member of it; all zero before the first frame. */
struct lb_leaf_shares {
    struct lb_shares shares; /* first */
    struct lb_leaves leaves;
    struct lb_rectangles laid; /* their areas */
    const char *by;            /* what the density is made of; NULL: nothing was known */
};

/* Was there a last frame, of this size? Before lb_leaf_shares_start. */
bool lb_leaf_shares_has_last(const struct lb_leaf_shares *own, const struct lb_plan *plan);
/* Makes room; the density is by the last frame's times where `learn`, else by the plan's estimate. */
enum lb_status lb_leaf_shares_start(struct lb_leaf_shares *own, const struct lb_plan *plan, bool learn,
                                    struct lb_error *error);
/* The leaves become the frame's. */
enum lb_status lb_leaf_shares_lay(struct lb_leaf_shares *own, const struct lb_plan *plan,
                                  struct lb_order *order, struct lb_error *error);
/* Hooks, of which a table has these but for the state's; the others are those of struct lb_shares. Two plans: one cuts
 * the rectangles by the estimate in every frame, the other by the last frame's times where there are any. */
enum lb_status lb_leaf_shares_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                   struct lb_error *error);
enum lb_status lb_leaf_shares_plan_by_times(void *state, const struct lb_plan *plan, struct lb_order *order,
                                            struct lb_error *error);
size_t lb_leaf_shares_state_size(uint32_t processors);
void lb_leaf_shares_done(void *state, uint32_t processor, struct lb_range range, double seconds);
void lb_leaf_shares_describe(const void *state, char *text, size_t size);
void lb_leaf_shares_end(void *state);
#define LB_LEAF_SHARES_HOOKS                                                                                 \
    .next = lb_shares_next, .done = lb_leaf_shares_done, .failed = lb_shares_failed,                         \
    .ready = lb_shares_ready, .describe = lb_leaf_shares_describe

#endif
