/* Pools with several primaries: what hierarchical and peers share. A primary holds one range and deals chunks of it to
 * workers; where its next range comes from is what tells the two apart. */
#ifndef LB_STRATEGIES_GROUPS_H
#define LB_STRATEGIES_GROUPS_H

#include "strategies/backlog.h"
#include "strategies/guided.h"
#include "strategies/layout.h"

struct lb_group_primary {
    uint64_t next, end; /* positions not yet dealt */
    uint64_t due;       /* what its members should still do of the frame, as far as it knows */
    uint64_t told;      /* positions that no primary had when this one last asked the main one */
    uint32_t members;   /* alive */
    uint32_t in_flight; /* ranges that its members have in hand */
    uint32_t first;     /* the first of its members; lb_groups.following has the others */
    double speed;       /* expected of them together, positions a second; 0: not known */
};

/* The first member of these strategies' states; all zero before the first frame. */
struct lb_groups {
    struct lb_guided guided;
    struct lb_backlog backlog;
    struct lb_group_primary *primaries;
    uint32_t *primary_of; /* a processor's primary */
    uint32_t *following;  /* the next member of the same primary; the number of processors: none */
    uint32_t count;       /* primaries */
    uint32_t processors, capacity;
    uint64_t next, positions; /* not yet with any primary: [next, positions) */
    uint64_t outstanding;
    uint64_t in_flight; /* ranges */
    uint64_t messages;
};

/* One primary for each group of the plan's, or about sqrt(p) of neighbours where there is one group only. */
enum lb_status lb_groups_start(struct lb_groups *groups, const struct lb_plan *plan, struct lb_order *order,
                               struct lb_error *error);
/* Positions that the primary holds. */
uint64_t lb_groups_held(const struct lb_group_primary *primary);
/* What is expected of a primary's members now: primary->speed. */
void lb_groups_expect(struct lb_groups *groups, struct lb_group_primary *primary);
/* Might one position keep `processor` busy longer than the others need for all that is `left`? No, where there is
 * nobody else to do it. */
bool lb_groups_too_slow(const struct lb_groups *groups, uint32_t processor, uint64_t left);
/* Deals `processor` a chunk of what the primary holds, which is not nothing, such that `sharers` processors, who
 * together do `speed` positions a second (0: not known) and have `left` positions before them, are done together. */
void lb_groups_deal(struct lb_groups *groups, uint32_t processor, struct lb_group_primary *primary,
                    uint64_t left, double speed, uint32_t sharers, struct lb_range *range);
/* Gives `processor` some of the backlog, unless it is so slow that the others would wait for it. */
bool lb_groups_take_back(struct lb_groups *groups, uint32_t processor, struct lb_range *range);
/* What the primary holds goes to the backlog. */
void lb_groups_give_back(struct lb_groups *groups, struct lb_group_primary *primary);

/* The hooks, and what tables of such strategies have in common. */
#define LB_GROUPS_HOOKS                                                                                      \
    .dynamic = true, .done = lb_groups_done, .failed = lb_groups_failed, .kept = lb_groups_kept,             \
    .progress = lb_groups_progress, .spawn = lb_groups_spawn, .ready = lb_groups_ready, .end = lb_groups_end
size_t lb_groups_state_size(uint32_t processors);
void lb_groups_done(void *state, uint32_t processor, struct lb_range range, double seconds);
void lb_groups_kept(void *state, uint32_t processor, struct lb_range range, double seconds);
void lb_groups_progress(void *state, uint32_t processor, struct lb_range range, uint64_t positions,
                        double seconds);
void lb_groups_failed(void *state, uint32_t processor, struct lb_range range, bool lost);
void lb_groups_spawn(void *state, uint32_t processor, struct lb_range range);
bool lb_groups_ready(const void *state);
void lb_groups_counts(const void *state, struct lb_strategy_counts *counts);
void lb_groups_end(void *state);

#endif
