#include "strategies/backlog.h"

#include <stdlib.h>

enum lb_status lb_backlog_start(struct lb_backlog *backlog, uint32_t processors, struct lb_error *error)
{
    size_t room = 2 * (size_t)processors + 16;
    backlog->count = 0;
    if (backlog->capacity >= room)
        return LB_OK;
    free(backlog->ranges);
    backlog->ranges = calloc(room, sizeof *backlog->ranges);
    backlog->capacity = backlog->ranges == NULL ? 0 : room;
    return backlog->ranges == NULL ? lb_error_memory(error, NULL) : LB_OK;
}

void lb_backlog_add(struct lb_backlog *backlog, struct lb_range range)
{
    if (range.begin >= range.end)
        return;
    struct lb_range *ranges =
        lb_grow(backlog->ranges, &backlog->capacity, backlog->count + 1, sizeof *ranges);
    if (ranges == NULL)
        return; /* Nobody will render these positions: the scheduler and the simulator report such a frame as failed. */
    backlog->ranges = ranges;
    backlog->ranges[backlog->count++] = range;
}

bool lb_backlog_take(struct lb_backlog *backlog, uint64_t most, struct lb_range *range)
{
    struct lb_range *last;
    if (backlog->count == 0)
        return false;
    last = &backlog->ranges[backlog->count - 1];
    *range = *last;
    if (range->end - range->begin > most) {
        range->end = range->begin + most;
        last->begin = range->end;
    } else {
        backlog->count--;
    }
    return true;
}

void lb_backlog_free(struct lb_backlog *backlog)
{
    free(backlog->ranges);
    backlog->ranges = NULL;
    backlog->count = backlog->capacity = 0;
}
