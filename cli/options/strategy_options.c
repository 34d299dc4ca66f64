#include "cli/options/strategy_options.h"

#include <string.h>

static void append(char heading[512], const char *text)
{
    strncat(heading, text, 511 - strlen(heading));
}

static void name_strategies(char heading[512], const struct lb_option *option)
{
    append(heading, "For ");
    const char *before = "";
    for (size_t i = 0; i < lb_strategy_count; i++)
        if (lb_option_declared(lb_strategies[i]->options, option)) {
            append(heading, before);
            append(heading, lb_strategies[i]->name);
            before = ", ";
        }
    append(heading, ":");
}

static bool for_the_same(const struct lb_option *one, const struct lb_option *other)
{
    for (size_t i = 0; i < lb_strategy_count; i++) {
        const struct lb_option *const *declared = lb_strategies[i]->options;
        if (lb_option_declared(declared, one) != lb_option_declared(declared, other))
            return false;
    }
    return true;
}

/* The number of the first option that the same strategies declare as this one. */
static size_t first_like(const struct lb_option *option)
{
    size_t first = 0;
    while (!for_the_same(lb_strategies_option(first), option))
        first++;
    return first;
}

void cli_strategy_options_list(struct cli_strategy_options *list, int key, int group)
{
    const struct lb_option *option;
    memset(list, 0, sizeof *list);
    for (size_t i = 0; i < LB_OPTIONS_MOST && (option = lb_strategies_option(i)) != NULL; i++) {
        size_t first = first_like(option);
        int own_group = group + (int)first;
        if (first == i) {
            name_strategies(list->headings[i], option);
            list->entries[list->count++] = (struct argp_option){.doc = list->headings[i], .group = own_group};
        }
        list->entries[list->count++] =
            (struct argp_option){option->name, key + (int)i, option->argument, 0, option->help, own_group};
    }
}
