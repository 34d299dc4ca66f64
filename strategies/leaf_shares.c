#include "strategies/leaf_shares.h"

#include <stdio.h>

size_t lb_leaf_shares_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct lb_leaf_shares);
}

bool lb_leaf_shares_has_last(const struct lb_leaf_shares *own, const struct lb_plan *plan)
{
    return plan->last != NULL && own->leaves.count == plan->processor_count && own->shares.outstanding == 0 &&
           own->leaves.density.width == plan->width && own->leaves.density.height == plan->height;
}

static const char *estimate_name(const struct lb_plan *plan)
{
    static const char *const names[LB_PROBES] = {"the true costs", "coverage", "a pre-pass"};
    return plan->estimate == NULL ? NULL : names[plan->estimate_of];
}

enum lb_status lb_leaf_shares_start(struct lb_leaf_shares *own, const struct lb_plan *plan, bool learn,
                                    struct lb_error *error)
{
    enum lb_status status = lb_leaves_start(&own->leaves, plan, error);
    own->by = learn ? "the last frame's times" : estimate_name(plan);
    if (status == LB_OK)
        status =
            learn ? lb_leaves_learn(&own->leaves, plan, error) : lb_leaves_guess(&own->leaves, plan, error);
    if (status == LB_OK)
        lb_density_finish(&own->leaves.density);
    return status;
}

enum lb_status lb_leaf_shares_lay(struct lb_leaf_shares *own, const struct lb_plan *plan,
                                  struct lb_order *order, struct lb_error *error)
{
    enum lb_status status = lb_rectangles_start(&own->laid, own->leaves.count, error);
    if (status != LB_OK || (status = lb_shares_start(&own->shares, plan, error)) != LB_OK)
        return status;
    for (uint32_t k = 0; k < own->leaves.count; k++) {
        struct lb_leaf *leaf = &own->leaves.all[k];
        leaf->area.begin = lb_rectangles_add(&own->laid, leaf->area);
        leaf->seconds = leaf->own = leaf->foreign = 0;
        lb_shares_set(&own->shares, k, leaf->area.begin, own->laid.end,
                      leaf->area.width == 0 ? 1 : leaf->area.width);
    }
    *order = lb_rectangles_order(&own->laid, plan);
    return LB_OK;
}

static enum lb_status plan_frame(struct lb_leaf_shares *own, const struct lb_plan *plan, bool learn,
                                 struct lb_order *order, struct lb_error *error)
{
    enum lb_status status = lb_leaf_shares_start(own, plan, learn, error);
    if (status != LB_OK)
        return status;
    lb_leaves_cut(&own->leaves, LB_CUT_FIRST);
    return lb_leaf_shares_lay(own, plan, order, error);
}

enum lb_status lb_leaf_shares_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                   struct lb_error *error)
{
    return plan_frame(state, plan, false, order, error);
}

enum lb_status lb_leaf_shares_plan_by_times(void *state, const struct lb_plan *plan, struct lb_order *order,
                                            struct lb_error *error)
{
    bool learn = !lb_costs_known(plan) && lb_leaf_shares_has_last(state, plan);
    return plan_frame(state, plan, learn, order, error);
}

/* The leaf that holds a position. */
static struct lb_leaf *find_leaf(struct lb_leaves *leaves, uint64_t position)
{
    uint32_t low = 0, high = leaves->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (leaves->all[middle].area.begin <= position)
            low = middle;
        else
            high = middle;
    }
    return &leaves->all[low];
}

/* A range lies in one leaf, since shares are given out, and given back, each by itself. */
void lb_leaf_shares_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct lb_leaf_shares *own = state;
    struct lb_leaf *leaf = find_leaf(&own->leaves, range.begin);
    leaf->seconds += seconds;
    if (leaf == &own->leaves.all[processor])
        leaf->own += seconds;
    else
        leaf->foreign += seconds * own->leaves.all[processor].weight;
    lb_shares_done(&own->shares, processor, range, seconds);
}

void lb_leaf_shares_describe(const void *state, char *text, size_t size)
{
    const struct lb_leaf_shares *own = state;
    snprintf(text, size, own->by == NULL ? "cut evenly: nothing was known" : "cut by %s", own->by);
}

void lb_leaf_shares_end(void *state)
{
    struct lb_leaf_shares *own = state;
    lb_leaves_free(&own->leaves);
    lb_rectangles_free(&own->laid);
    lb_shares_end(&own->shares);
}
