/* One rectangle each, cut when a sample of this very frame is done. Of every block of a rectangle a band of rows is
 * rendered first, by whoever is free; that is about a quarter of the frame's own work, not a pre-pass. Then the rests
 * of the blocks, rectangle after rectangle, are cut into one range each, to the pixel. */
#ifndef LB_STRATEGIES_TRIAL_H
#define LB_STRATEGIES_TRIAL_H

#include "strategies/backlog.h"
#include "strategies/leaves.h"
#include "strategies/rectangles.h"

/* The bands of so many neighbouring blocks are given out as one range, so that asking for them costs next to
 * nothing. */
enum { LB_TRIAL_RUN = 2 };

struct lb_trial_block {
    lb_rectangle area; /* begin: the first position of its rest, which is the rows but the band's, in turn */
    uint64_t band;     /* the first position of its band */
    bool given;        /* was the band given out? */
    uint32_t from, rows; /* the band: rows [from, from + rows) of the area; none where rows is 0 */
    uint32_t leaf;       /* whose rectangle it is of */
    uint32_t group;      /* of some 8 x 8 blocks of a rectangle; less than the number of blocks */
    uint32_t doer;       /* the processor that did the band */
    double seconds;      /* that it took */
    /* The strategy's own: what the band cost, what the rest should cost, and what it did cost. */
    double sample, due, cost;
};

struct lb_trial_share {
    uint32_t first, blocks; /* of its rectangle */
    uint32_t runs;          /* of these; their bands are given out together */
    uint32_t passed;        /* runs, in turn: given out */
    uint32_t draws;         /* bands that it was given of all rectangles in turn */
    uint64_t next, end;     /* positions not yet given out, after the cut */
    double piece;           /* what a range of these should cost at most, where a block does not cost more */
    bool waits;             /* for the cut */
    bool lost;
    bool large; /* a GPU, which is slow in small pieces: it gets bands by the row */
};

/* The first member of a strategy's state; all zero before the first frame. */
struct lb_trial {
    struct lb_trial_block *blocks; /* rectangle after rectangle; none is empty */
    struct lb_rectangles laid;     /* their bands, then their rests */
    struct lb_trial_share *shares;
    size_t capacity;
    uint32_t count, processors, share_capacity;
    uint32_t first;       /* no rectangle before it has bands left */
    uint32_t waiting;     /* shares that wait for the cut */
    bool own;             /* bands of one's own rectangle come first; else one of each rectangle in turn */
    bool cut;             /* was it cut? */
    uint64_t bands;       /* positions of bands */
    uint64_t untried;     /* of these, not delivered */
    uint64_t ungiven;     /* of these, never given out */
    uint64_t outstanding; /* positions not delivered */
    struct lb_backlog backlog;
};

/* Cuts each processor's rectangle into blocks and lays the order. Where weights are known, each processor begins
 * with the bands of its own rectangle; where they are not, with bands of all rectangles in turn, so that the times tell
 * speeds and costs apart. There may be no bands at all: then the caller is to cut at once. */
enum lb_status lb_trial_start(struct lb_trial *trial, const struct lb_plan *plan,
                              const struct lb_leaves *leaves, struct lb_order *order, struct lb_error *error);
/* Cuts the rests, whose cost is what `due` says and lies within a block as `density` does: processor k gets adjacent
 * positions for weights[k] of the whole. A processor that was lost gets none. */
void lb_trial_cut(struct lb_trial *trial, const struct lb_density *density, const double *weights);
/* The block that a position is of. */
struct lb_trial_block *lb_trial_find(struct lb_trial *trial, uint64_t position);
/* The part of a range that is of the block which it begins in: of its band, or of its rest. */
struct lb_range lb_trial_part(struct lb_trial *trial, struct lb_range range);
/* What the rest of a block costs. */
double lb_trial_cost(const struct lb_density *density, const struct lb_trial_block *block);
/* Pixels of a block's rest. */
uint64_t lb_trial_rest(const struct lb_trial_block *block);

/* The hooks; done() for the strategy to call from its own. It cuts once `untried` is 0 and `cut` is not set. */
enum lb_next lb_trial_next(void *state, uint32_t processor, struct lb_range *range);
void lb_trial_done(struct lb_trial *trial, uint32_t processor, struct lb_range range, double seconds);
void lb_trial_failed(void *state, uint32_t processor, struct lb_range range, bool lost);
bool lb_trial_ready(const void *state);
void lb_trial_free(struct lb_trial *trial);

#endif
