/* The strategies there are, and what the program asks of all of them together. */
#include "core/strategy.h"

#include <stdlib.h>
#include <string.h>

/* In the order of --list-strategies. A new one is a file and a word here: strategies/WORD.c exports lb_strategy_WORD
 * and nothing else, and without it the program does not link. */
/* clang-format off */
#define LB_STRATEGIES(X)                                                                                     \
    X(naive) X(contiguous) X(scanline) X(strips) X(scatter) X(random) X(tiles) X(bitrev) X(coverage)         \
    X(estimate) X(pbt) X(sampled) X(robles) X(diffusion) X(hybrid) X(pool) X(hierarchical) X(peers)          \
    X(steal) X(push) X(auto)
/* clang-format on */

#define STRATEGY_DECLARED(word) extern const struct lb_strategy lb_strategy_##word;
#define STRATEGY_LISTED(word)   &lb_strategy_##word,
LB_STRATEGIES(STRATEGY_DECLARED)
const struct lb_strategy *const lb_strategies[] = {LB_STRATEGIES(STRATEGY_LISTED)};
const size_t lb_strategy_count = sizeof lb_strategies / sizeof lb_strategies[0];

const struct lb_strategy *lb_strategy_find(const char *name)
{
    for (size_t i = 0; i < lb_strategy_count; i++)
        if (strcmp(lb_strategies[i]->name, name) == 0)
            return lb_strategies[i];
    return NULL;
}

/* ---- their options ---- */

/* Does a strategy before this one declare the option too? */
static bool stands_before(size_t strategy, const struct lb_option *option)
{
    for (size_t i = 0; i < strategy; i++)
        if (lb_option_declared(lb_strategies[i]->options, option))
            return true;
    return false;
}

const struct lb_option *lb_strategies_option(size_t index)
{
    for (size_t i = 0; i < lb_strategy_count; i++) {
        const struct lb_option *const *options = lb_strategies[i]->options;
        for (; options != NULL && *options != NULL; options++)
            if (!stands_before(i, *options) && index-- == 0)
                return *options;
    }
    return NULL;
}

void *lb_strategy_options_make(const struct lb_strategy *strategy, const struct lb_option_values *values)
{
    void *options = calloc(1, strategy->options_size + 1);
    if (options != NULL)
        lb_option_fill(values, strategy->options, options);
    return options;
}

/* Does the option's field lie within the strategy's struct, and has the option what its type needs? */
static bool fits(const struct lb_option *option, const struct lb_strategy *strategy)
{
    bool bounded = option->type == LB_OPTION_WORD ? option->words != NULL : option->low <= option->high;
    return option->name != NULL && option->argument != NULL && option->help != NULL && bounded &&
           option->offset + lb_option_size(option) <= strategy->options_size;
}

static enum lb_status check_options(struct lb_error *error)
{
    const struct lb_option *option, *other;
    size_t count = 0;
    for (; (option = lb_strategies_option(count)) != NULL; count++) {
        for (size_t i = 0; i < lb_strategy_count; i++)
            if (lb_option_declared(lb_strategies[i]->options, option) && !fits(option, lb_strategies[i]))
                return lb_error_set(error, LB_ERROR, "strategy %s: an option that does not fit",
                                    lb_strategies[i]->name);
        for (size_t i = 0; i < count; i++)
            if ((other = lb_strategies_option(i)) != NULL && strcmp(other->name, option->name) == 0)
                return lb_error_set(error, LB_ERROR, "the option --%s is declared twice", option->name);
    }
    if (count > LB_OPTIONS_MOST)
        return lb_error_set(error, LB_ERROR, "%zu options of strategies, %d at most", count, LB_OPTIONS_MOST);
    return LB_OK;
}

/* ---- the whole ---- */

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
    return check_options(error);
}
