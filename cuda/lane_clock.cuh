/* Times the stages of a lane by events around each kernel: for measuring runs, as every event takes the device some
 * microseconds. */
#ifndef LB_CUDA_LANE_CLOCK_CUH
#define LB_CUDA_LANE_CLOCK_CUH

#include <cuda_runtime.h>
#include <cstdint>
extern "C" {
#include "cuda/measure.h"
}

/* Turns that one launch makes before the host looks whether paths are left, and launches that are queued ahead of that
 * look, so that the device never waits for the host. */
enum { LB_LANE_TURNS = 8, LB_LANE_AHEAD = 2 };
enum {
    LB_LANE_MARKS = 1 + LB_LANE_TURNS * (LB_CUDA_STAGES - 1)
}; /* before a launch's first kernel, and after each */

struct lb_lane_clock {
    struct lb_cuda_times *times; /* NULL: nothing is timed, and all functions do nothing */
    cudaEvent_t zero;            /* all times count from it; another's */
    cudaEvent_t begin[2];        /* around what starts a batch */
    cudaEvent_t mark[LB_LANE_AHEAD][LB_LANE_MARKS];
};

cudaError_t lb_lane_clock_open(struct lb_lane_clock *clock, struct lb_cuda_times *times, cudaEvent_t zero);
void lb_lane_clock_close(struct lb_lane_clock *clock);
cudaError_t lb_lane_clock_mark(const struct lb_lane_clock *clock, cudaEvent_t event, cudaStream_t stream);
/* What a launch took that the device has ended. */
cudaError_t lb_lane_clock_launch(const struct lb_lane_clock *clock, uint64_t place, bool empty);
/* What a batch's start and its way back took, whose events the device has reached. */
cudaError_t lb_lane_clock_batch(const struct lb_lane_clock *clock, cudaEvent_t copy_begin,
                                cudaEvent_t copy_end);

#endif
