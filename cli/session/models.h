/* Models of processors: names for those that nothing tells apart, as "cpu avx2" or a GPU's. */
#ifndef LB_CLI_SESSION_MODELS_H
#define LB_CLI_SESSION_MODELS_H

#include "cli/session/team.h"

/* Gives each member the number of the first one of its model. */
enum lb_status cli_models_find(struct cli_team *team, const struct cli_options *options,
                               struct lb_error *error);
/* A name a member, as the speed cache has them; released by cli_models_free. NULL: out of memory. */
char **cli_models_name(const struct cli_team *team, const struct cli_options *options);
void cli_models_free(char **names, uint32_t count);

#endif
