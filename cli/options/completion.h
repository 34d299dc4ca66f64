/* What shells complete of a command line: scripts made from the table of options. */
#ifndef LB_CLI_OPTIONS_COMPLETION_H
#define LB_CLI_OPTIONS_COMPLETION_H

enum cli_shell { CLI_BASH, CLI_ZSH, CLI_FISH };

/* The script, with a 0 at its end; released by free(). NULL: out of memory. */
char *cli_completion_make(enum cli_shell shell);

#endif
