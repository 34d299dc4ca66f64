/* The cost maps that a simulation runs on: read from files, or rendered. */
#ifndef LB_CLI_ACTIONS_COSTS_H
#define LB_CLI_ACTIONS_COSTS_H

#include "cli/session/session.h"

struct cli_costs {
    struct lb_estimate *maps; /* the true costs of frame_count frames, all of one size */
    /* For each kind of probe the maps that it found, one a frame; NULL: some frame has none. */
    struct lb_estimate *estimates[LB_PROBES];
    uint32_t frame_count, width, height;
    uint32_t samples; /* per pixel; 0: unknown */
};

/* From --costs, or by rendering every frame of the session's options. */
enum lb_status cli_costs_get(struct cli_session *s, struct cli_costs *costs);
void cli_costs_free(struct cli_costs *costs);

#endif
