#include "strategies/groups.h"

#include <stdlib.h>

static enum lb_status make_room(struct lb_groups *groups, uint32_t processors, struct lb_error *error)
{
    if (processors > groups->capacity) {
        free(groups->primaries);
        free(groups->primary_of);
        free(groups->following);
        groups->primaries = calloc(processors, sizeof *groups->primaries);
        groups->primary_of = calloc(processors, sizeof *groups->primary_of);
        groups->following = calloc(processors, sizeof *groups->following);
        bool all = groups->primaries != NULL && groups->primary_of != NULL && groups->following != NULL;
        groups->capacity = all ? processors : 0;
        if (!all)
            return lb_error_memory(error, NULL);
    }
    return lb_backlog_start(&groups->backlog, processors, error);
}

/* Gives each group a primary. Groups' numbers may have gaps, so that each group that is met gets the next primary; the
 * processor before is looked at first, since groups are mostly runs of neighbours. */
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

static void count_members(struct lb_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++)
        groups->primaries[i] = (struct lb_group_primary){.first = groups->processors};
    for (uint32_t k = groups->processors; k-- > 0;) {
        struct lb_group_primary *primary = &groups->primaries[groups->primary_of[k]];
        groups->following[k] = primary->first;
        primary->first = k;
        primary->members++;
    }
}

enum lb_status lb_groups_start(struct lb_groups *groups, const struct lb_plan *plan, struct lb_order *order,
                               struct lb_error *error)
{
    uint64_t task;
    enum lb_status status = make_room(groups, plan->processor_count, error);
    if (status != LB_OK)
        return status;
    *order = lb_layout_asked(plan)->layout == LB_LAYOUT_DEFAULT
                 ? lb_layout_spread(plan)
                 : lb_layout_order(plan, LB_LAYOUT_REVERSED, &task);
    groups->processors = plan->processor_count;
    groups->next = 0;
    groups->positions = groups->outstanding = order->count;
    groups->messages = groups->in_flight = 0;
    if (one_group(plan))
        make_groups(groups, plan->processor_count);
    else
        follow_plan_groups(groups, plan);
    count_members(groups);
    return lb_guided_start(&groups->guided, plan, order, error);
}

uint64_t lb_groups_held(const struct lb_group_primary *primary)
{
    return primary->end - primary->next;
}

void lb_groups_expect(struct lb_groups *groups, struct lb_group_primary *primary)
{
    primary->speed = 0;
    for (uint32_t k = primary->first; k < groups->processors; k = groups->following[k])
        primary->speed += groups->guided.paces[k].speed;
}

static void send(struct lb_groups *groups, uint32_t processor, const struct lb_range *range)
{
    lb_guided_dealt(&groups->guided, processor, range->end - range->begin);
    groups->in_flight++;
    groups->primaries[groups->primary_of[processor]].in_flight++;
    groups->messages++;
}

bool lb_groups_too_slow(const struct lb_groups *groups, uint32_t processor, uint64_t left)
{
    return groups->in_flight > 0 && lb_guided_too_slow(&groups->guided, processor, left);
}

void lb_groups_deal(struct lb_groups *groups, uint32_t processor, struct lb_group_primary *primary,
                    uint64_t left, double speed, uint32_t sharers, struct lb_range *range)
{
    uint64_t held = lb_groups_held(primary);
    if (sharers == 0)
        sharers = 1;
    if (!(speed > 0))
        speed = groups->guided.speed * sharers / groups->guided.processors;
    if (left == 0)
        left = 1;
    uint64_t size = lb_guided_part(&groups->guided, processor, primary->next, left, speed, sharers);
    range->begin = primary->next;
    primary->next += size < held ? size : held;
    range->end = primary->next;
    send(groups, processor, range);
}

bool lb_groups_take_back(struct lb_groups *groups, uint32_t processor, struct lb_range *range)
{
    if (groups->backlog.count == 0)
        return false;
    const struct lb_range *last = &groups->backlog.ranges[groups->backlog.count - 1];
    uint64_t left = last->end - last->begin;
    if (lb_groups_too_slow(groups, processor, left))
        return false;
    lb_backlog_take(&groups->backlog, lb_guided_chunk(&groups->guided, processor, last->begin, left), range);
    send(groups, processor, range);
    return true;
}

size_t lb_groups_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct lb_groups);
}

static void land(struct lb_groups *groups, uint32_t processor)
{
    groups->in_flight--;
    groups->primaries[groups->primary_of[processor]].in_flight--;
}

/* What its primary expects of its members follows what one of them was measured at. */
static void follow_speed(struct lb_groups *groups, uint32_t processor, double before)
{
    struct lb_group_primary *home = &groups->primaries[groups->primary_of[processor]];
    if (home->speed > 0)
        home->speed += groups->guided.paces[processor].speed - before;
}

void lb_groups_kept(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct lb_groups *groups = state;
    double before = groups->guided.paces[processor].speed;
    groups->outstanding -= range.end - range.begin;
    groups->messages++;
    lb_guided_done(&groups->guided, processor, range.end - range.begin, seconds);
    follow_speed(groups, processor, before);
}

void lb_groups_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    land(state, processor);
    lb_groups_kept(state, processor, range, seconds);
}

void lb_groups_progress(void *state, uint32_t processor, struct lb_range range, uint64_t positions,
                        double seconds)
{
    struct lb_groups *groups = state;
    double before = groups->guided.paces[processor].speed;
    (void)range;
    groups->messages++;
    lb_guided_progress(&groups->guided, processor, positions, seconds);
    follow_speed(groups, processor, before);
}

void lb_groups_give_back(struct lb_groups *groups, struct lb_group_primary *primary)
{
    lb_backlog_add(&groups->backlog, (struct lb_range){primary->next, primary->end});
    primary->next = primary->end;
}

void lb_groups_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct lb_groups *groups = state;
    struct lb_group_primary *home = &groups->primaries[groups->primary_of[processor]];
    lb_backlog_add(&groups->backlog, range);
    if (range.begin < range.end) {
        lb_guided_failed(&groups->guided, processor, range.end - range.begin);
        land(groups, processor);
    }
    if (!lost || groups->guided.paces[processor].lost)
        return;
    lb_guided_lost(&groups->guided, processor);
    lb_groups_expect(groups, home);
    home->members--;
    /* No processor is left to deal to, or only some that left the rest to faster ones. */
    if (home->in_flight == 0)
        lb_groups_give_back(groups, home);
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
    return groups->outstanding == 0 || groups->backlog.count > 0 || groups->in_flight == 0;
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
    free(groups->following);
    *groups = (struct lb_groups){0};
}
