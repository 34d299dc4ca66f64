/* The heaviest leaf is split, the lightest pair of siblings merged, before every frame: paper II.C [9]. The first frame
 * is estimate's. Of a leaf one time is known, so that half of it is half of its area. */
#include "strategies/leaf_shares.h"

#include <stdlib.h>

/* Of the tree whose leaves are the rectangles. */
struct node {
    uint32_t first, second; /* children; LB_NONE in a leaf */
    uint32_t processor;     /* of a leaf: whose rectangle it is */
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

/* The tree of processors [low, high) below a node, halved as lb_leaves_cut halves them. */
static void build(struct robles *robles, uint32_t at, uint32_t low, uint32_t high)
{
    uint32_t middle = low + (high - low) / 2, first = robles->count, second = first + 1;
    if (high - low == 1) {
        robles->nodes[at] = (struct node){LB_NONE, LB_NONE, low};
        return;
    }
    robles->count += 2;
    robles->nodes[at] = (struct node){first, second, 0};
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
    lb_leaves_cut(&robles->own.leaves, LB_CUT_FIRST);
    robles->count = 1;
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

/* Two rectangles that were one: beside each other, or one above the other. */
static lb_rectangle join(const lb_rectangle *a, const lb_rectangle *b)
{
    lb_rectangle whole = *a;
    if (a->y == b->y && a->x + a->width == b->x)
        whole.width += b->width;
    else
        whole.height += b->height;
    return whole;
}

/* The pair's first processor takes both its halves; its second takes half of the heaviest leaf. */
static void adapt(struct robles *robles)
{
    double seconds = 0;
    uint32_t heavy = heaviest_leaf(robles), pair = lightest_pair(robles, heavy, &seconds);
    if (pair == LB_NONE || seconds >= leaf_seconds(robles, heavy))
        return;
    struct node *nodes = robles->nodes;
    struct lb_leaf *leaves = robles->own.leaves.all;
    uint32_t a = nodes[pair].first, b = nodes[pair].second;
    uint32_t stays = nodes[a].processor, freed = nodes[b].processor, halved = nodes[heavy].processor;
    lb_rectangle halves[2];
    leaves[stays].area = join(&leaves[stays].area, &leaves[freed].area);
    lb_density_split(&robles->own.leaves.density, &leaves[halved].area, 0.5, LB_CUT_FIRST, halves);
    leaves[halved].area = halves[0];
    leaves[freed].area = halves[1];
    nodes[pair] = (struct node){LB_NONE, LB_NONE, stays};
    nodes[heavy] = (struct node){a, b, 0};
    nodes[a].processor = halved;
    nodes[b].processor = freed;
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
    LB_LEAF_SHARES_HOOKS,
    .end = robles_end,
};
