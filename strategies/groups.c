#include "strategies/groups.h"

#include <stdlib.h>

static enum lb_status make_room(struct lb_groups *groups, uint32_t processors, struct lb_error *error)
{
    if (processors > groups->capacity) {
        free(groups->primaries);
        free(groups->primary_of);
        groups->primaries = calloc(processors, sizeof *groups->primaries);
        groups->primary_of = calloc(processors, sizeof *groups->primary_of);
        bool all = groups->primaries != NULL && groups->primary_of != NULL;
        groups->capacity = all ? processors : 0;
        if (!all)
            return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
    }
    return lb_backlog_start(&groups->backlog, processors, error);
}

/* Groups' numbers need not be dense: each new one gets the next primary. Found by looking at the processor before
 * first, as groups are mostly runs. */
static void follow_plan_groups(struct lb_groups *groups, const struct lb_plan *plan)
{
    groups->count = 0;
    for (uint32_t k = 0; k < plan->processor_count; k++) {
        uint32_t group = plan->processors[k].group, i = k;
        while (i > 0 && plan->processors[i - 1].group != group)
            i--;
        groups->primary_of[k] = i > 0 ? groups->primary_of[i - 1] : groups->count++;
    }
}

static void make_groups(struct lb_groups *groups, uint32_t processors)
{
    uint32_t count = 1;
    while ((uint64_t)(count + 1) * (count + 1) <= processors)
        count++;
    groups->count = count;
    for (uint32_t k = 0; k < processors; k++)
        groups->primary_of[k] = (uint32_t)((uint64_t)k * count / processors);
}

static bool one_group(const struct lb_plan *plan)
{
    for (uint32_t k = 1; k < plan->processor_count; k++)
        if (plan->processors[k].group != plan->processors[0].group)
            return false;
    return true;
}

enum lb_status lb_groups_start(struct lb_groups *groups, const struct lb_plan *plan, struct lb_order *order,
                               struct lb_error *error)
{
    uint64_t task;
    enum lb_status status = make_room(groups, plan->processor_count, error);
    if (status != LB_OK)
        return status;
    *order = lb_layout_order(plan, LB_LAYOUT_REVERSED, &task);
    groups->processors = plan->processor_count;
    groups->next = 0;
    groups->positions = groups->outstanding = order->count;
    groups->messages = 0;
    if (one_group(plan))
        make_groups(groups, plan->processor_count);
    else
        follow_plan_groups(groups, plan);
    for (uint32_t i = 0; i < groups->count; i++)
        groups->primaries[i] = (struct lb_primary){0};
    for (uint32_t k = 0; k < plan->processor_count; k++)
        groups->primaries[groups->primary_of[k]].members++;
    return lb_guided_start(&groups->guided, plan, order->count, error);
}

void lb_groups_deal(struct lb_groups *groups, uint32_t processor, struct lb_primary *primary, double speed,
                    uint32_t sharers, struct lb_range *range)
{
    uint64_t left = primary->end - primary->next;
    if (sharers == 0)
        sharers = 1;
    if (!(speed > 0))
        speed = groups->guided.speed * sharers / groups->guided.processors;
    range->begin = primary->next;
    primary->next += lb_guided_part(&groups->guided, processor, left, speed, sharers);
    range->end = primary->next;
    groups->messages++;
}

bool lb_groups_take_back(struct lb_groups *groups, uint32_t processor, struct lb_range *range)
{
    if (groups->backlog.count == 0)
        return false;
    const struct lb_range *last = &groups->backlog.ranges[groups->backlog.count - 1];
    groups->messages++;
    return lb_backlog_take(&groups->backlog,
                           lb_guided_chunk(&groups->guided, processor, last->end - last->begin), range);
}

size_t lb_groups_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct lb_groups);
}

void lb_groups_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct lb_groups *groups = state;
    struct lb_primary *home = &groups->primaries[groups->primary_of[processor]];
    double before = groups->guided.paces[processor].positions > 0 ? groups->guided.paces[processor].speed : 0;
    groups->outstanding -= range.end - range.begin;
    groups->messages++;
    lb_guided_done(&groups->guided, processor, range.end - range.begin, seconds);
    home->speed += groups->guided.paces[processor].speed - before;
}

void lb_groups_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct lb_groups *groups = state;
    struct lb_primary *home = &groups->primaries[groups->primary_of[processor]];
    lb_backlog_add(&groups->backlog, range);
    if (!lost || groups->guided.paces[processor].lost)
        return;
    if (groups->guided.paces[processor].positions > 0)
        home->speed -= groups->guided.paces[processor].speed;
    lb_guided_lost(&groups->guided, processor);
    home->members--;
    if (home->members > 0)
        return;
    /* Nobody is left to deal to. */
    lb_backlog_add(&groups->backlog, (struct lb_range){home->next, home->end});
    home->next = home->end;
}

void lb_groups_spawn(void *state, uint32_t processor, struct lb_range range)
{
    struct lb_groups *groups = state;
    (void)processor;
    groups->outstanding += range.end - range.begin;
    lb_backlog_add(&groups->backlog, range);
}

bool lb_groups_ready(const void *state)
{
    const struct lb_groups *groups = state;
    return groups->outstanding == 0 || groups->backlog.count > 0;
}

void lb_groups_counts(const void *state, struct lb_strategy_counts *counts)
{
    *counts = (struct lb_strategy_counts){.messages = ((const struct lb_groups *)state)->messages};
}

void lb_groups_end(void *state)
{
    struct lb_groups *groups = state;
    lb_guided_free(&groups->guided);
    lb_backlog_free(&groups->backlog);
    free(groups->primaries);
    free(groups->primary_of);
    *groups = (struct lb_groups){0};
}
