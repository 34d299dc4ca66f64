/* One primary deals the next task to whoever is done first: lecture notes, centralized work pool; paper,
 * master-slave. As there, a task is a row unless --task-size says otherwise, and the frame ends when the
 * count of tasks in flight is zero and none is left to deal. */
#include "strategies/backlog.h"
#include "strategies/layout.h"

struct pool {
    uint64_t next, count; /* positions not yet dealt: [next, count) */
    uint64_t task;        /* positions */
    uint64_t in_flight;   /* tasks: the notes' `count` */
    uint64_t messages;
    struct lb_backlog backlog;
};

static size_t pool_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct pool);
}

static enum lb_status pool_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                struct lb_error *error)
{
    struct pool *pool = state;
    *order = lb_layout_order(plan, LB_LAYOUT_CURVE, &pool->task);
    pool->next = 0;
    pool->count = order->count;
    pool->in_flight = pool->messages = 0;
    return lb_backlog_start(&pool->backlog, plan->processor_count, error);
}

static enum lb_next pool_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct pool *pool = state;
    (void)processor;
    if (!lb_backlog_take(&pool->backlog, pool->task, range)) {
        uint64_t left = pool->count - pool->next;
        if (left == 0)
            return pool->in_flight == 0 ? LB_NEXT_END : LB_NEXT_WAIT;
        range->begin = pool->next;
        range->end = pool->next + (left < pool->task ? left : pool->task);
        pool->next = range->end;
    }
    pool->in_flight++;
    pool->messages++; /* the task; the request for it went with the last result */
    return LB_NEXT_RANGE;
}

static void pool_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct pool *pool = state;
    (void)processor;
    (void)range;
    (void)seconds;
    pool->in_flight--;
    pool->messages++;
}

static void pool_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct pool *pool = state;
    (void)processor;
    (void)lost;
    if (range.begin < range.end)
        pool->in_flight--;
    lb_backlog_add(&pool->backlog, range);
}

static void pool_spawn(void *state, uint32_t processor, struct lb_range range)
{
    (void)processor;
    lb_backlog_add(&((struct pool *)state)->backlog, range);
}

static bool pool_ready(const void *state)
{
    const struct pool *pool = state;
    return pool->next < pool->count || pool->backlog.count > 0 || pool->in_flight == 0;
}

static void pool_counts(const void *state, struct lb_strategy_counts *counts)
{
    *counts = (struct lb_strategy_counts){.messages = ((const struct pool *)state)->messages};
}

static void pool_end(void *state)
{
    lb_backlog_free(&((struct pool *)state)->backlog);
}

const struct lb_strategy lb_strategy_pool = {
    .name = "pool",
    .summary = "one primary deals the next task to whoever is done first",
    .weights = LB_WEIGHTS_IGNORED,
    .dynamic = true,
    LB_LAYOUT_OPTIONS,
    .state_size = pool_state_size,
    .plan = pool_plan,
    .next = pool_next,
    .done = pool_done,
    .failed = pool_failed,
    .spawn = pool_spawn,
    .ready = pool_ready,
    .counts = pool_counts,
    .end = pool_end,
};
