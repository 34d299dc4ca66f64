/* A main primary deals batches to local ones, these deal tasks to their workers: lecture notes, decentralized,
 * hierarchical. A worker asks his local primary only; a batch is a part of the group's due of what is left. The notes'
 * danger, that a group is left with more than it can do, is met by batches and tasks that shrink towards the end. */
#include "strategies/groups.h"

static enum lb_status hierarchical_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                        struct lb_error *error)
{
    return lb_groups_start(state, plan, order, error);
}

/* Half of what is left, times the group's part of the speed (or of the workers). */
static uint64_t batch(const struct lb_groups *groups, const struct lb_primary *primary)
{
    double left = (double)(groups->positions - groups->next), part;
    if (primary->speed > 0 && groups->guided.speed > 0)
        part = primary->speed / groups->guided.speed;
    else
        part = (double)primary->members / groups->processors / 8;
    if (part > 1)
        part = 1;
    uint64_t size = (uint64_t)(left * part / 2);
    /* A task at least for each of them. */
    if (size < primary->members)
        size = primary->members;
    return (double)size > left ? (uint64_t)left : size;
}

static enum lb_next hierarchical_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct lb_groups *groups = state;
    struct lb_primary *primary = &groups->primaries[groups->primary_of[processor]];
    if (primary->next == primary->end && groups->next < groups->positions) {
        primary->next = groups->next;
        groups->next += batch(groups, primary);
        primary->end = groups->next;
        groups->messages += 2;
    }
    if (primary->next < primary->end)
        lb_groups_deal(groups, processor, primary, primary->speed, primary->members, range);
    else if (!lb_groups_take_back(groups, processor, range))
        return groups->outstanding == 0 ? LB_NEXT_END : LB_NEXT_WAIT;
    return LB_NEXT_RANGE;
}

const struct lb_strategy lb_strategy_hierarchical = {
    .name = "hierarchical",
    .summary = "a main primary deals batches to local ones, these deal tasks to their workers",
    .weights = LB_WEIGHTS_FOLLOWED,
    .dynamic = true,
    .state_size = lb_groups_state_size,
    .plan = hierarchical_plan,
    .next = hierarchical_next,
    .done = lb_groups_done,
    .failed = lb_groups_failed,
    .spawn = lb_groups_spawn,
    .ready = lb_groups_ready,
    .counts = lb_groups_counts,
    .end = lb_groups_end,
};
