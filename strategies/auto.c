/* The default: chunks of bit-reversed regions of a Hilbert curve. Everybody begins with one of the order's end; a
 * processor that is done is dealt the next one, a part of what by its measured speed it should do of the frame. Any
 * range of that order is a fair sample of the picture, so that a chunk's cost is known beforehand though no pixel's is;
 * and its last part is dealt pixel by pixel across the regions, so that no dear corner falls to one processor when it
 * is too late to make up for it. The slow never could: they take of that part from the first. */
#include "strategies/backlog.h"
#include "strategies/guided.h"
#include "strategies/layout.h"

#include <stdlib.h>

/* Who is so many times slower than the mean takes of the tail's single pixels, until half of them are left: the fewer
 * are left for everybody's end, the less even that is. Who is hardly slower than the mean would soon have taken that
 * half. */
enum { SLOW = 3 };

struct start {
    struct lb_range range;
    bool waits; /* its processor was told to wait, though it is not too slow for what is not delivered */
};

struct own {
    struct lb_guided guided;
    struct lb_backlog backlog;
    /* What each processor begins with follows from the plan alone, so that it need ask nobody; empty once somebody has
     * it. */
    struct start *starts;
    uint32_t processors, capacity;
    uint32_t left_start;  /* no start before this one is left */
    uint64_t next, count; /* positions not yet dealt, before the starts */
    uint64_t kept;        /* from here on they are for the slow */
    uint64_t outstanding; /* positions dealt or not, not delivered */
    uint64_t waiting;     /* positions of the backlog */
    uint64_t messages;
    uint64_t in_flight; /* ranges */
    uint32_t waits;     /* processors, of `starts` */
    bool open;          /* a processor was lost, or all wait: none counts as too slow any more */
};

static size_t auto_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct own);
}

/* Lays down what everybody begins with, as large as chunks are of processors that nothing was measured of: at the end
 * of the order, where any few positions are a fair sample of the picture, by which speeds can be told. */
static enum lb_status lay_starts(struct own *own, const struct lb_plan *plan, struct lb_error *error)
{
    uint32_t processors = plan->processor_count;
    double sum = 0, before = 0;
    if (processors > own->capacity) {
        free(own->starts);
        own->starts = malloc(processors * sizeof *own->starts);
        own->capacity = own->starts == NULL ? 0 : processors;
        if (own->starts == NULL)
            return lb_error_memory(error, NULL);
    }
    own->processors = processors;
    own->left_start = 0;
    for (uint32_t k = 0; k < processors; k++)
        sum += lb_guided_first(&own->guided, k);
    uint64_t end = own->count, begin = sum < (double)end ? end - (uint64_t)sum : 0;
    for (uint32_t k = 0; k < processors; k++) {
        before += lb_guided_first(&own->guided, k);
        own->starts[k].waits = false;
        own->starts[k].range.begin = k == 0 ? begin : own->starts[k - 1].range.end;
        own->starts[k].range.end = begin + (before < (double)(end - begin) ? (uint64_t)before : end - begin);
    }
    own->starts[processors - 1].range.end = end;
    own->next = 0;
    own->count = begin;
    return LB_OK;
}

static enum lb_status auto_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                struct lb_error *error)
{
    struct own *own = state;
    enum lb_status status = lb_backlog_start(&own->backlog, plan->processor_count, error);
    if (status != LB_OK)
        return status;
    *order = lb_layout_spread(plan);
    own->count = own->outstanding = order->count;
    own->messages = own->in_flight = own->waiting = own->waits = 0;
    own->open = false;
    status = lb_guided_start(&own->guided, plan, order, error);
    if (status == LB_OK)
        lb_guided_await(&own->guided);
    own->kept = own->guided.spread + (order->count - own->guided.spread) / 2;
    return status == LB_OK ? lay_starts(own, plan, error) : status;
}

static bool take_start(struct own *own, uint32_t processor, struct lb_range *range)
{
    struct lb_range *start = &own->starts[processor].range;
    *range = *start;
    start->begin = start->end;
    return range->begin < range->end;
}

/* The start of somebody who has not come yet. */
static bool take_left_start(struct own *own, struct lb_range *range)
{
    while (own->left_start < own->processors && !take_start(own, own->left_start, range))
        own->left_start++;
    return own->left_start < own->processors;
}

/* The slow take of the end of what is not dealt, all others of its beginning. */
static void take_due(struct own *own, uint32_t processor, struct lb_range *range)
{
    uint64_t left = own->count - own->next, most = own->count > own->kept ? own->count - own->kept : 0;
    bool slow = lb_guided_slowness(&own->guided, processor) > SLOW;
    if (slow && most > 0 && own->next < own->guided.spread) {
        uint64_t due = lb_guided_due(&own->guided, processor, own->guided.spread, left, own->outstanding);
        range->end = own->count;
        range->begin = own->count -= due < most ? due : most;
    } else {
        range->begin = own->next;
        own->next += lb_guided_due(&own->guided, processor, own->next, left, own->outstanding);
        range->end = own->next;
    }
}

/* Of the range that was given back or born last, as much as is a chunk of all that nobody has: there is no need to cut
 * it smaller as long as there is much else to do. */
static void take_back(struct own *own, uint32_t processor, struct lb_range *range)
{
    const struct lb_range *last = &own->backlog.ranges[own->backlog.count - 1];
    uint64_t left = own->waiting + (own->count - own->next);
    lb_backlog_take(&own->backlog, lb_guided_chunk(&own->guided, processor, last->begin, left), range);
    own->waiting -= range->end - range->begin;
}

/* Whether the processor waits for what others have in hand. */
static void set_waits(struct own *own, uint32_t processor, bool waits)
{
    own->waits += waits;
    own->waits -= own->starts[processor].waits;
    own->starts[processor].waits = waits;
}

static enum lb_next wait_or_end(struct own *own, uint32_t processor)
{
    if (own->outstanding == 0)
        return LB_NEXT_END;
    set_waits(own, processor, !lb_guided_too_slow(&own->guided, processor, own->outstanding));
    return LB_NEXT_WAIT;
}

static enum lb_next deal(struct own *own, uint32_t processor, const struct lb_range *range)
{
    own->in_flight++;
    lb_guided_dealt(&own->guided, processor, range->end - range->begin);
    return LB_NEXT_RANGE;
}

static enum lb_next auto_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct own *own = state;
    uint64_t left = own->count - own->next;
    lb_guided_came(&own->guided, processor);
    set_waits(own, processor, false);
    if (take_start(own, processor, range))
        return deal(own, processor, range);
    if (own->backlog.count > 0 &&
        (own->open || !lb_guided_too_slow(&own->guided, processor, left + own->waiting))) {
        take_back(own, processor, range);
    } else if (left > 0 && (own->open || !lb_guided_too_slow(&own->guided, processor, left))) {
        take_due(own, processor, range);
    } else if (left > 0 || !take_left_start(own, range)) {
        return wait_or_end(own, processor);
    }
    own->messages++;
    return deal(own, processor, range);
}

/* Every range changes the speeds that are expected, so in the end all processors may wait, each of them having left the
 * rest to a faster one: then any may take it. */
static void land(struct own *own)
{
    own->in_flight--;
    own->open = own->open || own->in_flight == 0;
}

static void auto_kept(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct own *own = state;
    own->outstanding -= range.end - range.begin;
    own->messages++;
    lb_guided_done(&own->guided, processor, range.end - range.begin, seconds);
}

static void auto_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    land(state);
    auto_kept(state, processor, range, seconds);
}

static void auto_progress(void *state, uint32_t processor, struct lb_range range, uint64_t positions,
                          double seconds)
{
    struct own *own = state;
    (void)range;
    own->messages++;
    lb_guided_progress(&own->guided, processor, positions, seconds);
}

static void auto_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct own *own = state;
    lb_backlog_add(&own->backlog, range);
    own->waiting += range.end - range.begin;
    if (range.begin < range.end) {
        lb_guided_failed(&own->guided, processor, range.end - range.begin);
        land(own);
    }
    if (!lost)
        return;
    set_waits(own, processor, false);
    lb_guided_lost(&own->guided, processor);
    own->open = true;
}

/* Is there anything that nobody has, so that who waits does so for other reasons? */
static bool has_some(const struct own *own)
{
    return own->backlog.count > 0 || own->next < own->count || own->left_start < own->processors;
}

/* A range that turned out dear, or to be in slow hands, is dealt anew as if its rest were all that is left. */
static uint64_t auto_cut(void *state, uint32_t processor, struct lb_range range, uint64_t positions,
                         double seconds)
{
    struct own *own = state;
    struct lb_range rest = {range.begin + positions, range.end};
    auto_progress(state, processor, range, positions, seconds);
    if (own->waits == 0 || has_some(own))
        return range.end;
    rest.begin += lb_guided_keep(&own->guided, processor, rest.end - rest.begin);
    if (rest.begin == rest.end)
        return range.end;
    own->messages++;
    own->waiting += rest.end - rest.begin;
    lb_backlog_add(&own->backlog, rest);
    lb_guided_took(&own->guided, processor, rest.end - rest.begin);
    return rest.begin;
}

static void auto_spawn(void *state, uint32_t processor, struct lb_range range)
{
    struct own *own = state;
    (void)processor;
    own->outstanding += range.end - range.begin;
    own->waiting += range.end - range.begin;
    lb_backlog_add(&own->backlog, range);
}

static bool auto_ready(const void *state)
{
    const struct own *own = state;
    bool starts = own->next == own->count && own->left_start < own->processors;
    return own->outstanding == 0 || own->backlog.count > 0 || starts || (own->open && own->next < own->count);
}

static void auto_counts(const void *state, struct lb_strategy_counts *counts)
{
    *counts = (struct lb_strategy_counts){.messages = ((const struct own *)state)->messages};
}

static void auto_end(void *state)
{
    struct own *own = state;
    free(own->starts);
    own->starts = NULL;
    own->capacity = 0;
    lb_backlog_free(&own->backlog);
    lb_guided_free(&own->guided);
}

const struct lb_strategy lb_strategy_auto = {
    .name = "auto",
    .summary = "shrinking chunks of well-spread regions, by measured speeds (the default)",
    .weights = LB_WEIGHTS_FOLLOWED,
    .kept_speeds = true,
    .dynamic = true,
    .options = LB_OPTIONS(&lb_option_region_size),
    .options_size = sizeof(struct lb_layout_options),
    .state_size = auto_state_size,
    .plan = auto_plan,
    .next = auto_next,
    .done = auto_done,
    .failed = auto_failed,
    .kept = auto_kept,
    .progress = auto_progress,
    .cut = auto_cut,
    .spawn = auto_spawn,
    .ready = auto_ready,
    .counts = auto_counts,
    .end = auto_end,
};
