/* GPUs as processors: the contract of core/processor.h, kept by the lanes of cuda/lane.h. */
#include "cuda/processor.h"
#include "cuda/wait.h"

#include <cstdlib>
#include <cstring>

enum lb_status lb_cuda_fail(const struct lb_cuda_processor *own, const char *what, cudaError_t status,
                            struct lb_error *error)
{
    cudaGetLastError();
    return lb_error_set(error, status == cudaErrorMemoryAllocation ? LB_ERROR_MEMORY : LB_ERROR, "%s: %s: %s",
                        own->base.name, what, cudaGetErrorString(status));
}

static void cuda_close(struct lb_processor *processor)
{
    struct lb_cuda_processor *own = (struct lb_cuda_processor *)processor;
    /* What it has stays with the device, as no call that may wait for it would return. */
    if (own->base.hangs) {
        free(own);
        return;
    }
    cudaSetDevice(own->device);
    cudaDeviceSynchronize(); /* after a failure work may be in flight that uses what is freed now */
    for (int i = 0; i < LB_CUDA_LANES; i++)
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
static cudaError_t place(struct lb_cuda_processor *own, struct lb_cuda_buffer *buffer, const void *from,
                         size_t size)
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
    return lb_cuda_wait(own->lane[0].copy_end, own->options.patience, NULL);
}

/* Gives all lanes the order in a form that the device can read: the table of rectangles and the bits of the pixels that
 * are left out are copied there. All lanes must be idle. */
static cudaError_t place_order(struct lb_cuda_processor *own, const lb_order *order)
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
    for (int i = 0; i < LB_CUDA_LANES; i++)
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

/* The most iterations of mandelbrot in a batch, which a single kernel does: some 5 ms on a data centre's GPU to
 * 0.2 s on one with few units for double precision, reckoned from their peaks. So a stop is looked at soon enough,
 * and no driver that watches the time of kernels ends one. */
static const uint64_t BATCH_ITERATIONS = UINT64_C(1) << 34;

/* Returns how many positions a batch may have at most, so that its first kernel does not take long. Only mandelbrot
 * renders samples there; of other scenes it begins paths. */
static uint64_t most_positions(const lb_integrator *integrator, uint64_t samples)
{
    if (integrator->kind != LB_INTEGRATOR_MANDELBROT || samples == 0)
        return UINT64_MAX;
    uint64_t each = BATCH_ITERATIONS / integrator->max_iterations / samples;
    return each > 0 ? each : 1;
}

/* Chooses how many positions the next batch has, where `left` are left. All lanes are to have work twice over, and the
 * last batches are to fill a lane's slots but once, so that little has to come back when nothing is left to compute. */
static uint64_t batch_positions(const struct lb_cuda_processor *own, const struct lb_work *work,
                                uint64_t left)
{
    const struct lb_lane *lane = &own->lane[0];
    uint64_t batch = divide_up(left, 2 * (uint64_t)own->lanes),
             samples = work->sample_end - work->sample_begin;
    uint64_t full = samples > 0 ? lane->wave.slots / samples + 1 : left;
    if (batch < full)
        batch = full;
    if (batch > lane->capacity)
        batch = lane->capacity;
    uint64_t most = most_positions(&own->host_scene->integrator, samples);
    if (batch > most)
        batch = most;
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
static cudaError_t start_batch(const struct lb_cuda_processor *own, struct lb_lane *lane,
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
static cudaError_t step_lane(struct lb_cuda_processor *own, struct lb_lane *lane, const struct lb_work *work,
                             uint64_t *next, struct lb_result *result)
{
    struct lb_range batch = {lane->wave.begin, lane->wave.end};
    bool busy = lane->state != LB_LANE_IDLE;
    if (busy)
        LB_CUDA_TRY(lb_lane_advance(lane, own->blocks, work->stop));
    if (lane->state != LB_LANE_IDLE)
        return cudaSuccess;
    if (*next < work->range.end)
        LB_CUDA_TRY(start_batch(own, lane, work, next, result));
    if (busy)
        deliver(lane, batch, work, result);
    return cudaSuccess;
}

/* Gives up what the lanes have in flight, which soon ends by itself, and zeroes what was not delivered. */
static cudaError_t stop_lanes(struct lb_cuda_processor *own, const struct lb_work *work, uint64_t next,
                              struct lb_result *result)
{
    result->stopped = true;
    clear(result, work, next, work->range.end);
    for (int i = 0; i < own->lanes; i++)
        lb_lane_cancel(&own->lane[i]);
    for (int i = 0; i < own->lanes; i++)
        LB_CUDA_TRY(lb_lane_stop(&own->lane[i]));
    return cudaSuccess;
}

static cudaError_t render_batches(struct lb_cuda_processor *own, const struct lb_work *work,
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
    struct lb_cuda_processor *own = (struct lb_cuda_processor *)processor;
    size_t count = (size_t)(work->range.end - work->range.begin);
    double start = lb_cuda_now();
    lb_result_clear(result);
    if (result->cost && count > 0)
        memset(result->cost, 0, count * sizeof *result->cost);
    *lost = false;
    if (count == 0)
        return LB_OK;
    for (int i = 0; i < LB_CUDA_LANES; i++) {
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
                                result->stopped ? lb_lane_stop_patience(&own->lane[0])
                                                : own->options.patience);
        return lb_cuda_fail(own, "rendering", status, error);
    }
    nap(start + (lb_cuda_now() - start) * own->options.slow, work->stop);
    return LB_OK;
}

const struct lb_processor_table lb_cuda_processor_table = {cuda_render, cuda_close, nullptr, nullptr,
                                                           nullptr};
