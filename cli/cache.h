/* Speeds that earlier runs measured, as the weights of this one. */
#ifndef LB_CLI_CACHE_H
#define LB_CLI_CACHE_H

#include "cli/team.h"
#include "core/report/report.h"

/* Sets the members' weights where the cache knows all of them. The team is open. */
void cli_cache_read(struct cli_team *team, const char *scene, const struct lb_log *log);
/* Keeps what `balance` measured, where it measured every processor. */
void cli_cache_write(const struct cli_team *team, const char *scene, const struct lb_report_balance *balance,
                     const struct lb_log *log);

#endif
