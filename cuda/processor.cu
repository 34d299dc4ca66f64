/* GPUs as processors: the contract of core/processor.h, kept by the lanes of cuda/lane.cuh. */
extern "C" {
#include "cuda/cuda.h"
#include "cuda/measure.h"
#include "core/wave/wide_build.h"
}
#include "cuda/lane.cuh"
#include "cuda/try.cuh"
#include "cuda/wait.cuh"

#include <cstdio>
#include <cstdlib>
#include <cstring>

enum {
    /* Batches in flight. While the last paths of one end and its pixels come back, the other keeps the device busy. */
    LANES = 2,
    MOST_SLOTS = 1 << 20, /* the most and the fewest paths in step that a lane may have */
    LEAST_SLOTS = 1 << 14,
};

/* Memory of the device that grows as more is needed. */
struct buffer {
    void *data;
    size_t room; /* bytes */
};

struct cuda_processor {
    struct lb_processor base;
    const lb_scene *host_scene;
    struct lb_cuda_options options;
    int device, blocks;
    int lanes;                          /* how many of them are used */
    cudaEvent_t zero;                   /* when measuring began, or NULL */
    void *scene, *tree;                 /* the device's copies of both */
    struct buffer rectangles, left_out; /* what belongs to the order in hand */
    struct lb_lane lane[LANES];
};

/* Says why there is no GPU, in a few words. */
static void say_reason(cudaError_t status, char *reason, size_t size)
{
    int driver = 0, runtime = 0;
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        snprintf(reason, size, "there is no NVIDIA driver");
    else if (status == cudaErrorInsufficientDriver && cudaRuntimeGetVersion(&runtime) == cudaSuccess)
        snprintf(reason, size, "the driver, for CUDA %d.%d, is too old for this lbrender's CUDA %d.%d",
                 driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    else if (status == cudaErrorNoDevice && visible)
        snprintf(reason, size, "CUDA_VISIBLE_DEVICES is \"%s\"", visible);
    else
        snprintf(reason, size, "%s", cudaGetErrorString(status));
}

uint32_t lb_cuda_count(char *reason, size_t size)
{
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess && count == 0)
        status = cudaErrorNoDevice;
    if (status == cudaSuccess)
        return (uint32_t)count;
    say_reason(status, reason, size);
    cudaGetLastError();
    return 0;
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

/* Makes a message of a CUDA error. The runtime keeps an error until somebody asks for it, and would report it for the
 * next launch of another GPU in this thread: hence the question here. */
static enum lb_status fail(const struct cuda_processor *own, const char *what, cudaError_t status,
                           struct lb_error *error)
{
    cudaGetLastError();
    return lb_error_set(error, status == cudaErrorMemoryAllocation ? LB_ERROR_MEMORY : LB_ERROR, "%s: %s: %s",
                        own->base.name, what, cudaGetErrorString(status));
}

static void cuda_close(struct lb_processor *processor)
{
    struct cuda_processor *own = (struct cuda_processor *)processor;
    /* What it has stays with the device, as no call that may wait for it would return. */
    if (own->base.hangs) {
        free(own);
        return;
    }
    cudaSetDevice(own->device);
    cudaDeviceSynchronize(); /* after a failure work may be in flight that uses what is freed now */
    for (int i = 0; i < LANES; i++)
        lb_lane_close(&own->lane[i]);
    if (own->zero)
        cudaEventDestroy(own->zero);
    cudaFree(own->scene);
    cudaFree(own->tree);
    cudaFree(own->rectangles.data);
    cudaFree(own->left_out.data);
    cudaGetLastError();
    free(own);
}

/* Copies to the device on the first lane's stream, on which nothing else is in flight, and waits for it. */
static cudaError_t place(struct cuda_processor *own, struct buffer *buffer, const void *from, size_t size)
{
    cudaStream_t stream = own->lane[0].stream;
    if (size > buffer->room) {
        cudaFree(buffer->data);
        buffer->data = NULL;
        buffer->room = 0;
        LB_CUDA_TRY(cudaMalloc(&buffer->data, size));
        buffer->room = size;
    }
    LB_CUDA_TRY(cudaMemcpyAsync(buffer->data, from, size, cudaMemcpyHostToDevice, stream));
    LB_CUDA_TRY(cudaEventRecord(own->lane[0].copy_end, stream));
    return lb_cuda_wait(own->lane[0].copy_end, own->options.patience);
}

/* Gives all lanes the order in a form that the device can read: the table of rectangles and the bits of the pixels that
 * are left out are copied there. All lanes must be idle. */
static cudaError_t place_order(struct cuda_processor *own, const lb_order *order)
{
    lb_order placed = *order;
    size_t pixels = (size_t)order->width * order->height;
    if (order->rectangle_count > 0) {
        LB_CUDA_TRY(place(own, &own->rectangles, order->rectangles,
                          order->rectangle_count * sizeof *order->rectangles));
        placed.rectangles = (const lb_rectangle *)own->rectangles.data;
    }
    if (order->left_out) {
        LB_CUDA_TRY(
            place(own, &own->left_out, order->left_out, (pixels + 63) / 64 * sizeof *order->left_out));
        placed.left_out = (const uint64_t *)own->left_out.data;
    }
    for (int i = 0; i < LANES; i++)
        own->lane[i].wave.order = placed;
    return cudaSuccess;
}

/* Copies the batch that a lane has finished last into the result. */
static void deliver(const struct lb_lane *lane, struct lb_range batch, const struct lb_work *work,
                    struct lb_result *result)
{
    lb_counters counters = lb_wave_counters(&lane->counts);
    memcpy(result->pixels + (batch.begin - work->range.begin), lane->host,
           (size_t)(batch.end - batch.begin) * sizeof *lane->host);
    if (result->sums)
        memcpy(result->sums + (batch.begin - work->range.begin) * result->sum_count, lane->host_sums,
               (size_t)(batch.end - batch.begin) * result->sum_count * sizeof *lane->host_sums);
    lb_counters_add(&result->counters, &counters);
    result->samples += lane->counts.samples;
    result->transfer_seconds += lane->copy_seconds;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* Chooses how many positions the next batch has, where `left` are left. All lanes are to have work twice over, and the
 * last batches are to fill a lane's slots but once, so that little has to come back when nothing is left to compute. */
static uint64_t batch_positions(const struct cuda_processor *own, const struct lb_work *work, uint64_t left)
{
    const struct lb_lane *lane = &own->lane[0];
    uint64_t batch = divide_up(left, 2 * (uint64_t)own->lanes),
             samples = work->sample_end - work->sample_begin;
    uint64_t full = samples > 0 ? lane->wave.slots / samples + 1 : left;
    if (batch < full)
        batch = full;
    if (batch > lane->capacity)
        batch = lane->capacity;
    return divide_up(left, divide_up(left, batch)); /* so that no small rest is left */
}

/* Zeroes the result at the positions begin .. end of the work. */
static void clear(const struct lb_result *result, const struct lb_work *work, uint64_t begin, uint64_t end)
{
    uint64_t place = begin - work->range.begin;
    memset(result->pixels + place, 0, (end - begin) * sizeof *result->pixels);
    if (result->sums)
        memset(result->sums + place * result->sum_count, 0,
               (end - begin) * result->sum_count * sizeof *result->sums);
}

/* Gives an idle lane the next batch. Zeroing the place of its pixels meanwhile makes the host map those pages while the
 * device works. On delivery that would make the copy four times as slow or more, at the end of a range while the device
 * has nothing to do. */
static cudaError_t start_batch(const struct cuda_processor *own, struct lb_lane *lane,
                               const struct lb_work *work, uint64_t *next, const struct lb_result *result)
{
    uint64_t begin = *next;
    *next += batch_positions(own, work, work->range.end - begin);
    LB_CUDA_TRY(lb_lane_start(lane, begin, *next, own->blocks));
    clear(result, work, begin, *next);
    return cudaSuccess;
}

/* Makes one step with a lane: waits for what it has in flight and, when it is idle, starts the next batch, at which the
 * device works while the last one is delivered. */
static cudaError_t step_lane(struct cuda_processor *own, struct lb_lane *lane, const struct lb_work *work,
                             uint64_t *next, struct lb_result *result)
{
    struct lb_range batch = {lane->wave.begin, lane->wave.end};
    bool busy = lane->state != LB_LANE_IDLE;
    if (busy)
        LB_CUDA_TRY(lb_lane_advance(lane, own->blocks));
    if (lane->state != LB_LANE_IDLE)
        return cudaSuccess;
    if (*next < work->range.end)
        LB_CUDA_TRY(start_batch(own, lane, work, next, result));
    if (busy)
        deliver(lane, batch, work, result);
    return cudaSuccess;
}

/* Gives up what the lanes have in flight, which soon ends by itself, and zeroes what was not delivered. */
static cudaError_t stop_lanes(struct cuda_processor *own, const struct lb_work *work, uint64_t next,
                              struct lb_result *result)
{
    result->stopped = true;
    clear(result, work, next, work->range.end);
    for (int i = 0; i < own->lanes; i++)
        LB_CUDA_TRY(lb_lane_stop(&own->lane[i]));
    return cudaSuccess;
}

static cudaError_t render_batches(struct cuda_processor *own, const struct lb_work *work,
                                  struct lb_result *result)
{
    uint64_t next = work->range.begin;
    bool any = true;
    while (any) {
        if (lb_stopped(work->stop))
            return stop_lanes(own, work, next, result);
        any = false;
        for (int i = 0; i < own->lanes; i++) {
            LB_CUDA_TRY(step_lane(own, &own->lane[i], work, &next, result));
            any = any || own->lane[i].state != LB_LANE_IDLE;
        }
    }
    return cudaSuccess;
}

/* Sleeps until `end`, a little at a time, as it may be told to stop in between. */
static void nap(double end, const int *stop)
{
    const double longest = 0.05;
    for (double left = end - lb_cuda_now(); left > 0.0 && !lb_stopped(stop); left = end - lb_cuda_now())
        lb_cuda_sleep(left < longest ? left : longest);
}

static enum lb_status cuda_render(struct lb_processor *processor, const struct lb_work *work,
                                  struct lb_result *result, bool *lost, struct lb_error *error)
{
    struct cuda_processor *own = (struct cuda_processor *)processor;
    size_t count = (size_t)(work->range.end - work->range.begin);
    double start = lb_cuda_now();
    lb_result_clear(result);
    if (result->cost && count > 0)
        memset(result->cost, 0, count * sizeof *result->cost);
    *lost = false;
    if (count == 0)
        return LB_OK;
    for (int i = 0; i < LANES; i++) {
        own->lane[i].wave.sample_begin = work->sample_begin;
        own->lane[i].wave.sample_end = work->sample_end;
        lb_lane_channels(&own->lane[i], &own->host_scene->channels, result->sums != NULL);
    }
    cudaError_t status = cudaSetDevice(own->device);
    if (status == cudaSuccess)
        status = place_order(own, work->order);
    if (status == cudaSuccess)
        status = render_batches(own, work, result);
    if (status != cudaSuccess) {
        *lost = true; /* most errors spoil the device's context for good */
        own->base.hangs = status == cudaErrorNotReady;
        if (own->base.hangs)
            return lb_error_set(error, LB_ERROR, "%s: rendering: no answer for %g s", own->base.name,
                                result->stopped ? LB_LANE_STOP_SECONDS : own->options.patience);
        return fail(own, "rendering", status, error);
    }
    nap(start + (lb_cuda_now() - start) * own->options.slow, work->stop);
    return LB_OK;
}

static const struct lb_processor_table table = {cuda_render, cuda_close, nullptr, nullptr};

/* Opens the lanes, with as many paths in step as fit into half of the memory that is free, so that other programs keep
 * room. */
static cudaError_t open_lanes(struct cuda_processor *own, size_t room)
{
    uint32_t slots = MOST_SLOTS, sums = own->host_scene->channels.count;
    bool volume = own->host_scene->any_volume != 0;
    while (slots > LEAST_SLOTS && LANES * lb_lane_bytes(slots, sums, volume) > room / 2)
        slots /= 2;
    for (int i = 0; i < LANES; i++)
        LB_CUDA_TRY(lb_lane_open(&own->lane[i], slots, sums, volume, own->options.patience));
    return cudaSuccess;
}

/* Runs every kernel that the scene needs once, on no paths at all. So the memory that the device needs for its code and
 * stacks is taken before the free memory is counted, and a device for which there is no code is noticed now. */
static cudaError_t warm_up(const struct cuda_processor *own)
{
    lb_wave nothing;
    memset(&nothing, 0, sizeof nothing);
    nothing.tree.asks = lb_wide_asks(own->host_scene);
    lb_wave_suit(&nothing, own->host_scene);
    nothing.gathers = lb_channels_gather(&own->host_scene->channels) ? 1u : 0u;
    nothing.volume = own->host_scene->any_volume;
    LB_CUDA_TRY(cudaMalloc((void **)&nothing.counts, sizeof *nothing.counts));
    cudaError_t status = cudaMemsetAsync(nothing.counts, 0, sizeof *nothing.counts, NULL);
    for (int stage = 0; stage < LB_CUDA_STAGES && status == cudaSuccess; stage++)
        status = lb_cuda_stage((enum lb_cuda_stage)stage, &nothing, own->blocks, NULL);
    cudaError_t ended = cudaDeviceSynchronize();
    cudaError_t freed = cudaFree(nothing.counts);
    return status != cudaSuccess ? status : ended != cudaSuccess ? ended : freed;
}

/* Makes the device ready and tells how many bytes are free there. Threads that wait for it are to sleep. */
static cudaError_t prepare_device(struct cuda_processor *own, size_t *room)
{
    int multiprocessors = 0;
    size_t all;
    LB_CUDA_TRY(cudaSetDevice(own->device));
    LB_CUDA_TRY(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    LB_CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, own->device));
    own->blocks = multiprocessors * LB_CUDA_BLOCKS;
    LB_CUDA_TRY(warm_up(own));
    return cudaMemGetInfo(room, &all);
}

static cudaError_t upload(void **device, const void *host, size_t size)
{
    LB_CUDA_TRY(cudaMalloc(device, size));
    return cudaMemcpy(*device, host, size, cudaMemcpyHostToDevice);
}

/* Copies the scene and the tree to the device and opens the lanes. cudaMemcpy may return before its data has arrived,
 * and the lanes' streams do not wait for the default one: hence the wait. */
static cudaError_t fill_device(struct cuda_processor *own, const struct lb_wide_block *wide, size_t room)
{
    size_t scene = (size_t)own->host_scene->size;
    LB_CUDA_TRY(upload(&own->scene, own->host_scene, scene));
    LB_CUDA_TRY(upload(&own->tree, wide->data, wide->size));
    LB_CUDA_TRY(cudaDeviceSynchronize());
    LB_CUDA_TRY(open_lanes(own, room - scene - wide->size));
    for (int i = 0; i < LANES; i++) {
        own->lane[i].wave.scene = (const lb_scene *)own->scene;
        own->lane[i].wave.tree = lb_wide_at(wide, own->tree);
        lb_wave_suit(&own->lane[i].wave, own->host_scene);
    }
    return cudaSuccess;
}

static enum lb_status open_on_device(struct cuda_processor *own, struct lb_error *error)
{
    const lb_scene *scene = own->host_scene;
    size_t room = 0, need = (size_t)scene->size + lb_wide_size(scene) +
                            LANES * lb_lane_bytes(LEAST_SLOTS, scene->channels.count, scene->any_volume != 0);
    cudaError_t status = prepare_device(own, &room);
    if (status != cudaSuccess)
        return fail(own, "opening the device", status, error);
    if (need > room)
        return lb_error_set(error, LB_ERROR_MEMORY, "%s: the scene needs %.2f GiB, %.2f GiB are free there",
                            own->base.name, (double)need / 0x1p30, (double)room / 0x1p30);
    struct lb_wide_block wide;
    enum lb_status built = lb_wide_build(scene, &wide, error);
    if (built != LB_OK)
        return built;
    status = fill_device(own, &wide, room);
    lb_wide_free(&wide);
    return status == cudaSuccess ? LB_OK : fail(own, "uploading the scene", status, error);
}

enum lb_status lb_cuda_processor_open(const lb_scene *scene, const struct lb_cuda_options *options,
                                      struct lb_processor **processor, struct lb_error *error)
{
    char reason[128];
    uint32_t count = lb_cuda_count(reason, sizeof reason);
    if (count == 0)
        return lb_error_set(error, LB_ERROR, "no CUDA device: %s", reason);
    if (options->index >= count)
        return lb_error_set(error, LB_ERROR, "no CUDA device %u: there are %u", options->index, count);
    struct cuda_processor *own = (struct cuda_processor *)calloc(1, sizeof *own);
    if (!own)
        return lb_error_memory(error, NULL);
    own->base.table = &table;
    own->base.kind = LB_PROCESSOR_CUDA;
    own->base.uncounted = true;
    snprintf(own->base.name, sizeof own->base.name, "cuda%u", options->index);
    own->host_scene = scene;
    own->options = *options;
    own->device = (int)options->index;
    own->lanes = LANES;
    enum lb_status status = open_on_device(own, error);
    if (status != LB_OK) {
        cuda_close(&own->base);
        return status;
    }
    *processor = &own->base;
    return LB_OK;
}

/* ---- measuring ---- */

static cudaError_t start_clocks(struct cuda_processor *own, struct lb_cuda_times *times)
{
    LB_CUDA_TRY(cudaSetDevice(own->device));
    LB_CUDA_TRY(cudaEventCreateWithFlags(&own->zero, cudaEventDefault));
    for (int i = 0; i < own->lanes; i++)
        LB_CUDA_TRY(lb_lane_clock_open(&own->lane[i].clock, times, own->zero));
    LB_CUDA_TRY(cudaEventRecord(own->zero, own->lane[0].stream));
    return lb_cuda_wait(own->zero, own->options.patience);
}

enum lb_status lb_cuda_measure(struct lb_processor *processor, int lanes, struct lb_cuda_times *times,
                               struct lb_error *error)
{
    struct cuda_processor *own = (struct cuda_processor *)processor;
    own->lanes = lanes < LANES ? lanes : LANES;
    cudaError_t status = start_clocks(own, times);
    return status == cudaSuccess ? LB_OK : fail(own, "measuring", status, error);
}

enum lb_status lb_cuda_kernels(struct lb_processor *processor, struct lb_cuda_kernel kernels[LB_CUDA_STAGES],
                               struct lb_error *error)
{
    struct cuda_processor *own = (struct cuda_processor *)processor;
    cudaError_t status = cudaSetDevice(own->device);
    int most = 0;
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, own->device);
    for (int stage = 0; stage < LB_CUDA_STAGES && status == cudaSuccess; stage++) {
        status = lb_cuda_kernel_of((enum lb_cuda_stage)stage, &own->lane[0].wave, &kernels[stage]);
        kernels[stage].most_threads = most;
    }
    return status == cudaSuccess ? LB_OK : fail(own, "asking for its kernels", status, error);
}
