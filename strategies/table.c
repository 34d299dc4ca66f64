/* The strategies there are, in the order of --list-strategies. A new one is a file and a line here. */
#include "strategies/table.h"

#include <string.h>

const struct lb_strategy *const lb_strategies[] = {
    &lb_strategy_naive,        &lb_strategy_contiguous, &lb_strategy_scanline, &lb_strategy_strips,
    &lb_strategy_scatter,      &lb_strategy_random,     &lb_strategy_tiles,    &lb_strategy_bitrev,
    &lb_strategy_coverage,     &lb_strategy_estimate,   &lb_strategy_pbt,      &lb_strategy_sampled,
    &lb_strategy_robles,       &lb_strategy_diffusion,  &lb_strategy_hybrid,   &lb_strategy_pool,
    &lb_strategy_hierarchical, &lb_strategy_peers,      &lb_strategy_steal,    &lb_strategy_push,
    &lb_strategy_auto,
};
const size_t lb_strategy_count = sizeof lb_strategies / sizeof lb_strategies[0];

const struct lb_strategy *lb_strategy_find(const char *name)
{
    for (size_t i = 0; i < lb_strategy_count; i++)
        if (strcmp(lb_strategies[i]->name, name) == 0)
            return lb_strategies[i];
    return NULL;
}

static bool complete(const struct lb_strategy *s)
{
    return s->name != NULL && s->summary != NULL && s->state_size != NULL && s->plan != NULL &&
           s->next != NULL && s->done != NULL && s->failed != NULL && (!s->dynamic || s->spawn != NULL);
}

enum lb_status lb_strategies_check(struct lb_error *error)
{
    for (size_t i = 0; i < lb_strategy_count; i++) {
        const char *name = lb_strategies[i]->name;
        if (!complete(lb_strategies[i]))
            return lb_error_set(error, LB_ERROR, "strategy %zu (%s): a required part is missing", i,
                                name == NULL ? "no name" : name);
        if (lb_strategy_find(name) != lb_strategies[i])
            return lb_error_set(error, LB_ERROR, "strategy \"%s\" stands twice in the table", name);
    }
    return LB_OK;
}
