#include "cuda/lane.cuh"

#include <cstring>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess)                                                                          \
            return status_;                                                                                  \
    } while (0)

size_t lb_lane_bytes(uint32_t slots, uint64_t capacity)
{
    size_t slot = sizeof(lb_path) + sizeof(lb_hit) + sizeof(lb_shadow) + sizeof(float) + 5 * sizeof(uint32_t);
    return slots * slot + capacity * sizeof(lb_film_pixel) + sizeof(lb_wave_counts) + 16 * 512;
}

template <class T> static cudaError_t device_array(T **array, size_t count)
{
    return cudaMalloc((void **)array, count * sizeof(T));
}

cudaError_t lb_lane_open(struct lb_lane *lane, uint32_t slots, uint64_t capacity)
{
    lb_wave *wave = &lane->wave;
    wave->slots = slots;
    lane->capacity = capacity;
    TRY(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking));
    for (int i = 0; i < LB_LANE_AHEAD; i++)
        TRY(cudaEventCreateWithFlags(&lane->launched[i], cudaEventBlockingSync | cudaEventDisableTiming));
    TRY(cudaMallocHost((void **)&lane->seen, LB_LANE_AHEAD * sizeof *lane->seen));
    TRY(cudaMallocHost((void **)&lane->host, capacity * sizeof *lane->host));
    TRY(device_array(&wave->paths, slots));
    TRY(device_array(&wave->hits, slots));
    TRY(device_array(&wave->shadows, slots));
    TRY(device_array(&wave->weights, slots));
    TRY(device_array(&wave->places, slots));
    TRY(device_array(&wave->goes_on, slots));
    TRY(device_array(&wave->active[0], slots));
    TRY(device_array(&wave->active[1], slots));
    TRY(device_array(&wave->shadow, slots));
    TRY(device_array(&wave->pixels, capacity));
    return device_array(&wave->counts, 1);
}

void lb_lane_close(struct lb_lane *lane)
{
    lb_wave *wave = &lane->wave;
    void *arrays[] = {wave->paths,  wave->hits,    wave->shadows,   wave->weights,
                      wave->places, wave->goes_on, wave->active[0], wave->active[1],
                      wave->shadow, wave->pixels,  wave->counts};
    for (void *array : arrays)
        cudaFree(array);
    cudaFreeHost(lane->seen);
    cudaFreeHost(lane->host);
    for (int i = 0; i < LB_LANE_AHEAD; i++)
        if (lane->launched[i])
            cudaEventDestroy(lane->launched[i]);
    if (lane->stream)
        cudaStreamDestroy(lane->stream);
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
    lane->busy = true;
    lane->launches = lane->looked = 0;
    TRY(cudaMemsetAsync(lane->wave.pixels, 0, (end - begin) * sizeof(lb_film_pixel), lane->stream));
    TRY(lb_cuda_begin(&lane->wave, blocks, lane->stream));
    for (int i = 0; i < LB_LANE_AHEAD; i++)
        TRY(launch(lane, blocks));
    return cudaSuccess;
}

cudaError_t lb_lane_advance(struct lb_lane *lane, int blocks, bool *done)
{
    uint64_t place = lane->looked++ % LB_LANE_AHEAD;
    TRY(cudaEventSynchronize(lane->launched[place]));
    *done = lane->seen[place].active == 0;
    if (!*done)
        return launch(lane, blocks);
    lane->seen[0] = lane->seen[place];
    TRY(cudaMemcpyAsync(lane->host, lane->wave.pixels,
                        (lane->wave.end - lane->wave.begin) * sizeof *lane->host, cudaMemcpyDeviceToHost,
                        lane->stream));
    return cudaStreamSynchronize(lane->stream);
}
