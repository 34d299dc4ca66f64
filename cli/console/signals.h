/* Signals: what ends the program, and what must not. */
#ifndef LB_CLI_CONSOLE_SIGNALS_H
#define LB_CLI_CONSOLE_SIGNALS_H

#include "core/interrupt.h"

#include <stdbool.h>

/* Called first in main, by the only thread. From now on SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR2 and SIGQUIT remove
 * temporary files and end the program at once; those that are ignored already, as under nohup, stay ignored. A pipe
 * that nobody reads and a file that has become too large are errors of the write that meets them, no signals. */
void cli_signals_open(void);
/* From now on the first of them, but for SIGQUIT, is only noted in what is returned. Any second one ends the program at
 * once. */
struct lb_interrupt *cli_signals_catch(void);
/* From now on each ends the program at once again. What was noted before stays noted. */
void cli_signals_release(void);
/* From now on SIGUSR1, which ends the program otherwise, is noted; and has it come since this was asked last? */
void cli_signals_catch_asking(void);
bool cli_signals_asked(void);
/* "SIGINT" */
const char *cli_signals_name(int signal);

#endif
