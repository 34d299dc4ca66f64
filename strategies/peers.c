/* Several equal primaries; a worker asks a few of them; primaries even out among themselves: lecture notes,
 * decentralized, peer-to-peer. Each starts with an equal stretch; one that is asked and has nothing asks a few of its
 * peers and takes half of what the richest has. */
#include "strategies/groups.h"

/* How many primaries a worker asks, and a primary by chance; if these have nothing either, it asks all. */
enum { ASKED = 16 };

struct peers {
    struct lb_groups groups; /* first */
    uint64_t seed, draws, polls;
};

static size_t peers_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct peers);
}

static enum lb_status peers_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                 struct lb_error *error)
{
    struct peers *peers = state;
    struct lb_groups *groups = &peers->groups;
    enum lb_status status = lb_groups_start(groups, plan, order, error);
    if (status != LB_OK)
        return status;
    peers->seed = plan->seed + plan->frame;
    peers->draws = peers->polls = 0;
    for (uint32_t i = 0; i < groups->count; i++) {
        groups->primaries[i].next = groups->positions / groups->count * i;
        groups->primaries[i].end =
            i + 1 == groups->count ? groups->positions : groups->positions / groups->count * (i + 1);
    }
    groups->next = groups->positions;
    return LB_OK;
}

static uint32_t draw(struct peers *peers, uint32_t below)
{
    uint64_t x = (peers->seed + 1) * 0x9e3779b97f4a7c15u + ++peers->draws * 0xd1342543de82ef95u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return (uint32_t)((x >> 32) % below);
}

/* The primary to take from; NULL: none has anything. */
static struct lb_group_primary *richest_peer(struct peers *peers)
{
    struct lb_groups *groups = &peers->groups;
    struct lb_group_primary *richest = NULL;
    for (uint32_t i = 0; i < ASKED; i++) {
        struct lb_group_primary *peer = &groups->primaries[draw(peers, groups->count)];
        if (lb_groups_held(peer) > (richest == NULL ? 0 : lb_groups_held(richest)))
            richest = peer;
    }
    groups->messages += 2; /* asked all at once: the time of one question and one answer */
    if (richest != NULL)
        return richest;
    for (uint32_t i = 0; i < groups->count; i++)
        if (lb_groups_held(&groups->primaries[i]) > (richest == NULL ? 0 : lb_groups_held(richest)))
            richest = &groups->primaries[i];
    return richest;
}

static void even_out(struct peers *peers, struct lb_group_primary *primary)
{
    struct lb_group_primary *peer = richest_peer(peers);
    if (peer == NULL || peer == primary)
        return;
    uint64_t part = (lb_groups_held(peer) + 1) / 2;
    primary->end = peer->end;
    primary->next = peer->end - part;
    peer->end = primary->next;
}

/* A worker asks some primaries at once and gets a task from the richest. *share: what each of those asked holds, about.
 * A task is a part of that: were it a part of all that a rich primary holds, it would outlast what the others hold. */
static struct lb_group_primary *choose(struct peers *peers, uint64_t *share)
{
    struct lb_groups *groups = &peers->groups;
    struct lb_group_primary *richest = NULL;
    uint64_t sum = 0, asked = groups->count < ASKED ? groups->count : ASKED;
    uint32_t first = draw(peers, groups->count);
    for (uint32_t i = 0; i < asked; i++) {
        struct lb_group_primary *primary = &groups->primaries[(first + i) % groups->count];
        sum += lb_groups_held(primary);
        if (richest == NULL || lb_groups_held(primary) > lb_groups_held(richest))
            richest = primary;
    }
    if (asked > 1) { /* they answer with offers, and the worker says which it takes */
        peers->polls += asked;
        groups->messages += 2;
    }
    *share = sum / asked;
    return richest;
}

static enum lb_next peers_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct peers *peers = state;
    struct lb_groups *groups = &peers->groups;
    uint64_t share;
    struct lb_group_primary *primary = choose(peers, &share);
    bool left = groups->outstanding > 0;
    if (left && lb_groups_held(primary) == 0)
        even_out(peers, primary);
    if (share == 0)
        share = lb_groups_held(primary);
    if (lb_groups_held(primary) > 0) {
        if (!lb_groups_too_slow(groups, processor, share * groups->count)) {
            lb_groups_deal(groups, processor, primary, share, groups->guided.speed / groups->count,
                           groups->processors / groups->count, range);
            return LB_NEXT_RANGE;
        }
    } else if (lb_groups_take_back(groups, processor, range)) {
        return LB_NEXT_RANGE;
    }
    return left ? LB_NEXT_WAIT : LB_NEXT_END;
}

static void peers_counts(const void *state, struct lb_strategy_counts *counts)
{
    lb_groups_counts(state, counts);
    counts->polls = ((const struct peers *)state)->polls;
}

const struct lb_strategy lb_strategy_peers = {
    .name = "peers",
    .summary = "several equal primaries; a worker asks a few, and they even out among themselves",
    .weights = LB_WEIGHTS_FOLLOWED,
    LB_LAYOUT_OPTIONS,
    .state_size = peers_state_size,
    .plan = peers_plan,
    .next = peers_next,
    LB_GROUPS_HOOKS,
    .counts = peers_counts,
};
