/* The heaviest leaf is split, the lightest pair of siblings merged, before every frame: paper II.C [9]. The first frame
 * is estimate's. A leaf is split where the times of its blocks halve it. */
#include "strategies/forecast.h"

#include <stdlib.h>

struct node {
    lb_rectangle area;
    uint32_t parent, first, second; /* children; LB_NONE in a leaf */
    uint32_t processor;             /* of a leaf */
};

struct robles {
    struct lb_forecast forecast; /* first */
    struct node *nodes;          /* 2 p - 1; 0 is the root */
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
    bool wide;
    uint32_t cut = lb_density_cut(&robles->forecast.density, &node->area, fraction, &wide);
    struct node a = {node->area, at, LB_NONE, LB_NONE, 0}, b = a;
    if (wide) {
        a.area.width = cut;
        b.area.x += cut;
        b.area.width -= cut;
    } else {
        a.area.height = cut;
        b.area.y += cut;
        b.area.height -= cut;
    }
    robles->nodes[first] = a;
    robles->nodes[second] = b;
    node->first = first;
    node->second = second;
}

/* The tree of processors [low, high) below a node. */
static void build(struct robles *robles, uint32_t at, uint32_t low, uint32_t high)
{
    const double *weights = robles->forecast.weights;
    uint32_t middle = low + (high - low) / 2;
    double before = 0, all = 0;
    if (high - low == 1) {
        robles->nodes[at].processor = low;
        return;
    }
    for (uint32_t k = low; k < high; k++) {
        all += weights[k];
        before += k < middle ? weights[k] : 0;
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
            return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
    }
    robles->count = 1;
    robles->nodes[0] = (struct node){{0, 0, 0, plan->width, plan->height}, LB_NONE, LB_NONE, LB_NONE, 0};
    build(robles, 0, 0, plan->processor_count);
    return LB_OK;
}

static double leaf_seconds(const struct robles *robles, uint32_t at)
{
    return robles->forecast.blocks.shares[robles->nodes[at].processor].seconds;
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
    bool learn = lb_forecast_has_last(&robles->forecast, plan);
    enum lb_status status = lb_forecast_start(&robles->forecast, plan, error);
    if (status != LB_OK)
        return status;
    if (learn) {
        lb_forecast_learn(&robles->forecast);
        adapt(robles);
    } else {
        lb_forecast_guess(&robles->forecast, plan);
        status = start_tree(robles, plan, error);
    }
    for (uint32_t i = 0; i < robles->count && status == LB_OK; i++)
        if (is_leaf(robles, i))
            robles->forecast.leaves[robles->nodes[i].processor] = robles->nodes[i].area;
    return status == LB_OK ? lb_forecast_finish(&robles->forecast, plan, order, error) : status;
}

static void robles_end(void *state)
{
    struct robles *robles = state;
    free(robles->nodes);
    robles->nodes = NULL;
    robles->count = robles->capacity = 0;
    lb_forecast_end(state);
}

const struct lb_strategy lb_strategy_robles = {
    .name = "robles",
    .summary = "the heaviest rectangle split, the lightest two merged, every frame",
    .weights = LB_WEIGHTS_IGNORED,
    .estimate = true,
    .state_size = robles_state_size,
    .plan = robles_plan,
    .next = lb_blocks_next,
    .done = lb_blocks_done,
    .failed = lb_blocks_failed,
    .ready = lb_blocks_ready,
    .end = robles_end,
};
