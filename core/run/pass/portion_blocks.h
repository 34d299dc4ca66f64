/* A portion of few positions for many members, of which each renders some samples: the framebuffers of the blocks of
 * samples, and how they become one. What another host asked for are whole pixels, and whole pixels are what it gets, so
 * that sharing them costs nothing on the way. */
#ifndef LB_CORE_RUN_PASS_PORTION_BLOCKS_H
#define LB_CORE_RUN_PASS_PORTION_BLOCKS_H

#include "core/processor.h"

/* Into how many blocks the samples of the work's pixels are split, for so many members. */
uint32_t lb_portion_blocks(const struct lb_work *work, uint32_t members);
/* Makes cleared framebuffers for all blocks of the work: the same arrays that `result` has. False: there is no
 * memory. */
bool lb_portion_blocks_make(const struct lb_work *work, uint32_t blocks, const struct lb_result *result,
                            struct lb_result *split);
/* Adds the blocks into the result's cleared arrays, which the listener, unless it is NULL, is told of. `whole`: all
 * blocks were rendered; otherwise only positions of which all were count. Returns how many samples these have. */
uint64_t lb_portion_blocks_join(const struct lb_work *work, uint32_t blocks, bool whole,
                                const struct lb_result *split, const struct lb_listener *listener,
                                struct lb_result *result);
void lb_portion_blocks_free(struct lb_result *split);

#endif
