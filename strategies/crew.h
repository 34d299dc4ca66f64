/* Processors that each hold a range of their own in one atomic word, which others may cut or fill: what steal and push
 * share. All may be called by all processors at once. No locks but around what failures left behind and what was born,
 * which is rare. */
#ifndef LB_STRATEGIES_CREW_H
#define LB_STRATEGIES_CREW_H

#include "core/speed.h"
#include "strategies/backlog.h"

#include <stdatomic.h>

/* A cache line each, so that nobody's own work slows another. */
struct lb_crew_member {
    /* Its range in units: begin << 32 | end. Only its owner and thieves shorten it, only who finds LB_WORD_EMPTY fills
     * it. */
    _Alignas(128) _Atomic uint64_t word;
    _Atomic uint64_t positions, nanoseconds; /* measured in this frame; its owner's thread alone writes */
    uint64_t draws;                          /* its owner's */
    uint64_t first;                          /* its range over its first chunk */
    double weight;
};

#define LB_WORD_EMPTY ((uint64_t)0)
#define LB_WORD_LOST  UINT64_MAX

/* How long a chunk takes: a part of the time that all should still need, and so many seconds more at the frame's
 * beginning, none at its end, since a chunk begins with what is no work, of which short frames have little to spare. */
struct lb_crew_chunks {
    double part, beginning;
    double asking; /* seconds that asking for a range, or sending one, takes: a chunk need not take less */
    double slow;   /* who is slower than the mean by a factor of e^l takes the part divided by 1 + slow l */
};

/* All zero before the first frame. */
struct lb_crew {
    struct lb_crew_member *members;
    uint32_t count, capacity;
    uint64_t unit;      /* positions; 1 unless the picture is huge */
    uint64_t positions; /* of the order */
    uint64_t seed;
    struct lb_crew_chunks chunks;
    _Atomic uint64_t outstanding;            /* positions not delivered, born ones included */
    _Atomic uint64_t delivered, nanoseconds; /* measured in this frame, of all members together */
    _Atomic uint32_t lost;                   /* members */
    _Atomic uint64_t messages, tried, won, pushes, polls;
    atomic_flag lock;         /* around the backlog */
    _Atomic uint64_t waiting; /* ranges in the backlog, for a look without the lock */
    struct lb_backlog backlog;
};

/* Gives each processor a range whose length follows its weight. */
enum lb_status lb_crew_start(struct lb_crew *crew, const struct lb_plan *plan, uint64_t positions,
                             const struct lb_crew_chunks *chunks, struct lb_error *error);
/* The next chunk of the processor's own range: no more than half of it nor four times what it did so far. */
bool lb_crew_take(struct lb_crew *crew, uint32_t processor, struct lb_range *range);
/* Some of the backlog. */
bool lb_crew_take_back(struct lb_crew *crew, uint32_t processor, struct lb_range *range);
/* Another member, by chance. There must be two. */
uint32_t lb_crew_other(struct lb_crew *crew, uint32_t processor);
/* Positions a second, or its weight's due of the mean while nothing is measured. Never 0. */
double lb_crew_speed(const struct lb_crew *crew, uint32_t processor);
/* How many of `units` a receiver should get of a giver for both to be done at once, at least 1. */
uint64_t lb_crew_part(const struct lb_crew *crew, uint32_t giver, uint32_t receiver, uint64_t units);
/* Units in a word; 0 for the two that are no ranges. */
uint64_t lb_word_units(uint64_t word);
uint64_t lb_word_make(uint64_t begin, uint64_t end);

/* The hooks, for states that begin with struct lb_crew, and what tables of such strategies have in common. */
#define LB_CREW_HOOKS                                                                                        \
    .dynamic = true, .concurrent = true, .state_size = lb_crew_state_size, .failed = lb_crew_failed,         \
    .kept = lb_crew_done, .spawn = lb_crew_spawn, .counts = lb_crew_counts, .end = lb_crew_end
size_t lb_crew_state_size(uint32_t processors);
void lb_crew_done(void *state, uint32_t processor, struct lb_range range, double seconds);
void lb_crew_failed(void *state, uint32_t processor, struct lb_range range, bool lost);
void lb_crew_spawn(void *state, uint32_t processor, struct lb_range range);
void lb_crew_counts(const void *state, struct lb_strategy_counts *counts);
void lb_crew_end(void *state);

#endif
