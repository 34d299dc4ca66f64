/* Speeds that earlier runs measured, as the weights of this one. */
#ifndef LB_CLI_SESSION_CACHE_H
#define LB_CLI_SESSION_CACHE_H

#include "cli/session/session.h"

/* The folder for what is kept from run to run (lb_cache_folder), by the environment. The caller's to free; NULL: there
 * is none. */
char *cli_cache_folder(void);

/* Sets the members' weights to the speeds that were kept, and their source to LB_SOURCE_CACHED. Does nothing unless the
 * run is to go by them (--weights=measured, or a strategy that starts from them), its processors are of several models
 * and the speeds of all of these were kept. */
void cli_cache_read(struct cli_session *s);
/* Keeps the mean speed of each model, where `balance` measured all of them in a frame that was long enough. */
void cli_cache_write(const struct cli_session *s, const struct lb_report_balance *balance);

#endif
