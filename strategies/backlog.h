/* Ranges that wait for anybody: given back after a failure, left behind by a lost processor, or born at run
 * time. */
#ifndef LB_STRATEGIES_BACKLOG_H
#define LB_STRATEGIES_BACKLOG_H

#include "core/strategy.h"

/* All zero is empty. Last in, first out. Not for several threads at once. */
struct lb_backlog {
    struct lb_range *ranges;
    size_t count, capacity;
};

/* Empties it and makes room for the ranges that `processors` may give back at once. */
enum lb_status lb_backlog_start(struct lb_backlog *backlog, uint32_t processors, struct lb_error *error);
/* An empty range is dropped, as is any without memory: the frame then ends incomplete, which its caller sees. */
void lb_backlog_add(struct lb_backlog *backlog, struct lb_range range);
/* At most `most` >= 1 positions of the range that came last; false: there is none. */
bool lb_backlog_take(struct lb_backlog *backlog, uint64_t most, struct lb_range *range);
void lb_backlog_free(struct lb_backlog *backlog);

#endif
