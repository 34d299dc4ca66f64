/* Sets of processors that are simulated one after another, for curves over their number. */
#ifndef LB_CORE_SIMULATE_SIMULATE_SETS_H
#define LB_CORE_SIMULATE_SIMULATE_SETS_H

#include "core/simulate/simulate.h"

struct lb_sim_sets {
    struct lb_sim_spec *items; /* released by lb_sim_sets_free */
    uint32_t count;
    bool several; /* the text asks for sets, be it for one alone */
};

/* `text` is what lb_sim_spec_parse takes, for one set; or "A..B", for sets of A, A + 1 .. B processors; or "A..B*K",
 * for sets of A, A K, A K K .. up to B. Behind these there may be what all sets have besides (",2x8.5,contention=1.2").
 * A JSON file may be an array, of such texts without ".." and of objects as lb_sim_spec_parse takes them. At most
 * LB_SIM_SETS_MOST. */
enum { LB_SIM_SETS_MOST = 4096 };
enum lb_status lb_sim_sets_parse(const char *text, struct lb_sim_sets *sets, struct lb_error *error);
void lb_sim_sets_free(struct lb_sim_sets *sets);

#endif
