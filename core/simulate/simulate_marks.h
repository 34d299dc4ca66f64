/* Which positions were delivered: a bit each. */
#ifndef LB_CORE_SIMULATE_SIMULATE_MARKS_H
#define LB_CORE_SIMULATE_SIMULATE_MARKS_H

#include "core/strategy.h"

/* Zeroed it is empty. */
struct lb_sim_marks {
    uint64_t *words;
    size_t capacity;
};

/* Makes room for positions 0 .. positions - 1. False: out of memory. */
bool lb_sim_marks_room(struct lb_sim_marks *marks, uint64_t positions);
/* Marks a range, for which there must be room. False: one of its positions was marked before. */
bool lb_sim_marks_set(struct lb_sim_marks *marks, struct lb_range range);
void lb_sim_marks_clear(struct lb_sim_marks *marks); /* all, and keeps the room */
void lb_sim_marks_free(struct lb_sim_marks *marks);

#endif
