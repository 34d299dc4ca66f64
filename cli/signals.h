/* SIGINT and SIGTERM: the first one asks the run to finish what it has in hand, the second one ends the program. */
#ifndef LB_CLI_SIGNALS_H
#define LB_CLI_SIGNALS_H

#include <stdatomic.h>

/* Begins to catch them; the returned number becomes the signal's. Before this call they end the program at once. */
const atomic_int *cli_signals_catch(void);
/* From now on they end the program at once again. */
void cli_signals_release(void);

#endif
