/* Chunks that take all processors about equally long and shrink towards the end, by speeds that are measured on the
 * way. */
#ifndef LB_STRATEGIES_GUIDED_H
#define LB_STRATEGIES_GUIDED_H

#include "core/speed.h"
#include "core/strategy.h"

/* A processor's first chunk is an equal share divided by LB_GUIDED_FIRST, or by LB_GUIDED_SMALL_FIRST where that would
 * be a few positions only; a start twice that where there are LB_GUIDED_MANY processors or more; a CPU thread's beside
 * GPUs is smaller by LB_GUIDED_OUTPACED, lest it outlast the frame. Speeds are counted in LB_GUIDED_CLASSES classes,
 * four to a doubling. */
enum {
    LB_GUIDED_FIRST = 64,
    LB_GUIDED_MANY = 256,
    LB_GUIDED_SMALL_FIRST = 16,
    LB_GUIDED_OUTPACED = 16,
    LB_GUIDED_CLASSES = 256
};

struct lb_guided_pace {
    struct lb_speed measured; /* in positions */
    double ranges;            /* that it did */
    double in_hand;           /* positions that it was dealt and has not done: some ask ahead */
    struct lb_speed told; /* of the range that it works on, as it told before it was done; measured has it */
    double lately;  /* seconds a position took of what it told last; 0: it has told nothing of this range */
    double speed;   /* expected: positions a second, 0 while nobody has measured anything */
    double counted; /* the speed as its class was last told, 0 while it was not measured itself */
    double weight;  /* as planned */
    /* It may be far slower than its weight says: a CPU thread beside GPUs, nobody's speed being known. */
    bool outpaced;
    bool lost;
    bool absent; /* it is waited for, and asked for nothing yet */
    double late; /* seconds of the frame that had gone by when it came */
};

/* All zero before the first frame. Not for several threads at once. */
struct lb_guided {
    struct lb_guided_pace *paces;
    uint32_t processors, capacity, alive;
    uint64_t count;           /* positions of the frame */
    uint64_t region;          /* so many positions one after the other lie together in the picture, .. */
    uint64_t spread;          /* .. before this one */
    struct lb_speed measured; /* over all, in positions; seconds as one of mean weight would have taken */
    double ranges;            /* the number of ranges over all, each counted by the weight of its processor */
    double speed;             /* expected of all that live together, positions a second */
    double busy;              /* seconds, over all */
    double longest;           /* the seconds of who was busy longest: so much of the frame has gone by */
    double missed;            /* positions that all who live would have done while they were not there yet */
    double gone;              /* positions that the lost delivered */
    struct lb_surprise surprise;
    struct lb_beginning beginning;
    double begin;   /* seconds that a range takes beyond its work, as all speeds take it to be */
    uint32_t stale; /* ranges since all speeds were told */
    double classes[LB_GUIDED_CLASSES]; /* sums of the speeds of processors that were measured and live */
};

/* A frame in that order. Speeds of earlier frames are kept as weights. */
enum lb_status lb_guided_start(struct lb_guided *guided, const struct lb_plan *plan, const lb_order *order,
                               struct lb_error *error);
/* Nobody is there yet: of each who is not there by the time when others have done something nothing is expected. */
void lb_guided_await(struct lb_guided *guided);
/* One of these asks for its first range, or any other. */
void lb_guided_came(struct lb_guided *guided, uint32_t processor);
/* How many positions `processor` should begin with, nothing having been measured of it. */
double lb_guided_first(const struct lb_guided *guided, uint32_t processor);
/* How many of `left` >= 1 positions `processor` should take, 1 .. left, where the first of them is `begin`. */
uint64_t lb_guided_chunk(const struct lb_guided *guided, uint32_t processor, uint64_t begin, uint64_t left);
/* As lb_guided_chunk(), where `outstanding` positions of the frame are not delivered yet. The chunk follows from the
 * processor's due, the part of the whole frame that fits its speed, less what it has been dealt of it. So the processor
 * that asks first gets no more of the rest than the one that asks last. */
uint64_t lb_guided_due(const struct lb_guided *guided, uint32_t processor, uint64_t begin, uint64_t left,
                       uint64_t outstanding);
/* As lb_guided_chunk(), where only some of the processors share the `left` positions: together they do `speed`
 * positions a second, or, where that is 0 for not known, they are `sharers` processors of equal speed. */
uint64_t lb_guided_part(const struct lb_guided *guided, uint32_t processor, uint64_t begin, uint64_t left,
                        double speed, uint32_t sharers);
/* Others wait. How many of the `left` positions that `processor` still has in hand of a range it should keep: a part of
 * what is its own by speed, or all where these, each of which takes as long as those that it did last, are not worth
 * anybody's asking. */
uint64_t lb_guided_keep(const struct lb_guided *guided, uint32_t processor, uint64_t left);
/* So many of the positions that it was dealt are no longer the processor's. */
void lb_guided_took(struct lb_guided *guided, uint32_t processor, uint64_t positions);
/* The mean speed of the processors over that of `processor`; 0 as long as `processor` was not measured. */
double lb_guided_slowness(const struct lb_guided *guided, uint32_t processor);
/* The fewest positions that a range should have, lest asking costs more than waiting. */
double lb_guided_least(const struct lb_guided *guided, const struct lb_guided_pace *pace);
/* How many of `left` positions, 1 .. left, a group of processors should take together, where the first of them is
 * `begin`; *pace has the sums of the group's measurements. */
uint64_t lb_guided_batch(const struct lb_guided *guided, const struct lb_guided_pace *pace, uint64_t begin,
                         uint64_t left);
/* Might a single dear position keep `processor` busy longer than the faster processors need for all `left` positions?
 * Then it should leave them to these. False for the fastest of the measured processors that live. */
bool lb_guided_too_slow(const struct lb_guided *guided, uint32_t processor, uint64_t left);
/* A processor was dealt `positions`, which lb_guided_due() takes off its due. */
void lb_guided_dealt(struct lb_guided *guided, uint32_t processor, uint64_t positions);
/* A processor will not do `positions` that it was dealt: they count to its due again. */
void lb_guided_failed(struct lb_guided *guided, uint32_t processor, uint64_t positions);
/* A processor that is still at work on a range has done `positions` of that range in `seconds`. */
void lb_guided_progress(struct lb_guided *guided, uint32_t processor, uint64_t positions, double seconds);
/* All `positions` of a range were delivered, `seconds` after it was begun. */
void lb_guided_done(struct lb_guided *guided, uint32_t processor, uint64_t positions, double seconds);
void lb_guided_lost(struct lb_guided *guided, uint32_t processor);
void lb_guided_free(struct lb_guided *guided);

#endif
