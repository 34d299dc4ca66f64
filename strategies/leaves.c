#include "strategies/leaves.h"

#include <stdlib.h>

enum lb_status lb_leaves_start(struct lb_leaves *leaves, const struct lb_plan *plan, struct lb_error *error)
{
    uint32_t count = plan->processor_count;
    if (count > leaves->count) {
        struct lb_leaf *all = realloc(leaves->all, count * sizeof *all);
        if (all == NULL)
            return lb_error_memory(error, NULL);
        leaves->all = all;
    }
    leaves->count = count;
    for (uint32_t k = 0; k < count; k++) {
        bool lost = plan->last != NULL && plan->last[k].lost;
        leaves->all[k].weight = plan->processors[k].weight * (lost ? 1e-9 : 1);
    }
    return LB_OK;
}

enum lb_status lb_leaves_guess(struct lb_leaves *leaves, const struct lb_plan *plan, struct lb_error *error)
{
    enum lb_status status = lb_density_start(&leaves->density, plan->width, plan->height, error);
    if (status == LB_OK && plan->estimate != NULL)
        lb_density_add_map(&leaves->density, plan->estimate, plan->estimate_of == LB_PROBE_COVERAGE);
    return status;
}

enum lb_status lb_leaves_learn(struct lb_leaves *leaves, const struct lb_plan *plan, struct lb_error *error)
{
    enum lb_status status = lb_density_start(&leaves->density, plan->width, plan->height, error);
    for (uint32_t k = 0; k < leaves->count && status == LB_OK; k++) {
        const struct lb_leaf *leaf = &leaves->all[k];
        double cost = leaf->own * plan->processors[k].weight + leaf->foreign;
        lb_density_add(&leaves->density, &leaf->area, cost);
    }
    return status;
}

/* `leaves` share `whole`. The depth is log2(count). */
static void bisect(const struct lb_density *density, enum lb_cut rule, struct lb_leaf *leaves, uint32_t count,
                   lb_rectangle whole)
{
    if (count == 1) {
        leaves[0].area = whole;
        return;
    }
    uint32_t half = count / 2;
    double first = 0, all = 0;
    for (uint32_t k = 0; k < count; k++) {
        all += leaves[k].weight;
        first += k < half ? leaves[k].weight : 0;
    }
    lb_rectangle parts[2];
    lb_density_split(density, &whole, first / all, rule, parts);
    bisect(density, rule, leaves, half, parts[0]);
    bisect(density, rule, leaves + half, count - half, parts[1]);
}

void lb_leaves_cut(struct lb_leaves *leaves, enum lb_cut rule)
{
    lb_rectangle whole = {0, 0, 0, leaves->density.width, leaves->density.height};
    bisect(&leaves->density, rule, leaves->all, leaves->count, whole);
}

void lb_leaves_free(struct lb_leaves *leaves)
{
    lb_density_free(&leaves->density);
    free(leaves->all);
    *leaves = (struct lb_leaves){0};
}
