/* The options that strategies declare, as entries of a table for argp. */
#ifndef LB_CLI_OPTIONS_STRATEGY_OPTIONS_H
#define LB_CLI_OPTIONS_STRATEGY_OPTIONS_H

#include "core/option.h"
#include "core/strategy.h"

#include <argp.h>

enum { CLI_STRATEGY_ENTRIES = 2 * LB_OPTIONS_MOST };

/* Entries of a table for argp, and the words of their headings, which name the strategies that the options below are
 * for. */
struct cli_strategy_options {
    struct argp_option entries[CLI_STRATEGY_ENTRIES];
    size_t count;
    char headings[LB_OPTIONS_MOST][512];
};

/* The option of number i (lb_strategies_option) gets the key `key` + i. Those for the same strategies make one group;
 * the groups are numbered from `group` on, LB_OPTIONS_MOST at most. */
void cli_strategy_options_list(struct cli_strategy_options *list, int key, int group);

#endif
