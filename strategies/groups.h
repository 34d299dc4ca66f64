/* Pools with several primaries: what hierarchical and peers share. A primary holds one range and deals chunks of it to
 * workers; where its next range comes from is what tells the two apart. */
#ifndef LB_STRATEGIES_GROUPS_H
#define LB_STRATEGIES_GROUPS_H

#include "strategies/backlog.h"
#include "strategies/guided.h"
#include "strategies/layout.h"

struct lb_primary {
    uint64_t next, end; /* positions not yet dealt */
    uint32_t members;   /* alive */
    double speed;       /* measured of them, positions a second */
};

/* The first member of their states; all zero before the first frame. */
struct lb_groups {
    struct lb_guided guided;
    struct lb_backlog backlog;
    struct lb_primary *primaries;
    uint32_t *primary_of; /* a processor's primary */
    uint32_t count;       /* primaries */
    uint32_t processors, capacity;
    uint64_t next, positions; /* not yet with any primary: [next, positions) */
    uint64_t outstanding;
    uint64_t messages;
};

/* One primary for each group of the plan's, or about sqrt(p) of neighbours where there is one group only. */
enum lb_status lb_groups_start(struct lb_groups *groups, const struct lb_plan *plan, struct lb_order *order,
                               struct lb_error *error);
/* Deals `processor` a chunk of what the primary holds, which is not nothing; `sharers` processors, who together do
 * `speed` positions a second (0: not known), draw on it. */
void lb_groups_deal(struct lb_groups *groups, uint32_t processor, struct lb_primary *primary, double speed,
                    uint32_t sharers, struct lb_range *range);
/* Some of the backlog. */
bool lb_groups_take_back(struct lb_groups *groups, uint32_t processor, struct lb_range *range);

/* The hooks. */
size_t lb_groups_state_size(uint32_t processors);
void lb_groups_done(void *state, uint32_t processor, struct lb_range range, double seconds);
void lb_groups_failed(void *state, uint32_t processor, struct lb_range range, bool lost);
void lb_groups_spawn(void *state, uint32_t processor, struct lb_range range);
bool lb_groups_ready(const void *state);
void lb_groups_counts(const void *state, struct lb_strategy_counts *counts);
void lb_groups_end(void *state);

#endif
