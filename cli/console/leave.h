/* How the program ends. */
#ifndef LB_CLI_CONSOLE_LEAVE_H
#define LB_CLI_CONSOLE_LEAVE_H

/* From now on exit() ends with status 1 in place of 0 or 3 where what was printed could not be written to standard
 * output, and no file that is opened takes the place of a standard one that was closed. Called first in main. */
void cli_leave_checked(void);
/* From now on exit() does that and nothing else: handlers that were there before, as the CUDA runtime's, may wait for
 * what never ends. Open files but standard output are not written any more. */
void cli_leave_at_once(void);

#endif
