/* A main primary deals batches to local ones, these deal tasks to their workers: lecture notes, decentralized,
 * hierarchical. A worker asks its local primary only; a batch is half of the group's due of what no primary has yet.
 * The notes' danger, that a group is left with more than it can do, is met by tasks that are a part of that due, not of
 * the batch, and shrink with it. */
#include "strategies/groups.h"

#include <math.h>

static enum lb_status hierarchical_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                        struct lb_error *error)
{
    return lb_groups_start(state, plan, order, error);
}

/* What was measured of the group, as if it were one processor. */
static struct lb_guided_pace group_pace(const struct lb_groups *groups,
                                        const struct lb_group_primary *primary)
{
    struct lb_guided_pace sum = {0};
    for (uint32_t k = primary->first; k < groups->processors; k = groups->following[k]) {
        const struct lb_guided_pace *pace = &groups->guided.paces[k];
        sum.weight += pace->weight;
        lb_speed_add(&sum.measured, pace->measured.work, pace->measured.seconds, LB_SPEED_ALL);
        sum.speed += pace->measured.work > 0 ? pace->speed : 0;
    }
    return sum;
}

/* Of what a member has in hand so much is counted against its share: some of it is done. In a group of many the others
 * will soon be back. */
static const double IN_HAND = 0.5;

/* What is the group's of what no primary has: each member's share, less what it has in hand. A batch for a group whose
 * other members have long ranges is one for who asks. */
static double group_due(const struct lb_groups *groups, const struct lb_group_primary *primary, uint64_t left)
{
    double due = 0, seconds = (double)left / groups->guided.speed;
    if (!(groups->guided.speed > 0))
        return (double)left;
    for (uint32_t k = primary->first; k < groups->processors; k = groups->following[k]) {
        const struct lb_guided_pace *pace = &groups->guided.paces[k];
        double share = pace->measured.work > 0 ? pace->speed * seconds : 0;
        due += fmax(share - IN_HAND / primary->members * pace->in_hand, 0);
    }
    return due;
}

/* The local primary asks the main one. */
static void fetch(struct lb_groups *groups, struct lb_group_primary *primary)
{
    uint64_t left = groups->positions - groups->next;
    struct lb_guided_pace pace = group_pace(groups, primary);
    uint64_t size = lb_guided_batch(&groups->guided, &pace, groups->next, left);
    double due = group_due(groups, primary, left);
    double most = fmax(due / 2, lb_guided_least(&groups->guided, &pace));
    if ((double)size > most)
        size = (uint64_t)most;
    if (size < primary->members) /* a position for each of them */
        size = primary->members;
    if (size > left)
        size = left;
    lb_groups_expect(groups, primary);
    primary->told = left;
    primary->due = size < left ? (uint64_t)due : size;
    primary->next = groups->next;
    primary->end = groups->next += size;
    groups->messages += 2;
}

/* Would those of the group that are not too slow for what it holds need longer for it than all processors for what no
 * primary had? */
static bool outlasts(const struct lb_groups *groups, const struct lb_group_primary *primary)
{
    double speed = 0;
    for (uint32_t k = primary->first; k < groups->processors; k = groups->following[k])
        if (!lb_groups_too_slow(groups, k, primary->told))
            speed += groups->guided.paces[k].speed;
    return (double)lb_groups_held(primary) * groups->guided.speed > (double)primary->told * speed;
}

static enum lb_next hierarchical_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct lb_groups *groups = state;
    struct lb_group_primary *primary = &groups->primaries[groups->primary_of[processor]];
    uint64_t left = groups->positions - groups->next;
    if (lb_groups_held(primary) == 0 && left > 0 && !lb_groups_too_slow(groups, processor, left))
        fetch(groups, primary);
    if (lb_groups_held(primary) > 0) {
        if (!lb_groups_too_slow(groups, processor, primary->told)) {
            if (primary->due < lb_groups_held(primary))
                primary->due = lb_groups_held(primary);
            lb_groups_deal(groups, processor, primary, primary->due, primary->speed, primary->members, range);
            uint64_t size = range->end - range->begin;
            primary->due -= size < primary->due ? size : primary->due;
            return LB_NEXT_RANGE;
        }
        if (primary->in_flight == 0 || outlasts(groups, primary))
            lb_groups_give_back(groups, primary);
    }
    if (lb_groups_take_back(groups, processor, range))
        return LB_NEXT_RANGE;
    return groups->outstanding == 0 ? LB_NEXT_END : LB_NEXT_WAIT;
}

const struct lb_strategy lb_strategy_hierarchical = {
    .name = "hierarchical",
    .summary = "a main primary deals batches to local ones, these deal tasks to their workers",
    .weights = LB_WEIGHTS_FOLLOWED,
    LB_LAYOUT_OPTIONS,
    .state_size = lb_groups_state_size,
    .plan = hierarchical_plan,
    .next = hierarchical_next,
    LB_GROUPS_HOOKS,
    .counts = lb_groups_counts,
};
