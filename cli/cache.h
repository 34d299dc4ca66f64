/* Speeds that earlier runs measured, as the weights of this one. */
#ifndef LB_CLI_CACHE_H
#define LB_CLI_CACHE_H

#include "cli/session.h"

/* Sets the members' weights, and says so of their source, where the run is to go by kept speeds (--weights=measured,
 * or a strategy that starts from them) and its processors are of several models, all of which are known. */
void cli_cache_read(struct cli_session *s);
/* Keeps the mean speed of each model that `balance` measured, where it measured all. */
void cli_cache_write(const struct cli_session *s, const struct lb_report_balance *balance);

#endif
