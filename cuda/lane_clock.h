/* Times the stages of a lane, by events around each kernel. Only measuring runs do so, as every event takes the device
 * some microseconds. */
#ifndef LB_CUDA_LANE_CLOCK_H
#define LB_CUDA_LANE_CLOCK_H

#include <cuda_runtime.h>
#include <cstdint>
extern "C" {
#include "cuda/measure.h"
}

/* A launch makes LB_LANE_TURNS turns of all stages or fewer, then the host looks whether paths are left. LB_LANE_AHEAD
 * launches are queued ahead of that look, so that the device never waits for the host. */
enum { LB_LANE_TURNS = 8, LB_LANE_AHEAD = 2 };
enum {
    LB_LANE_MARKS = 1 + LB_LANE_TURNS * (LB_WAVE_STAGES - 1)
}; /* the most events of a launch: one before its first kernel, and one after each */

/* The events of one lane. */
struct lb_lane_clock {
    struct lb_cuda_times *times; /* NULL: nothing is timed, and all functions do nothing */
    cudaEvent_t zero;     /* the event from which all times count; it belongs to whoever opened the clock */
    cudaEvent_t begin[2]; /* before and after what starts a batch */
    cudaEvent_t mark[LB_LANE_AHEAD][LB_LANE_MARKS];
};

/* Makes the events. `times` and `zero` must outlive the clock, which must be closed after an error, too. */
cudaError_t lb_lane_clock_open(struct lb_lane_clock *clock, struct lb_cuda_times *times, cudaEvent_t zero);
void lb_lane_clock_close(struct lb_lane_clock *clock);
/* Queues an event of the clock on the lane's stream, if it times at all. */
cudaError_t lb_lane_clock_mark(const struct lb_lane_clock *clock, cudaEvent_t event, cudaStream_t stream);
/* Adds the times of a launch that the device has ended. `place`: the launch's number modulo LB_LANE_AHEAD; `turns`: how
 * many it has made; `empty`: it found no paths. */
cudaError_t lb_lane_clock_launch(const struct lb_lane_clock *clock, uint64_t place, uint32_t turns,
                                 bool empty);
/* Adds the times of a batch's start and of its pixels' way back, whose events the device must have reached. */
cudaError_t lb_lane_clock_batch(const struct lb_lane_clock *clock, cudaEvent_t copy_begin,
                                cudaEvent_t copy_end);

#endif
