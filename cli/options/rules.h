/* What options mean together: what each needs beside it, what it excludes, and what holds where it is not given. */
#ifndef LB_CLI_OPTIONS_RULES_H
#define LB_CLI_OPTIONS_RULES_H

#include "cli/options/options.h"

/* The form of a report of that name: what --report-format says, or the name's ending. */
enum lb_report_format cli_options_report_format(const struct cli_options *options, const char *file);
/* Is a report of that name, which may be "-", wanted? */
bool cli_options_report_to(const struct cli_options *options, const char *file);
/* Is a report wanted that shows pictures of each frame, and its ranges over time? */
bool cli_options_want_page(const struct cli_options *options);
/* Is what strategies' probes find to be written beside the cost map, for a simulation that reads all? */
bool cli_options_want_estimates(const struct cli_options *options);
/* Is there a picture that is to be denoised? */
bool cli_options_denoise(const struct cli_options *options);
/* Is no picture written? */
bool cli_options_nowhere(const struct cli_options *options);
/* Is a part what is wanted, of which somebody makes pictures later? What goes on from its own checkpoint, to a picture,
 * needs no more than that picture shows. */
bool cli_options_make_part(const struct cli_options *options);
/* Are the program's operands parts of pictures? */
bool cli_option_rules_parts(const struct cli_options *options);

/* How many samples a pixel of the scene gets, with --adaptive on average. */
uint32_t cli_options_samples(const struct cli_options *options, const lb_scene *scene);

/* Ends the program with status 2 and a line that says why, where options contradict each other. */
void cli_option_rules_check(const struct argp_state *state, const struct cli_options *options);
/* Sets what was not given, where that depends on what was. */
void cli_option_rules_defaults(struct cli_options *options);

#endif
