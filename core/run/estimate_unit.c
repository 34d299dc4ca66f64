#include "core/run/estimate_unit.h"

#include <stddef.h>

static double seconds_a_step(const struct lb_frame *frame)
{
    double seconds = 0, steps = 0;
    for (size_t i = 0; i < (size_t)frame->width * frame->height; i++)
        seconds += (double)frame->cost[i];
    for (uint32_t i = 0; i < frame->report.all.processor_count; i++)
        steps += (double)frame->report.all.processors[i].steps;
    return steps > 0 ? seconds / steps : 0;
}

void lb_estimates_in_seconds(struct lb_frame *frame)
{
    double scale = frame->cost ? seconds_a_step(frame) : 0;
    for (int probe = 0; scale > 0 && probe < LB_PROBES; probe++) {
        const struct lb_estimate *found = &frame->estimates[probe];
        float *cost = (float *)(uintptr_t)found->cost; /* the frame's own */
        for (size_t i = 0; cost && i < (size_t)found->width * found->height; i++)
            cost[i] = (float)((double)cost[i] * scale);
    }
}
