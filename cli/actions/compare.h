/* --compare: every strategy renders the scene, and a table says how well. */
#ifndef LB_CLI_ACTIONS_COMPARE_H
#define LB_CLI_ACTIONS_COMPARE_H

#include "cli/console/console.h"
#include "cli/options/options.h"
#include "core/report/races/comparison.h"

/* Races and prints the table. Returns the exit status; every message has been printed. */
int cli_compare(const struct cli_options *options, struct cli_console *console);
/* Races and prints nothing: of a race that came to its end `table` has all figures. `rows` has room for all strategies;
 * the table is released by lb_comparison_free. Returns the exit status. */
int cli_compare_race(const struct cli_options *options, struct cli_console *console,
                     struct lb_comparison_row *rows, struct lb_comparison *table);
/* Sorts the table and prints it on standard output, or as --report says. */
enum lb_status cli_compare_print(const struct cli_options *options, struct cli_console *console,
                                 struct lb_comparison *table, struct lb_error *error);

#endif
