/* The rounds of a race: in which order the strategies of each run, and after which one no other follows. */
#ifndef LB_CLI_ACTIONS_ROUNDS_H
#define LB_CLI_ACTIONS_ROUNDS_H

#include "cli/options/options.h"
#include "core/report/races/comparison.h"

/* Each round runs all strategies once, in an order of its own that the seed draws, so that whatever the machine does
 * meanwhile, at once or by and by, meets all of them alike. */
struct cli_rounds {
    const struct cli_options *options;
    uint64_t seed;
    uint32_t done;      /* rounds */
    double begin, last; /* lb_clock_now() when the first and the latest one began */
    const struct lb_strategy *order[CLI_RACERS_MOST];
};

struct cli_rounds cli_rounds_begin(const struct cli_options *options, uint64_t seed);
/* Draws the order of the next round. False: there is none, after as many as --repeat says, or under --repeat=auto where
 * `table` is settled or another round would take longer than it may. */
bool cli_rounds_next(struct cli_rounds *rounds, struct lb_comparison *table);
/* How many rounds there will be, as far as that is known. */
uint32_t cli_rounds_count(const struct cli_rounds *rounds);

#endif
