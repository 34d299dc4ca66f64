#include "core/simulate/simulate_events.h"

#include "core/base/grow.h"

#include <stdlib.h>

static bool earlier(const struct lb_sim_event *a, const struct lb_sim_event *b)
{
    return a->time < b->time || (a->time == b->time && a->number < b->number);
}

bool lb_sim_events_add(struct lb_sim_events *events, double time, uint32_t processor, uint32_t kind)
{
    struct lb_sim_event event = {time, events->made, processor, kind};
    size_t at = events->count;
    struct lb_sim_event *heap = lb_grow(events->heap, &events->capacity, at + 1, sizeof *heap);
    if (heap == NULL)
        return false;
    events->heap = heap;
    events->made++;
    events->count++;
    while (at > 0 && earlier(&event, &events->heap[(at - 1) / 2])) {
        events->heap[at] = events->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    events->heap[at] = event;
    return true;
}

bool lb_sim_events_take(struct lb_sim_events *events, struct lb_sim_event *event)
{
    if (events->count == 0)
        return false;
    *event = events->heap[0];
    struct lb_sim_event last = events->heap[--events->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= events->count)
            break;
        if (child + 1 < events->count && earlier(&events->heap[child + 1], &events->heap[child]))
            child++;
        if (!earlier(&events->heap[child], &last))
            break;
        events->heap[at] = events->heap[child];
        at = child;
    }
    if (events->count > 0)
        events->heap[at] = last;
    return true;
}

void lb_sim_events_free(struct lb_sim_events *events)
{
    free(events->heap);
    *events = (struct lb_sim_events){0};
}
