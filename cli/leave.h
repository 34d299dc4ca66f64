/* How the program ends. */
#ifndef LB_CLI_LEAVE_H
#define LB_CLI_LEAVE_H

/* From now on exit() ends with status 1 in place of 0 where standard output cannot be written. Called first in main. */
void cli_leave_checked(void);
/* From now on exit() does that and nothing else: handlers that were there before, as the CUDA runtime's, may wait for
 * what never ends. Open files but standard output are not written any more. */
void cli_leave_at_once(void);

#endif
