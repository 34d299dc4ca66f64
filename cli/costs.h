/* The cost maps that a simulation runs on: read from files, or rendered. */
#ifndef LB_CLI_COSTS_H
#define LB_CLI_COSTS_H

#include "cli/session.h"

struct cli_costs {
    struct lb_estimate *maps;      /* frame_count true ones, of one size */
    struct lb_estimate *estimates; /* likewise what a pre-pass saw; NULL: there are none */
    uint32_t frame_count, width, height;
    uint32_t samples; /* per pixel; 0: unknown */
    double share;     /* what an estimate costs beside the whole of the first frame */
};

/* From --costs, or by rendering every frame of the session's options. */
enum lb_status cli_costs_get(struct cli_session *s, struct cli_costs *costs);
void cli_costs_free(struct cli_costs *costs);

#endif
