/* A processor that is given work while it has some (lb_processor_table.begin): another host, for which to be asked
 * and to answer takes a message each way, or a GPU, which would run empty at the end of each range. */
#ifndef LB_CORE_RUN_PASS_AHEAD_H
#define LB_CORE_RUN_PASS_AHEAD_H

#include "core/run/pass/turn.h"

/* What its thread does in a pass, until there is nothing more for it. */
void lb_ahead_work(struct lb_hand *hand);

#endif
