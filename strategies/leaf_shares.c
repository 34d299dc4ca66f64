#include "strategies/leaf_shares.h"

#include <stdio.h>
#include <stdlib.h>

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

static enum lb_status make_room(struct lb_leaf_shares *own, const struct lb_plan *plan,
                                struct lb_error *error)
{
    if (plan->processor_count > own->capacity) {
        free(own->laid);
        own->laid = calloc(plan->processor_count, sizeof *own->laid);
        own->capacity = own->laid == NULL ? 0 : plan->processor_count;
        if (own->laid == NULL)
            return lb_error_memory(error, NULL);
    }
    return lb_shares_start(&own->shares, plan, error);
}

enum lb_status lb_leaf_shares_lay(struct lb_leaf_shares *own, const struct lb_plan *plan,
                                  struct lb_order *order, struct lb_error *error)
{
    uint64_t begin = 0;
    uint32_t laid = 0;
    enum lb_status status = make_room(own, plan, error);
    if (status != LB_OK)
        return status;
    for (uint32_t k = 0; k < own->leaves.count; k++) {
        struct lb_leaf *leaf = &own->leaves.all[k];
        uint64_t end = begin + (uint64_t)leaf->area.width * leaf->area.height;
        leaf->area.begin = begin;
        leaf->seconds = leaf->cost = 0;
        lb_shares_set(&own->shares, k, begin, end, leaf->area.width == 0 ? 1 : leaf->area.width);
        if (begin < end)
            own->laid[laid++] = leaf->area;
        begin = end;
    }
    *order = lb_order_rectangles(plan->width, plan->height, own->laid, laid);
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
    leaf->cost += seconds * own->leaves.all[processor].weight;
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
    free(own->laid);
    own->laid = NULL;
    own->capacity = 0;
    lb_shares_end(&own->shares);
}
