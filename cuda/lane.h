/* A lane holds one of the batches of pixels that a GPU has in flight: its stream, its paths, and its part of the local
 * framebuffer. The functions of one lane are called by one thread at a time, whose current device is the one that the
 * lane was opened on. */
#ifndef LB_CUDA_LANE_H
#define LB_CUDA_LANE_H

#include "cuda/kernels.h"
#include "cuda/lane_clock.h"

/* How long a lane that is stopped may take to end what it has in flight, before it counts as hanging. As a rule that
 * takes some hundredths of a second: the turn that it is in, as turns that wait find no paths left (lb_wave.stop). But
 * the turns of the heaviest scenes take seconds, other programs may use the device too, and a device that counts as
 * hanging is lost for the rest of the run. */
static const double LB_LANE_STOP_SECONDS = 10;

enum lb_lane_state { LB_LANE_IDLE, LB_LANE_TRACING, LB_LANE_COPYING };

struct lb_lane {
    lb_wave wave; /* all its pointers are the device's */
    cudaStream_t stream;
    cudaEvent_t launched[LB_LANE_AHEAD];
    cudaEvent_t copy_begin, copy_end;
    struct lb_lane_clock clock; /* all zero: no stage is timed */
    double patience;            /* the longest that a wait may take, in seconds */
    void *block;                /* on the device: it holds all arrays of `wave` */
    /* In pinned memory: the counts as each of the last LB_LANE_AHEAD launches left them. */
    lb_wave_counts *seen;
    volatile uint32_t *stop; /* in pinned memory: what wave.stop points to */
    lb_film_pixel *host;     /* in pinned memory: the pixels that came back, `capacity` elements */
    /* In pinned memory: their sums, `capacity` * sum_count elements; NULL: the scene has no channels. */
    int64_t *host_sums;
    int64_t *sums; /* on the device, as many */
    uint32_t sum_count;
    uint64_t capacity; /* the most positions that a batch may have */
    /* Launches that were queued and that the host has looked at; how many turns each of the last has, and the number of
     * the turn behind them. */
    uint64_t launches, looked;
    uint32_t turns[LB_LANE_AHEAD], end[LB_LANE_AHEAD];
    uint64_t samples; /* of the batch */
    /* When all samples of a batch have begun its tail begins: paths end, and no others come. How many turns that is
     * thought to take, by the scene's depth and the batches before, and how many have been queued for it. */
    bool all_begun;
    uint32_t tail, tail_queued;
    /* As the launch that was looked at last left them: paths that go on, and how much was done for the batch, in rays
     * and iterations. */
    uint32_t left;
    uint64_t done;
    bool ended; /* the host has seen that no path is left */
    enum lb_lane_state state;
    lb_wave_counts counts; /* of the batch that was finished last */
    double copy_seconds;   /* how long the pixels of that batch took on their way back */
};

/* The most positions that a batch may have in a lane of so many slots. */
uint64_t lb_lane_capacity(uint32_t slots);
/* How many bytes a lane takes on the device. `sums`: how many sums of channels each pixel has; `sizes`: the scene's
 * (lb_wave_sizes_of). */
size_t lb_lane_bytes(uint32_t slots, uint32_t sums, const struct lb_wave_sizes *sizes);
/* Opens a lane on the current device; `*lane` is all zero before. After an error it must be closed, too. */
cudaError_t lb_lane_open(struct lb_lane *lane, uint32_t slots, uint32_t sums,
                         const struct lb_wave_sizes *sizes, double patience);
/* Says whether the batches that are started next are to fill `host_sums`; `channels` are those of the scene. */
void lb_lane_channels(struct lb_lane *lane, const lb_channels *channels, bool wanted);
/* Waits for what is in flight and frees the lane. It tells of no errors, as there is nobody left who could act on
 * them. */
void lb_lane_close(struct lb_lane *lane);

/* Starts a batch: the positions begin .. end of wave.order, at most `capacity` of them. The lane must be idle. `blocks`
 * is as for lb_cuda_stage(). */
cudaError_t lb_lane_start(struct lb_lane *lane, uint64_t begin, uint64_t end, int blocks);
/* Queues what a busy lane has room for, and tells which event is to be reached next: the oldest launch, or the copy,
 * that it has in flight. */
cudaError_t lb_lane_queue(struct lb_lane *lane, int blocks, cudaEvent_t *awaited);
/* Takes note of that event, which has been reached, and queues what follows. When the lane is idle afterwards, its
 * batch is finished, and `counts`, `copy_seconds`, `host` and `host_sums` tell of it until lb_lane_queue(), even if
 * another batch has been started. */
cudaError_t lb_lane_advance(struct lb_lane *lane, int blocks);
/* Is the lane idle, or has its batch so few paths left, and none to begin, that they do not keep the device busy? */
bool lb_lane_drains(const struct lb_lane *lane);
/* Tells the device to skip what it has not begun of the lane's batch, and does not wait for it. lb_lane_stop is to
 * follow. */
void lb_lane_cancel(struct lb_lane *lane);
/* Returns for how many seconds lb_lane_stop waits at most. */
double lb_lane_stop_patience(const struct lb_lane *lane);
/* Gives up the batch that the lane has in flight and waits until the device is done with it. cudaErrorNotReady: the
 * device hangs. Then the lane must be left as it is, as closing it would never return. */
cudaError_t lb_lane_stop(struct lb_lane *lane);

#endif
