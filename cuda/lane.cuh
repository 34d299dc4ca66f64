/* One of the batches that a GPU has in flight: its stream, its paths and its part of the local framebuffer. Functions
 * of one lane are called by one thread at a time, whose current device is the one that the lane was opened on. */
#ifndef LB_CUDA_LANE_CUH
#define LB_CUDA_LANE_CUH

#include "cuda/kernels.cuh"
#include "cuda/lane_clock.cuh"

/* So long a lane may take to end what it has in flight when it is stopped, some hundredths as a rule, before it
 * counts as hanging. */
static const double LB_LANE_STOP_SECONDS = 0.3;

enum lb_lane_state { LB_LANE_IDLE, LB_LANE_TRACING, LB_LANE_COPYING };

struct lb_lane {
    lb_wave wave; /* all pointers are the device's */
    cudaStream_t stream;
    cudaEvent_t launched[LB_LANE_AHEAD];
    cudaEvent_t copy_begin, copy_end;
    struct lb_lane_clock clock; /* all zero: no stage is timed */
    double patience;            /* seconds that a wait may take */
    void *block;                /* on the device: all arrays of `wave` */
    lb_wave_counts *seen;       /* pinned: LB_LANE_AHEAD copies of the counts, as each launch left them */
    lb_film_pixel *host;        /* pinned: `capacity` elements */
    int64_t *host_sums;         /* pinned: `capacity` * sum_count elements; NULL: the scene has no channels */
    int64_t *sums;              /* the device's, likewise */
    uint32_t sum_count;
    uint64_t capacity; /* positions a batch may have */
    uint64_t launches, looked;
    enum lb_lane_state state;
    lb_wave_counts counts; /* of the batch that was finished last */
    double copy_seconds;   /* likewise, of its way back */
};

/* Positions that a batch of a lane of so many slots may have. */
uint64_t lb_lane_capacity(uint32_t slots);
/* Bytes that a lane takes on the device; `sums`: of the scene's channels, a pixel. */
size_t lb_lane_bytes(uint32_t slots, uint32_t sums, bool volume);
/* `lane` is all zero. After an error it is to be closed, too. */
cudaError_t lb_lane_open(struct lb_lane *lane, uint32_t slots, uint32_t sums, bool volume, double patience);
/* Whether what is started next is to fill `host_sums`; `channels` are those of the scene. */
void lb_lane_channels(struct lb_lane *lane, const lb_channels *channels, bool wanted);
/* Waits for what is in flight. Errors have no one left to tell. */
void lb_lane_close(struct lb_lane *lane);

/* Starts on the positions begin .. end of wave.order, at most `capacity`. The lane is idle. */
cudaError_t lb_lane_start(struct lb_lane *lane, uint64_t begin, uint64_t end, int blocks);
/* Waits, asleep, for the oldest launch or the copy that a busy lane has in flight, and queues what follows. When it is
 * idle afterwards, the batch is finished: `counts`, `copy_seconds`, `host` and `host_sums` hold it until the next call,
 * though another was started. cudaErrorNotReady: the device hangs; then leave the lane as it is, as closing it would
 * not return. */
cudaError_t lb_lane_advance(struct lb_lane *lane, int blocks);
/* Gives up what the lane has in flight and waits for its end. cudaErrorNotReady: as above. */
cudaError_t lb_lane_stop(struct lb_lane *lane);

#endif
