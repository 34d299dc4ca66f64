/* CPU threads and GPUs as two sides that deal a part of the picture each: who is on which, how fast, and how much it
 * should take next. Numbers alone. */
#ifndef LB_STRATEGIES_TWO_SIDES_H
#define LB_STRATEGIES_TWO_SIDES_H

#include "core/speed.h"
#include "core/strategy.h"

struct lb_side_runner {
    unsigned char side;       /* 0: CPU threads, 1: GPUs */
    bool tried, lost;         /* a chunk of its was measured, or it has none to do any more */
    struct lb_speed measured; /* in positions, of its chunks but those alone */
    double speed;             /* positions a second; 0: unknown */
    double done;              /* positions */
    double clock;             /* seconds of the frame when its last chunk ended, as far as it can be known */
};

struct lb_side {
    uint32_t count;     /* processors that live */
    uint32_t untried;   /* of these, processors that have not done a chunk whose time was measured */
    double speed;       /* sum of those that were measured, positions a second */
    uint64_t next, end; /* its part: positions not yet dealt */
};

/* All zero before the first frame. Not for several threads at once. */
struct lb_two_sides {
    struct lb_side sides[2];
    struct lb_side_runner *runners;
    uint32_t capacity, processors;
    uint64_t next, count; /* positions that no side has yet, [next, count), not counting those kept */
    uint64_t singles;     /* from here on these are single pixels that a thread may be measured by */
    struct lb_range kept; /* of the order, for others: what is dealt from its begin on lies behind its end */
    uint64_t positions;   /* of the order */
    uint64_t outstanding; /* not delivered */
    double clock;         /* the latest of the runners' */
};

/* A frame of the plan's processors; its positions, and what of them is dealt, are to be set. */
enum lb_status lb_sides_start(struct lb_two_sides *two, const struct lb_plan *plan, struct lb_error *error);
/* A side's speed: the sum over its processors, where those that were not measured yet count as the mean of the
 * others. */
double lb_side_speed(const struct lb_side *side);
/* The speed of both sides together; as long as no thread was measured, each is taken to be as fast as the one
 * `alone`. */
double lb_sides_speed(const struct lb_two_sides *two, double alone);
/* A chunk took so long: who did it, and that it is done. */
void lb_sides_count(struct lb_two_sides *two, uint32_t processor, uint64_t positions, double seconds);
/* The speed that a chunk shows. */
void lb_sides_learn(struct lb_two_sides *two, uint32_t processor, uint64_t positions, double seconds,
                    enum lb_speed_memory memory);
/* Was enough of every processor measured that its speed is known: of each 1 in 2048 positions, or a chunk at least
 * once half of the picture is dealt? `threads`: ask for CPU threads, too. */
bool lb_sides_known(const struct lb_two_sides *two, bool threads);
/* All threads that live are taken to be equally fast. */
void lb_sides_believe(struct lb_two_sides *two, double speed);
/* Its side goes on without it; where nobody is left of that, the other helps as it does at the end. */
void lb_sides_lose(struct lb_two_sides *two, uint32_t processor);
/* A chunk before the split, in positions; `alone` as above. */
uint64_t lb_sides_trial_chunk(const struct lb_two_sides *two, uint32_t processor, double alone);
/* A chunk after the split, which foretold that all would be done in `forecast` seconds from then on. */
uint64_t lb_sides_chunk(const struct lb_two_sides *two, uint32_t processor, double forecast);
/* The next so many positions that no side has. */
bool lb_sides_take_common(struct lb_two_sides *two, uint64_t size, struct lb_range *range);
/* For a thread that little is known of: some of the last positions that no side has, which are single pixels from all
 * over the picture, as a few regions may all be cheap. False: it is known, or there are none to spare. */
bool lb_sides_take_single(struct lb_two_sides *two, uint32_t processor, uint64_t size,
                          struct lb_range *range);
/* The next so many positions of the processor's side; where that has none left, from the far end of the other's. */
bool lb_sides_take(struct lb_two_sides *two, uint32_t processor, uint64_t size, struct lb_range *range);
void lb_sides_free(struct lb_two_sides *two);

#endif
