/* A strategy: who renders which range of an order, and when. It is one const table of functions over plain
 * structs; it calls no clock, no thread, no device and prints nothing, so that the same object runs under the
 * scheduler and the simulator. */
#ifndef LB_CORE_STRATEGY_H
#define LB_CORE_STRATEGY_H

#include "core/base/error.h"
#include "core/base/grow.h"
#include "core/kernel/order/blocks.h"
#include "core/kernel/order/make.h"
#include "core/option.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Positions [begin, end) of the frame's order. */
struct lb_range {
    uint64_t begin, end;
};

/* What a strategy takes a processor for: a CPU thread or a GPU. */
enum lb_processor_kind { LB_PROCESSOR_CPU, LB_PROCESSOR_GPU };

/* What a strategy may know of a processor. */
struct lb_processor_info {
    enum lb_processor_kind kind;
    uint32_t group; /* of a hierarchy: NUMA node, device, host */
    double weight;  /* relative speed, positive; over all processors the weights sum to 1 */
};

/* What the last frame or pass measured of one processor. */
struct lb_measured {
    double seconds;     /* busy */
    uint64_t positions; /* done */
    double finish;      /* seconds from the frame's start to its end */
    bool lost;
};

/* A probe: something that is found out about a frame before it is planned, by rendering a little of it. */
enum lb_probe {
    LB_PROBE_NONE,
    LB_PROBE_COVERAGE, /* one camera ray a cell: is anything there? */
    LB_PROBE_COST,     /* one sample a cell: what does it cost? */
    LB_PROBES
};

/* A map of width x height cells, row by row from the upper left: `cost` is proportional to a guess of each cell's
 * cost, or tells coverage, by its sign: it is what the cell's camera ray took in steps, negative where that hit
 * nothing. */
struct lb_estimate {
    uint32_t width, height;
    float *cost; /* who made the map frees it; strategies only read it */
};

struct lb_plan {
    uint32_t width, height;   /* of the picture, each 1 .. 65535 */
    uint32_t processor_count; /* >= 1 */
    const struct lb_processor_info *processors;
    bool weights_known; /* given by the user or measured before; else they are equal for want of better, and
                           a strategy that follows weights finds them out while it runs */
    uint32_t frame, pass;
    uint32_t samples;    /* of a pixel in this pass: an order may split them (blocks); 0: it must not */
    uint64_t seed;       /* of all that a strategy draws */
    const void *options; /* the strategy's .options_size bytes; never NULL where it declares any */
    const struct lb_measured *last;     /* processor_count entries, or NULL before the first frame */
    const struct lb_estimate *estimate; /* or NULL; only where .probe or .known_costs asks for it */
    enum lb_probe estimate_of; /* what found it; LB_PROBE_NONE: it is the true cost (--known-costs) */
};

/* Is the plan's estimate the true cost? */
static inline bool lb_costs_known(const struct lb_plan *plan)
{
    return plan->estimate != NULL && plan->estimate_of == LB_PROBE_NONE;
}

enum lb_next {
    LB_NEXT_RANGE, /* *range is the processor's to do now; never empty */
    LB_NEXT_WAIT,  /* nothing now, but something may come: ask again after any done, failed or spawn */
    LB_NEXT_END,   /* nothing any more in this frame */
};

/* Counted over a frame, a line each: the struct's field, and its sum over passes. */
#define LB_STRATEGY_COUNTS(COUNT)                                                                            \
    COUNT(messages) /* all that would cross between processors: requests, answers, polls, pushes */          \
    COUNT(steals_tried)                                                                                      \
    COUNT(steals_won)                                                                                        \
    COUNT(pushes)                                                                                            \
    COUNT(polls)

#define LB_COUNT_FIELD(count) uint64_t count;
#define LB_COUNT_ADD(count)   sum->count += more->count;

struct lb_strategy_counts {
    LB_STRATEGY_COUNTS(LB_COUNT_FIELD)
};

static inline void lb_strategy_counts_add(struct lb_strategy_counts *sum,
                                          const struct lb_strategy_counts *more)
{
    LB_STRATEGY_COUNTS(LB_COUNT_ADD)
}

enum lb_weights { LB_WEIGHTS_IGNORED, LB_WEIGHTS_FOLLOWED };

struct lb_strategy {
    const char *name;        /* lower case, unique; required */
    const char *summary;     /* one line; required */
    enum lb_weights weights; /* does it follow the processors' weights? */
    /* Does it start from the speeds that earlier runs kept, without being told to by --weights=measured? True for a
     * strategy that is to be as fast as can be. A strategy that is there to be compared must not, or its figures
     * would depend on what another run left behind. */
    bool kept_speeds;
    enum lb_probe probe; /* what it wants for lb_plan.estimate, */
    bool probe_once;     /* and whether only for the first frame, and the first of another size */
    bool known_costs;    /* does it want the true costs, where they are known, though it wants no probe? */
    bool dynamic;        /* deals ranges while the frame runs: tolerates spawn() */
    /* What a user may set of it alone, as LB_OPTIONS(...), and the size of the struct that their fields are in; NULL
     * and 0: nothing. An option that several strategies have is one declaration, in a struct that begins alike. */
    const struct lb_option *const *options;
    size_t options_size;
    /* A processor asks for a range only when it has delivered the one before. Else other hosts, for which asking takes
     * a message there and back, and GPUs, which would run empty meanwhile, ask for further ones while they render, and
     * deliver in the order of asking. */
    bool one_at_a_time;
    bool concurrent; /* next, done, failed and spawn may be called by all processors at once, without a
                        lock; else the caller holds one lock around each call */
    /* Bytes of its state, kept and zeroed before the first frame; required. */
    size_t (*state_size)(uint32_t processors);
    /* Starts a frame or pass: chooses the order. Called by one thread while no other call runs. Required. */
    enum lb_status (*plan)(void *state, const struct lb_plan *plan, struct lb_order *order,
                           struct lb_error *error);
    /* A range for `processor`. Required. */
    enum lb_next (*next)(void *state, uint32_t processor, struct lb_range *range);
    /* `range`, which next() gave to `processor`, was rendered in `seconds` (of the real or the virtual
     * clock). Required. */
    void (*done)(void *state, uint32_t processor, struct lb_range range, double seconds);
    /* Of the range that the next done() of `processor` tells, its thread had a CPU for `seconds`; called just before
     * that, under its lock, in runs in which processors' threads do the work themselves. May be NULL: reading the CPU
     * time of a thread is a system call, which would be made for each range. */
    void (*had_cpu)(void *state, uint32_t processor, double seconds);
    /* `range` was given to `processor` and not delivered: others must do it. `lost`: the processor does no
     * more, and what else was meant for it goes to others too; one that is lost while it has nothing in hand
     * gives an empty range. Required. */
    void (*failed)(void *state, uint32_t processor, struct lb_range range, bool lost);
    /* `processor` will not do the whole of a range that it was given, but has delivered the first part of it: `range`,
     * in `seconds`. failed() follows for the rest, as if only that had been given. Called like done(). NULL: failed()
     * takes all of it back. */
    void (*kept)(void *state, uint32_t processor, struct lb_range range, double seconds);
    /* `processor` did the first `positions` of `range`, which next() gave to it, in `seconds`, and goes on with the
     * others. Where asking takes time, the processors of a strategy that has this hook ask before they are done, when
     * the rest of what they have in hand should last until the answer is there, and tell this just before next(). Those
     * of others ask when they are done (hosts and GPUs apart: one_at_a_time). Called like next(). May be NULL. */
    void (*progress)(void *state, uint32_t processor, struct lb_range range, uint64_t positions,
                     double seconds);
    /* `processor` did the first `positions` of `range` in `seconds`, as under progress(), and others wait for work: it
     * will not do the whole range, but what begins before the position that is returned, range.begin + positions or
     * more and range.end at most. The rest is the strategy's again, to be given to whoever asks, and done() tells the
     * range without it. For ranges of this host's processors, and only while next() has told somebody to wait. Called
     * like next(). NULL: range.end. */
    uint64_t (*cut)(void *state, uint32_t processor, struct lb_range range, uint64_t positions,
                    double seconds);
    /* `processor` adds positions born at run time, beyond the order's count, before the done() of the range that they
     * came of. Required where `dynamic`. */
    void (*spawn)(void *state, uint32_t processor, struct lb_range range);
    /* Might next() say anything but LB_NEXT_WAIT now to one whom it told to wait? Spares the others the
     * asking after each done(). Called like next(). NULL: it might, always. */
    bool (*ready)(const void *state);
    /* Was `processor`, whom next() told to wait, sent something meanwhile that is its own? For strategies in which one
     * processor sends another work; the scheduler asks all who wait anyhow, the simulator these first. Called like
     * next(). May be NULL. */
    bool (*sent)(const void *state, uint32_t processor);
    void (*counts)(const void *state, struct lb_strategy_counts *counts); /* may be NULL: all zero */
    /* What it chose and measured in the frame, for the report: one line, without a newline, "" for nothing.
     * Called by one thread while no other call runs. May be NULL. */
    void (*describe)(const void *state, char *text, size_t size);
    void (*end)(void *state); /* frees what plan() made, if anything; may be NULL */
};

/* The table (strategies/table.c), in the order of --list-strategies. */
extern const struct lb_strategy *const lb_strategies[];
extern const size_t lb_strategy_count;

const struct lb_strategy *lb_strategy_find(const char *name); /* or NULL */
/* Every option that a strategy of the table declares, each once, in the table's order; NULL: there are no more. */
const struct lb_option *lb_strategies_option(size_t index);
/* The strategy's struct of options as `values` say, for lb_plan.options; released by free(). NULL: out of memory. */
void *lb_strategy_options_make(const struct lb_strategy *strategy, const struct lb_option_values *values);
/* Is the table sound: are names unique, are the required hooks there, do options fit into their structs? */
enum lb_status lb_strategies_check(struct lb_error *error);

#endif
