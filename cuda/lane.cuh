/* One of the batches that a GPU has in flight: its stream, its paths and its part of the local framebuffer. */
#ifndef LB_CUDA_LANE_CUH
#define LB_CUDA_LANE_CUH

#include "cuda/kernels.cuh"

/* Turns that one launch makes before the host looks whether paths are left, and launches that are queued ahead of that look, so that
 * the device never waits for the host. */
enum { LB_LANE_TURNS = 8, LB_LANE_AHEAD = 2 };

struct lb_lane {
    lb_wave wave; /* all pointers are the device's */
    cudaStream_t stream;
    cudaEvent_t launched[LB_LANE_AHEAD];
    lb_wave_counts *seen; /* pinned: LB_LANE_AHEAD copies of the counts, as each launch left them */
    lb_film_pixel *host;  /* pinned: `capacity` elements */
    uint64_t capacity;    /* positions a batch may have */
    uint64_t launches, looked;
    bool busy;
};

/* Bytes that a lane takes on the device. */
size_t lb_lane_bytes(uint32_t slots, uint64_t capacity);
cudaError_t lb_lane_open(struct lb_lane *lane, uint32_t slots, uint64_t capacity);
void lb_lane_close(struct lb_lane *lane);

/* Starts on the positions begin .. end of wave.order, at most `capacity`. */
cudaError_t lb_lane_start(struct lb_lane *lane, uint64_t begin, uint64_t end, int blocks);
/* Waits for the oldest launch. `*done`: no path is left; seen[0] then holds the counts and `host` the pixels. Else it launches on. */
cudaError_t lb_lane_advance(struct lb_lane *lane, int blocks, bool *done);

#endif
