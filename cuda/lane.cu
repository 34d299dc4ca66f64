#include "cuda/lane.cuh"

#include <cstring>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess)                                                                          \
            return status_;                                                                                  \
    } while (0)

enum { ALIGNMENT = 256, PAGE = 2 << 20 /* what cudaMalloc takes from the device at a time */ };

uint64_t lb_lane_capacity(uint32_t slots)
{
    return slots / 4;
}

/* The next `count` elements of a block that begins at `block`; NULL: only their size is asked for. */
template <class T> static void carve(T **array, char *block, size_t *used, size_t count)
{
    *array = block ? (T *)(void *)(block + *used) : NULL;
    *used += (count * sizeof(T) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Gives the arrays their places in the block. Returns its size. */
static size_t place_arrays(lb_wave *wave, char *block, uint32_t slots)
{
    size_t used = 0;
    carve(&wave->counts, block, &used, 1);
    carve(&wave->paths, block, &used, slots);
    carve(&wave->hits, block, &used, slots);
    carve(&wave->shadows, block, &used, slots);
    carve(&wave->weights, block, &used, slots);
    carve(&wave->places, block, &used, slots);
    carve(&wave->goes_on, block, &used, slots);
    carve(&wave->active[0], block, &used, slots);
    carve(&wave->active[1], block, &used, slots);
    carve(&wave->shadow, block, &used, slots);
    carve(&wave->pixels, block, &used, lb_lane_capacity(slots));
    return used;
}

size_t lb_lane_bytes(uint32_t slots)
{
    lb_wave wave;
    return (place_arrays(&wave, NULL, slots) + PAGE - 1) / PAGE * PAGE;
}

cudaError_t lb_lane_open(struct lb_lane *lane, uint32_t slots)
{
    lane->wave.slots = slots;
    lane->capacity = lb_lane_capacity(slots);
    TRY(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking));
    for (int i = 0; i < LB_LANE_AHEAD; i++)
        TRY(cudaEventCreateWithFlags(&lane->launched[i], cudaEventBlockingSync | cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&lane->copy_begin, cudaEventBlockingSync));
    TRY(cudaEventCreateWithFlags(&lane->copy_end, cudaEventBlockingSync));
    TRY(cudaMallocHost((void **)&lane->seen, LB_LANE_AHEAD * sizeof *lane->seen));
    TRY(cudaMallocHost((void **)&lane->host, lane->capacity * sizeof *lane->host));
    TRY(cudaMalloc(&lane->block, lb_lane_bytes(slots)));
    place_arrays(&lane->wave, (char *)lane->block, slots);
    return cudaSuccess;
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
    if (lane->stream)
        cudaStreamDestroy(lane->stream);
    cudaFree(lane->block);
    cudaFreeHost(lane->seen);
    cudaFreeHost(lane->host);
    memset(lane, 0, sizeof *lane);
}

static cudaError_t launch(struct lb_lane *lane, int blocks)
{
    uint64_t place = lane->launches++ % LB_LANE_AHEAD;
    for (int i = 0; i < LB_LANE_TURNS; i++)
        TRY(lb_cuda_turn(&lane->wave, blocks, lane->stream));
    TRY(cudaMemcpyAsync(&lane->seen[place], lane->wave.counts, sizeof *lane->seen, cudaMemcpyDeviceToHost,
                        lane->stream));
    return cudaEventRecord(lane->launched[place], lane->stream);
}

cudaError_t lb_lane_start(struct lb_lane *lane, uint64_t begin, uint64_t end, int blocks)
{
    lane->wave.begin = begin;
    lane->wave.end = end;
    lane->launches = lane->looked = 0;
    lane->state = LB_LANE_TRACING;
    TRY(cudaMemsetAsync(lane->wave.pixels, 0, (end - begin) * sizeof(lb_film_pixel), lane->stream));
    TRY(lb_cuda_begin(&lane->wave, blocks, lane->stream));
    for (int i = 0; i < LB_LANE_AHEAD; i++)
        TRY(launch(lane, blocks));
    return cudaSuccess;
}

/* The launches that were queued ahead find nothing to do; the pixels follow behind them. */
static cudaError_t copy_back(struct lb_lane *lane)
{
    size_t size = (size_t)(lane->wave.end - lane->wave.begin) * sizeof *lane->host;
    lane->state = LB_LANE_COPYING;
    TRY(cudaEventRecord(lane->copy_begin, lane->stream));
    TRY(cudaMemcpyAsync(lane->host, lane->wave.pixels, size, cudaMemcpyDeviceToHost, lane->stream));
    return cudaEventRecord(lane->copy_end, lane->stream);
}

static cudaError_t finish(struct lb_lane *lane)
{
    float milliseconds = 0.0f;
    TRY(cudaEventSynchronize(lane->copy_end));
    TRY(cudaEventElapsedTime(&milliseconds, lane->copy_begin, lane->copy_end));
    lane->copy_seconds = 1e-3 * (double)milliseconds;
    lane->state = LB_LANE_IDLE;
    return cudaSuccess;
}

cudaError_t lb_lane_advance(struct lb_lane *lane, int blocks)
{
    if (lane->state == LB_LANE_COPYING)
        return finish(lane);
    uint64_t place = lane->looked++ % LB_LANE_AHEAD;
    TRY(cudaEventSynchronize(lane->launched[place]));
    if (lane->seen[place].active > 0)
        return launch(lane, blocks);
    lane->counts = lane->seen[place];
    return copy_back(lane);
}
