/* The simulator's queue of events. */
#ifndef LB_CORE_SIMULATE_SIMULATE_EVENTS_H
#define LB_CORE_SIMULATE_SIMULATE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lb_sim_event {
    double time;
    uint64_t number; /* of its making: equal times keep it */
    uint32_t processor;
    uint32_t kind;
};

/* All zero is empty. */
struct lb_sim_events {
    struct lb_sim_event *heap; /* by time, then number */
    size_t count, capacity;
    uint64_t made;
};

/* False: out of memory. */
bool lb_sim_events_add(struct lb_sim_events *events, double time, uint32_t processor, uint32_t kind);
/* The earliest; false: there is none. */
bool lb_sim_events_take(struct lb_sim_events *events, struct lb_sim_event *event);
void lb_sim_events_free(struct lb_sim_events *events);

#endif
