#include "cuda/lane.h"
#include "cuda/try.h"
#include "cuda/wait.h"
extern "C" {
#include "core/wave/wave_place.h"
}

#include <cstring>

enum { PAGE = 2 << 20 /* the bytes that cudaMalloc takes from the device at a time */ };

uint64_t lb_lane_capacity(uint32_t slots)
{
    return slots / 4;
}

size_t lb_lane_bytes(uint32_t slots, uint32_t sums, const struct lb_wave_sizes *sizes)
{
    lb_wave wave;
    return (lb_wave_place(&wave, NULL, slots, lb_lane_capacity(slots), sums, sizes) + PAGE - 1) / PAGE * PAGE;
}

cudaError_t lb_lane_open(struct lb_lane *lane, uint32_t slots, uint32_t sums,
                         const struct lb_wave_sizes *sizes, double patience)
{
    lane->sum_count = sums;
    lane->patience = patience;
    lane->capacity = lb_lane_capacity(slots);
    lane->tail = LB_LANE_TURNS;
    LB_CUDA_TRY(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking));
    for (int i = 0; i < LB_LANE_AHEAD; i++)
        LB_CUDA_TRY(
            cudaEventCreateWithFlags(&lane->launched[i], cudaEventBlockingSync | cudaEventDisableTiming));
    LB_CUDA_TRY(cudaEventCreateWithFlags(&lane->copy_begin, cudaEventBlockingSync));
    LB_CUDA_TRY(cudaEventCreateWithFlags(&lane->copy_end, cudaEventBlockingSync));
    LB_CUDA_TRY(cudaMallocHost((void **)&lane->seen, LB_LANE_AHEAD * sizeof *lane->seen));
    LB_CUDA_TRY(cudaMallocHost((void **)&lane->stop, sizeof *lane->stop));
    LB_CUDA_TRY(cudaMallocHost((void **)&lane->host, lane->capacity * sizeof *lane->host));
    if (sums > 0)
        LB_CUDA_TRY(
            cudaMallocHost((void **)&lane->host_sums, lane->capacity * sums * sizeof *lane->host_sums));
    LB_CUDA_TRY(cudaMalloc(&lane->block, lb_lane_bytes(slots, sums, sizes)));
    lb_wave_place(&lane->wave, lane->block, slots, lane->capacity, sums, sizes);
    lane->wave.stop = lane->stop; /* the device reads pinned memory at the host's own addresses */
    lane->sums = lane->wave.sums;
    return cudaSuccess;
}

void lb_lane_channels(struct lb_lane *lane, const lb_channels *channels, bool wanted)
{
    lb_wave_channels(&lane->wave, channels, wanted ? lane->sums : NULL);
}

/* The bytes of the sums of the batch in hand. */
static size_t sums_bytes(const struct lb_lane *lane)
{
    return lane->wave.sums ? (size_t)(lane->wave.end - lane->wave.begin) * lane->sum_count * sizeof(int64_t)
                           : 0;
}

static void destroy(cudaEvent_t event)
{
    if (event)
        cudaEventDestroy(event);
}

void lb_lane_close(struct lb_lane *lane)
{
    if (lane->stream)
        cudaStreamSynchronize(lane->stream);
    for (int i = 0; i < LB_LANE_AHEAD; i++)
        destroy(lane->launched[i]);
    destroy(lane->copy_begin);
    destroy(lane->copy_end);
    lb_lane_clock_close(&lane->clock);
    if (lane->stream)
        cudaStreamDestroy(lane->stream);
    cudaFree(lane->block);
    cudaFreeHost(lane->seen);
    cudaFreeHost((void *)lane->stop);
    cudaFreeHost(lane->host);
    cudaFreeHost(lane->host_sums);
    memset(lane, 0, sizeof *lane);
}

/* Queues some turns of all stages, and behind them the copy of the counts that says whether paths are left. */
static cudaError_t launch(struct lb_lane *lane, int blocks, uint32_t turns)
{
    uint64_t place = lane->launches++ % LB_LANE_AHEAD;
    const cudaEvent_t *mark = lane->clock.mark[place];
    lane->turns[place] = turns;
    LB_CUDA_TRY(lb_lane_clock_mark(&lane->clock, *mark++, lane->stream));
    for (uint32_t i = 0; i < turns; i++) {
        for (int stage = LB_WAVE_TRACE; stage < LB_WAVE_STAGES; stage++) {
            LB_CUDA_TRY(lb_cuda_stage((enum lb_wave_stage)stage, &lane->wave, blocks, lane->stream));
            LB_CUDA_TRY(lb_lane_clock_mark(&lane->clock, *mark++, lane->stream));
        }
        lb_wave_at(&lane->wave, lane->wave.turn + 1);
    }
    lane->end[place] = lane->wave.turn;
    LB_CUDA_TRY(cudaMemcpyAsync(&lane->seen[place], lane->wave.counts, sizeof *lane->seen,
                                cudaMemcpyDeviceToHost, lane->stream));
    return cudaEventRecord(lane->launched[place], lane->stream);
}

/* Queues the way back of the pixels. */
static cudaError_t copy_back(struct lb_lane *lane)
{
    size_t size = (size_t)(lane->wave.end - lane->wave.begin) * sizeof *lane->host;
    lane->state = LB_LANE_COPYING;
    LB_CUDA_TRY(cudaEventRecord(lane->copy_begin, lane->stream));
    LB_CUDA_TRY(cudaMemcpyAsync(lane->host, lane->wave.pixels, size, cudaMemcpyDeviceToHost, lane->stream));
    if (lane->wave.sums)
        LB_CUDA_TRY(cudaMemcpyAsync(lane->host_sums, lane->wave.sums, sums_bytes(lane),
                                    cudaMemcpyDeviceToHost, lane->stream));
    return cudaEventRecord(lane->copy_end, lane->stream);
}

/* Have as many turns been queued as the batch's last paths are thought to need? */
static bool is_queued(const struct lb_lane *lane)
{
    return lane->all_begun && lane->tail_queued >= lane->tail && lane->launches > lane->looked;
}

/* Queues launches, as many ahead as may be and as are thought to be needed, and at least one. */
static cudaError_t queue_launches(struct lb_lane *lane, int blocks)
{
    while (lane->launches - lane->looked < LB_LANE_AHEAD && !is_queued(lane)) {
        const uint32_t most = LB_LANE_TURNS, few = 2;
        uint32_t turns = most;
        if (lane->all_begun) {
            turns = lane->tail > lane->tail_queued ? lane->tail - lane->tail_queued : few;
            turns = turns < most ? turns : most;
            lane->tail_queued += turns;
        }
        LB_CUDA_TRY(launch(lane, blocks, turns));
    }
    return cudaSuccess;
}

/* The same, and behind the last of them the way back of the pixels. If paths are left after all, a few turns more
 * follow, and the pixels once more. */
static cudaError_t queue(struct lb_lane *lane, int blocks)
{
    if (lane->state != LB_LANE_TRACING)
        return cudaSuccess;
    LB_CUDA_TRY(queue_launches(lane, blocks));
    return is_queued(lane) ? copy_back(lane) : cudaSuccess;
}

cudaError_t lb_lane_start(struct lb_lane *lane, uint64_t begin, uint64_t end, int blocks)
{
    lane->wave.begin = begin;
    lane->wave.end = end;
    lb_wave_at(&lane->wave, 0);
    lane->launches = lane->looked = 0;
    lane->samples = (end - begin) * (lane->wave.sample_end - lane->wave.sample_begin);
    lane->all_begun = lane->samples <= lane->wave.slots;
    lane->tail_queued = 0;
    lane->ended = false;
    lane->left = UINT32_MAX;
    lane->done = 0;
    lane->state = LB_LANE_TRACING;
    *lane->stop = 0;
    LB_CUDA_TRY(lb_lane_clock_mark(&lane->clock, lane->clock.begin[0], lane->stream));
    LB_CUDA_TRY(cudaMemsetAsync(lane->wave.pixels, 0, (end - begin) * sizeof(lb_film_pixel), lane->stream));
    if (lane->wave.sums)
        LB_CUDA_TRY(cudaMemsetAsync(lane->wave.sums, 0, sums_bytes(lane), lane->stream));
    LB_CUDA_TRY(cudaMemsetAsync(lane->wave.counts, 0, sizeof *lane->wave.counts, lane->stream));
    LB_CUDA_TRY(lb_cuda_stage(LB_WAVE_BEGIN, &lane->wave, blocks, lane->stream));
    LB_CUDA_TRY(lb_lane_clock_mark(&lane->clock, lane->clock.begin[1], lane->stream));
    /* `host` may still be read: the pixels' way back is queued by the next call. */
    return queue_launches(lane, blocks);
}

/* Notes the times when the pixels have come. */
static cudaError_t finish(struct lb_lane *lane)
{
    float milliseconds = 0.0f;
    LB_CUDA_TRY(cudaEventElapsedTime(&milliseconds, lane->copy_begin, lane->copy_end));
    LB_CUDA_TRY(lb_lane_clock_batch(&lane->clock, lane->copy_begin, lane->copy_end));
    lane->copy_seconds = 1e-3 * (double)milliseconds;
    lane->state = LB_LANE_IDLE;
    return cudaSuccess;
}

bool lb_lane_drains(const struct lb_lane *lane)
{
    return lane->state == LB_LANE_IDLE || (lane->all_begun && lane->left < lane->wave.slots / 8);
}

double lb_lane_stop_patience(const struct lb_lane *lane)
{
    return lane->patience < LB_LANE_STOP_SECONDS ? lane->patience : LB_LANE_STOP_SECONDS;
}

void lb_lane_cancel(struct lb_lane *lane)
{
    *lane->stop = 1;
}

cudaError_t lb_lane_stop(struct lb_lane *lane)
{
    cudaEvent_t last = lane->copy_end;
    if (lane->state == LB_LANE_IDLE)
        return cudaSuccess;
    if (lane->state == LB_LANE_TRACING)
        last = lane->launched[(lane->launches - 1) % LB_LANE_AHEAD];
    lane->state = LB_LANE_IDLE;
    return lb_cuda_wait(last, lb_lane_stop_patience(lane), NULL);
}

/* Takes note of a launch that the device has ended, and queues what follows from it. */
static cudaError_t look(struct lb_lane *lane, int blocks)
{
    uint64_t place = lane->looked++ % LB_LANE_AHEAD;
    const lb_wave_counts *seen = &lane->seen[place];
    LB_CUDA_TRY(lb_lane_clock_launch(&lane->clock, place, lane->turns[place], lane->ended));
    if (lane->ended)
        return cudaSuccess;
    uint32_t after = lane->launches > lane->looked ? lane->turns[lane->looked % LB_LANE_AHEAD] : 0;
    lane->left = lb_wave_left(seen, lane->end[place]);
    lane->done = seen->rays + seen->iterations;
    if (lane->left == 0) {
        lane->ended = true;
        lane->counts = *seen;
        if (lane->all_begun && lane->tail_queued - after > lane->tail)
            lane->tail = lane->tail_queued - after;
        return lane->state == LB_LANE_TRACING ? copy_back(lane) : cudaSuccess;
    }
    if (!lane->all_begun && seen->next >= lane->samples) {
        lane->all_begun = true;
        lane->tail_queued = after;
    }
    if (after == 0)
        lane->state = LB_LANE_TRACING; /* pixels on their way back are not all there */
    return queue(lane, blocks);
}

static bool is_looking(const struct lb_lane *lane)
{
    return lane->looked < lane->launches;
}

cudaError_t lb_lane_queue(struct lb_lane *lane, int blocks, cudaEvent_t *awaited)
{
    bool looking = is_looking(lane);
    LB_CUDA_TRY(queue(lane, blocks));
    *awaited = looking ? lane->launched[lane->looked % LB_LANE_AHEAD] : lane->copy_end;
    return cudaSuccess;
}

cudaError_t lb_lane_advance(struct lb_lane *lane, int blocks)
{
    return is_looking(lane) ? look(lane, blocks) : finish(lane);
}
