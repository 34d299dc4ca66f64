/* --simulate=1..64: curves over the number of processors. */
#ifndef LB_CLI_ACTIONS_CURVES_H
#define LB_CLI_ACTIONS_CURVES_H

#include "cli/actions/costs.h"
#include "core/report/races/curves.h"
#include "core/simulate/simulate_sets.h"

/* Simulates each strategy of --compare, or the one of --strategy, on each set of processors, and prints their
 * efficiencies on standard output, or all figures as --report says. `simulation` lacks only the set and the strategy;
 * `run` says which run it was. */
enum lb_status cli_curves(struct cli_session *s, const struct lb_simulation *simulation,
                          const struct lb_sim_sets *sets, struct lb_report_run run);

/* Writes each --report of the curves, and their text to standard output unless a report went there. */
enum lb_status cli_curves_print(const struct cli_options *options, struct cli_console *console,
                                const struct lb_curves *curves, struct lb_error *error);

#endif
