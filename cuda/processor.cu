/* GPUs as processors: core/processor.h over the wavefront. */
extern "C" {
#include "cuda/cuda.h"
#include "cuda/wide_build.h"
}
#include "cuda/lane.cuh"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

enum {
    LANES =
        2, /* batches in flight: while one's last paths end and its pixels are copied, the other computes */
    MOST_SLOTS = 1 << 20, /* paths in step a lane */
    LEAST_SLOTS = 1 << 14,
    BATCH_POSITIONS = 1 << 16, /* most positions a batch */
    BLOCKS_A_MULTIPROCESSOR = 8,
};

struct cuda_processor {
    struct lb_processor base;
    const lb_scene *host_scene;
    int device, blocks;
    double slow;
    lb_scene *scene; /* the device's copies */
    void *tree;
    lb_rectangle *rectangles;
    uint32_t rectangle_room;
    struct lb_lane lane[LANES];
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint32_t lb_cuda_count(char *reason, size_t size)
{
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
        snprintf(reason, size, "%s", cudaGetErrorString(status));
        return 0;
    }
    if (count == 0)
        snprintf(reason, size, "none is visible");
    return (uint32_t)count;
}

void lb_cuda_describe(uint32_t index, char *text, size_t size)
{
    cudaDeviceProp properties;
    cudaError_t status = cudaGetDeviceProperties(&properties, (int)index);
    if (status != cudaSuccess)
        snprintf(text, size, "%s", cudaGetErrorString(status));
    else
        snprintf(text, size, "%s, %.1f GiB, sm_%d%d, %d multiprocessors", properties.name,
                 (double)properties.totalGlobalMem / 0x1p30, properties.major, properties.minor,
                 properties.multiProcessorCount);
}

static enum lb_status fail(const struct cuda_processor *own, const char *what, cudaError_t status,
                           struct lb_error *error)
{
    return lb_error_set(error, status == cudaErrorMemoryAllocation ? LB_ERROR_MEMORY : LB_ERROR, "%s: %s: %s",
                        own->base.name, what, cudaGetErrorString(status));
}

static void cuda_close(struct lb_processor *processor)
{
    struct cuda_processor *own = (struct cuda_processor *)processor;
    cudaSetDevice(own->device);
    for (int i = 0; i < LANES; i++)
        lb_lane_close(&own->lane[i]);
    cudaFree(own->scene);
    cudaFree(own->tree);
    cudaFree(own->rectangles);
    free(own);
}

/* The order as the device can read it: a table of rectangles is copied there. */
static cudaError_t place_order(struct cuda_processor *own, const lb_order *order)
{
    lb_order placed = *order;
    if (order->rectangle_count > 0) {
        if (own->rectangle_room < order->rectangle_count) {
            cudaFree(own->rectangles);
            own->rectangles = NULL;
            own->rectangle_room = 0;
            cudaError_t status =
                cudaMalloc((void **)&own->rectangles, order->rectangle_count * sizeof *order->rectangles);
            if (status != cudaSuccess)
                return status;
            own->rectangle_room = order->rectangle_count;
        }
        cudaError_t status =
            cudaMemcpy(own->rectangles, order->rectangles, order->rectangle_count * sizeof *order->rectangles,
                       cudaMemcpyHostToDevice);
        if (status != cudaSuccess)
            return status;
        placed.rectangles = own->rectangles;
    }
    for (int i = 0; i < LANES; i++)
        own->lane[i].wave.order = placed;
    return cudaSuccess;
}

/* Takes a finished batch into the result. */
static void deliver(struct lb_lane *lane, const struct lb_work *work, struct lb_result *result)
{
    const lb_wave_counts *counts = &lane->seen[0];
    memcpy(result->pixels + (lane->wave.begin - work->range.begin), lane->host,
           (size_t)(lane->wave.end - lane->wave.begin) * sizeof *lane->host);
    result->counters.rays += counts->rays;
    result->counters.shaded += counts->shaded;
    result->counters.bad_samples += counts->bad_samples;
    result->samples += counts->samples;
    lane->busy = false;
}

/* Positions a batch: enough for all lanes to have work twice over, few enough for their ends to overlap. */
static uint64_t batch_positions(const struct cuda_processor *own, const struct lb_work *work)
{
    uint64_t all = work->range.end - work->range.begin, batch = (all + 2 * LANES - 1) / (2 * LANES);
    uint64_t samples = work->sample_end - work->sample_begin;
    uint64_t full = samples > 0 ? own->lane[0].wave.slots / samples + 1 : all;
    if (batch < full)
        batch = full;
    return batch < own->lane[0].capacity ? batch : own->lane[0].capacity;
}

static cudaError_t render_batches(struct cuda_processor *own, const struct lb_work *work,
                                  struct lb_result *result)
{
    uint64_t next = work->range.begin, batch = batch_positions(own, work);
    bool any = true;
    while (any) {
        any = false;
        for (int i = 0; i < LANES; i++) {
            struct lb_lane *lane = &own->lane[i];
            cudaError_t status = cudaSuccess;
            if (lane->busy) {
                bool done = false;
                status = lb_lane_advance(lane, own->blocks, &done);
                if (status == cudaSuccess && done)
                    deliver(lane, work, result);
            }
            if (status == cudaSuccess && !lane->busy && next < work->range.end) {
                uint64_t end = work->range.end - next < batch ? work->range.end : next + batch;
                status = lb_lane_start(lane, next, end, own->blocks);
                next = end;
            }
            if (status != cudaSuccess)
                return status;
            any = any || lane->busy;
        }
    }
    return cudaSuccess;
}

static enum lb_status cuda_render(struct lb_processor *processor, const struct lb_work *work,
                                  struct lb_result *result, bool *lost, struct lb_error *error)
{
    struct cuda_processor *own = (struct cuda_processor *)processor;
    size_t count = (size_t)(work->range.end - work->range.begin);
    double start = seconds_now();
    memset(&result->counters, 0, sizeof result->counters);
    result->samples = 0;
    result->transfer_seconds = 0.0;
    if (result->cost && count > 0)
        memset(result->cost, 0, count * sizeof *result->cost);
    *lost = false;
    if (count == 0)
        return LB_OK;
    for (int i = 0; i < LANES; i++) {
        own->lane[i].busy = false;
        own->lane[i].wave.sample_begin = work->sample_begin;
        own->lane[i].wave.sample_end = work->sample_end;
    }
    cudaError_t status = cudaSetDevice(own->device);
    if (status == cudaSuccess)
        status = place_order(own, work->order);
    if (status == cudaSuccess)
        status = render_batches(own, work, result);
    if (status != cudaSuccess) {
        *lost = true; /* most errors spoil the device's context for good */
        return fail(own, "rendering", status, error);
    }
    if (own->slow > 1.0) {
        double more = (seconds_now() - start) * (own->slow - 1.0);
        struct timespec wait = {(time_t)more, (long)((more - (double)(time_t)more) * 1e9)};
        nanosleep(&wait, NULL);
    }
    return LB_OK;
}

static const struct lb_processor_table table = {cuda_render, cuda_close};

/* As many paths in step as fit into half of what is free, so that other programs and the driver keep room. */
static cudaError_t open_lanes(struct cuda_processor *own, size_t room)
{
    uint32_t slots = MOST_SLOTS;
    while (slots > LEAST_SLOTS && LANES * lb_lane_bytes(slots, BATCH_POSITIONS) > room)
        slots /= 2;
    for (int i = 0; i < LANES; i++) {
        cudaError_t status = lb_lane_open(&own->lane[i], slots, BATCH_POSITIONS);
        if (status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

static cudaError_t upload(void **device, const void *host, size_t size)
{
    cudaError_t status = cudaMalloc(device, size ? size : 1);
    return status == cudaSuccess ? cudaMemcpy(*device, host, size, cudaMemcpyHostToDevice) : status;
}

static enum lb_status open_on_device(struct cuda_processor *own, struct lb_error *error)
{
    const lb_scene *scene = own->host_scene;
    size_t room = 0, all = 0, tree = lb_wide_size(scene);
    cudaDeviceProp properties;
    cudaError_t status = cudaSetDevice(own->device);
    if (status == cudaSuccess)
        status = cudaGetDeviceProperties(&properties, own->device);
    if (status == cudaSuccess)
        status = cudaMemGetInfo(&room, &all);
    if (status != cudaSuccess)
        return fail(own, "opening the device", status, error);
    size_t need = (size_t)scene->size + tree + LANES * lb_lane_bytes(LEAST_SLOTS, BATCH_POSITIONS);
    if (need > room)
        return lb_error_set(error, LB_ERROR_MEMORY, "%s: the scene needs %.2f GiB, %.2f GiB are free there",
                            own->base.name, (double)need / 0x1p30, (double)room / 0x1p30);
    struct lb_wide_block wide;
    enum lb_status built = lb_wide_build(scene, &wide, error);
    if (built != LB_OK)
        return built;
    status = upload((void **)&own->scene, scene, (size_t)scene->size);
    if (status == cudaSuccess)
        status = upload(&own->tree, wide.data, wide.size);
    if (status == cudaSuccess)
        status = open_lanes(own, (room - (size_t)scene->size - wide.size) / 2);
    for (int i = 0; i < LANES; i++) {
        own->lane[i].wave.scene = own->scene;
        own->lane[i].wave.tree = lb_wide_at(&wide, own->tree);
    }
    own->blocks = properties.multiProcessorCount * BLOCKS_A_MULTIPROCESSOR;
    lb_wide_free(&wide);
    return status == cudaSuccess ? LB_OK : fail(own, "uploading the scene", status, error);
}

enum lb_status lb_cuda_processor_open(const lb_scene *scene, uint32_t index, double slow,
                                      struct lb_processor **processor, struct lb_error *error)
{
    char reason[128];
    uint32_t count = lb_cuda_count(reason, sizeof reason);
    if (count == 0)
        return lb_error_set(error, LB_ERROR, "no CUDA device: %s", reason);
    if (index >= count)
        return lb_error_set(error, LB_ERROR, "no CUDA device %u: there are %u", index, count);
    struct cuda_processor *own = (struct cuda_processor *)calloc(1, sizeof *own);
    if (!own)
        return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
    own->base.table = &table;
    own->base.kind = LB_PROCESSOR_CUDA;
    snprintf(own->base.name, sizeof own->base.name, "cuda%u", index);
    own->host_scene = scene;
    own->device = (int)index;
    own->slow = slow;
    enum lb_status status = open_on_device(own, error);
    if (status != LB_OK) {
        cuda_close(&own->base);
        return status;
    }
    *processor = &own->base;
    return LB_OK;
}
