/* A message for long options that do not exist, with the name that was probably meant. */
#ifndef LB_CLI_OPTIONS_GUESS_H
#define LB_CLI_OPTIONS_GUESS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* Goes through the command line as argp will. True: it has a long option that neither `table` nor argp itself knows,
 * not even as the beginning of one; `message` says so, and which known one is like it. */
bool cli_option_guess(const struct argp_option *table, int argc, char **argv, char *message, size_t size);

#endif
