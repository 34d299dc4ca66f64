/* The heaviest leaf is split, the lightest pair of siblings merged, before every frame: paper II.C [9]. The first frame
 * is estimate's. Of a leaf one time is known, so that half of it is half of its area. */
#include "strategies/leaf_shares.h"

#include <stdlib.h>

struct node {
    lb_rectangle area;
    uint32_t parent, first, second; /* children; LB_NONE in a leaf */
    uint32_t processor;             /* of a leaf */
};

struct robles {
    struct lb_leaf_shares own; /* first */
    struct node *nodes;        /* 2 p - 1; 0 is the root */
    uint32_t count, capacity;
};

static size_t robles_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct robles);
}

static void split(struct robles *robles, uint32_t at, double fraction, uint32_t first, uint32_t second)
{
    struct node *node = &robles->nodes[at];
    lb_rectangle parts[2];
    lb_density_split(&robles->own.leaves.density, &node->area, fraction, LB_CUT_FIRST, parts);
    robles->nodes[first] = (struct node){parts[0], at, LB_NONE, LB_NONE, 0};
    robles->nodes[second] = (struct node){parts[1], at, LB_NONE, LB_NONE, 0};
    node->first = first;
    node->second = second;
}

/* The tree of processors [low, high) below a node. */
static void build(struct robles *robles, uint32_t at, uint32_t low, uint32_t high)
{
    const struct lb_leaf *leaves = robles->own.leaves.all;
    uint32_t middle = low + (high - low) / 2;
    double before = 0, all = 0;
    if (high - low == 1) {
        robles->nodes[at].processor = low;
        return;
    }
    for (uint32_t k = low; k < high; k++) {
        all += leaves[k].weight;
        before += k < middle ? leaves[k].weight : 0;
    }
    uint32_t first = robles->count++, second = robles->count++;
    split(robles, at, before / all, first, second);
    build(robles, first, low, middle);
    build(robles, second, middle, high);
}

static enum lb_status start_tree(struct robles *robles, const struct lb_plan *plan, struct lb_error *error)
{
    uint32_t most = 2 * plan->processor_count;
    if (most > robles->capacity) {
        free(robles->nodes);
        robles->nodes = calloc(most, sizeof *robles->nodes);
        robles->capacity = robles->nodes == NULL ? 0 : most;
        if (robles->nodes == NULL)
            return lb_error_memory(error, NULL);
    }
    robles->count = 1;
    robles->nodes[0] = (struct node){{0, 0, 0, plan->width, plan->height}, LB_NONE, LB_NONE, LB_NONE, 0};
    build(robles, 0, 0, plan->processor_count);
    return LB_OK;
}

static double leaf_seconds(const struct robles *robles, uint32_t at)
{
    return robles->own.leaves.all[robles->nodes[at].processor].seconds;
}

static bool is_leaf(const struct robles *robles, uint32_t at)
{
    return robles->nodes[at].first == LB_NONE;
}

static uint32_t heaviest_leaf(const struct robles *robles)
{
    uint32_t found = LB_NONE;
    for (uint32_t i = 0; i < robles->count; i++)
        if (is_leaf(robles, i) && (found == LB_NONE || leaf_seconds(robles, i) > leaf_seconds(robles, found)))
            found = i;
    return found;
}

/* The parent of two leaves that are lightest together and neither of which is `but`; LB_NONE: there is none. */
static uint32_t lightest_pair(const struct robles *robles, uint32_t but, double *seconds)
{
    uint32_t found = LB_NONE;
    for (uint32_t i = 0; i < robles->count; i++) {
        uint32_t a = robles->nodes[i].first, b = robles->nodes[i].second;
        if (a == LB_NONE || !is_leaf(robles, a) || !is_leaf(robles, b) || a == but || b == but)
            continue;
        double both = leaf_seconds(robles, a) + leaf_seconds(robles, b);
        if (found == LB_NONE || both < *seconds) {
            found = i;
            *seconds = both;
        }
    }
    return found;
}

/* The pair's first processor takes both its halves; its second takes half of the heaviest leaf. */
static void adapt(struct robles *robles)
{
    double seconds = 0;
    uint32_t heavy = heaviest_leaf(robles), pair = lightest_pair(robles, heavy, &seconds);
    if (pair == LB_NONE || seconds >= leaf_seconds(robles, heavy))
        return;
    struct node *merged = &robles->nodes[pair];
    uint32_t a = merged->first, b = merged->second;
    uint32_t stays = robles->nodes[a].processor, freed = robles->nodes[b].processor;
    merged->first = merged->second = LB_NONE;
    merged->processor = stays;
    split(robles, heavy, 0.5, a, b);
    robles->nodes[a].processor = robles->nodes[heavy].processor;
    robles->nodes[b].processor = freed;
}

static enum lb_status robles_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                  struct lb_error *error)
{
    struct robles *robles = state;
    bool learn = lb_leaf_shares_has_last(&robles->own, plan);
    enum lb_status status = lb_leaf_shares_start(&robles->own, plan, learn, error);
    if (status != LB_OK)
        return status;
    if (learn)
        adapt(robles);
    else
        status = start_tree(robles, plan, error);
    if (status != LB_OK)
        return status;
    for (uint32_t i = 0; i < robles->count; i++)
        if (is_leaf(robles, i))
            robles->own.leaves.all[robles->nodes[i].processor].area = robles->nodes[i].area;
    return lb_leaf_shares_lay(&robles->own, plan, order, error);
}

static void robles_end(void *state)
{
    struct robles *robles = state;
    free(robles->nodes);
    robles->nodes = NULL;
    robles->count = robles->capacity = 0;
    lb_leaf_shares_end(state);
}

const struct lb_strategy lb_strategy_robles = {
    .name = "robles",
    .summary = "the heaviest rectangle split, the lightest two merged, every frame",
    .weights = LB_WEIGHTS_IGNORED,
    .probe = LB_PROBE_COST,
    .probe_once = true,
    .state_size = robles_state_size,
    .plan = robles_plan,
    .next = lb_shares_next,
    .done = lb_leaf_shares_done,
    .failed = lb_shares_failed,
    .ready = lb_shares_ready,
    .describe = lb_leaf_shares_describe,
    .end = robles_end,
};
