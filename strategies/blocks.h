/* What the strategies that give everybody one rectangle have in common: a rectangle is given out in blocks of about a
 * sixty-fourth, whose times say where in it the cost lies. */
#ifndef LB_STRATEGIES_BLOCKS_H
#define LB_STRATEGIES_BLOCKS_H

#include "strategies/backlog.h"

struct lb_block_share {
    uint32_t next, end; /* blocks not yet given out */
    double seconds;     /* that its rectangle took, by whoever did it */
};

/* The first member of the states of these strategies; all zero before the first frame. */
struct lb_blocks {
    lb_rectangle *blocks; /* in the order of their positions: processor after processor; none is empty */
    double *seconds;      /* of each block, when it was done; < 0: it was not */
    uint32_t *doer;       /* who did it */
    uint32_t *owner;      /* whose rectangle it is of */
    uint32_t count;
    size_t capacity;
    struct lb_block_share *shares;
    uint32_t processors, share_capacity;
    uint64_t outstanding;
    struct lb_backlog backlog;
};

/* Cuts each processor's rectangle into blocks. */
enum lb_status lb_blocks_start(struct lb_blocks *blocks, const struct lb_plan *plan,
                               const lb_rectangle *leaves, struct lb_order *order, struct lb_error *error);

/* The hooks. */
enum lb_next lb_blocks_next(void *state, uint32_t processor, struct lb_range *range);
void lb_blocks_done(void *state, uint32_t processor, struct lb_range range, double seconds);
void lb_blocks_failed(void *state, uint32_t processor, struct lb_range range, bool lost);
bool lb_blocks_ready(const void *state);
void lb_blocks_free(struct lb_blocks *blocks);

#endif
