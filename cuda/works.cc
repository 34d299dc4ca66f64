/* The works that a GPU has in hand. While the last paths of one end, batches of the next keep the device busy. */
#include "cuda/processor.h"
#include "cuda/wait.h"

#include <cstring>

static struct lb_cuda_work *work_at(struct lb_cuda_processor *own, uint32_t index)
{
    return &own->works.ring[(own->works.first + index) % LB_PIECES_IN_HAND];
}

/* The first work that has positions which no batch has, or NULL. */
static struct lb_cuda_work *work_to_start(struct lb_cuda_processor *own)
{
    for (uint32_t i = 0; i < own->works.count; i++) {
        struct lb_cuda_work *one = work_at(own, i);
        if (one->next < one->work.range.end)
            return one;
    }
    return nullptr;
}

void lb_cuda_works_begin(struct lb_cuda_processor *own, const struct lb_work *work,
                         const struct lb_result *result)
{
    struct lb_cuda_works *works = &own->works;
    struct lb_cuda_work *one = work_at(own, works->count);
    uint64_t count = work->range.end - work->range.begin;
    if (works->count == 0) {
        works->order = nullptr; /* another may stand where the last one stood */
        works->since = lb_cuda_now();
    }
    works->count++;
    one->work = *work;
    one->result = *result;
    one->next = work->range.begin;
    one->left = count;
    one->seconds = 0;
    lb_result_clear(&one->result);
    if (one->result.cost && count > 0)
        memset(one->result.cost, 0, count * sizeof *one->result.cost);
}

bool lb_cuda_works_ended(const struct lb_cuda_processor *own)
{
    return own->works.count > 0 && own->works.ring[own->works.first].left == 0;
}

bool lb_cuda_works_drain(struct lb_cuda_processor *own)
{
    for (int i = 0; i < own->lanes; i++)
        if (!lb_lane_drains(&own->lane[i]))
            return false;
    return work_to_start(own) == nullptr;
}

struct lb_result lb_cuda_works_take(struct lb_cuda_processor *own)
{
    struct lb_cuda_works *works = &own->works;
    struct lb_cuda_work *one = &works->ring[works->first];
    one->result.render_seconds = one->seconds;
    works->first = (works->first + 1) % LB_PIECES_IN_HAND;
    works->count--;
    return one->result;
}

/* Reckons the device's time up: what has passed is that of the works whose batches are in flight, by how much the
 * device has done for each. Else the last of two that overlap would seem to take no time. */
static void reckon(struct lb_cuda_processor *own)
{
    struct lb_cuda_works *works = &own->works;
    double now = lb_cuda_now(), passed = now - works->since, all = 0;
    for (int i = 0; i < own->lanes; i++)
        all += (double)(own->lane[i].done - works->reckoned[i]);
    for (int i = 0; i < own->lanes && all > 0; i++) {
        works->ring[own->work_of[i]].seconds +=
            passed * (double)(own->lane[i].done - works->reckoned[i]) / all;
        works->reckoned[i] = own->lane[i].done;
    }
    if (all > 0)
        works->since = now;
}

/* ---- the order on the device ---- */

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
    own->works.order = order;
    return cudaSuccess;
}

/* ---- batches ---- */

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
static void clear(const struct lb_cuda_work *one, uint64_t begin, uint64_t end)
{
    const struct lb_result *result = &one->result;
    uint64_t place = begin - one->work.range.begin;
    memset(result->pixels + place, 0, (end - begin) * sizeof *result->pixels);
    if (result->sums)
        memset(result->sums + place * result->sum_count, 0,
               (end - begin) * result->sum_count * sizeof *result->sums);
}

static bool is_idle(const struct lb_cuda_processor *own)
{
    for (int i = 0; i < own->lanes; i++)
        if (own->lane[i].state != LB_LANE_IDLE)
            return false;
    return true;
}

/* Gives an idle lane the next batch, if there is one that may begin now: one in another order waits until all lanes are
 * idle. Zeroing the place of its pixels meanwhile makes the host map those pages while the device works. On delivery
 * that would make the copy four times as slow or more, at the end of a work while the device has nothing to do. */
static cudaError_t start_batch(struct lb_cuda_processor *own, int number)
{
    struct lb_cuda_work *one = work_to_start(own);
    struct lb_lane *lane = &own->lane[number];
    if (!one || (one->work.order != own->works.order && !is_idle(own)))
        return cudaSuccess;
    if (one->work.order != own->works.order)
        LB_CUDA_TRY(place_order(own, one->work.order));
    uint64_t begin = one->next;
    lane->wave.sample_begin = one->work.sample_begin;
    lane->wave.sample_end = one->work.sample_end;
    lb_lane_channels(lane, &own->host_scene->channels, one->result.sums != NULL);
    own->work_of[number] = (uint32_t)(one - own->works.ring);
    own->works.reckoned[number] = 0;
    one->next += batch_positions(own, &one->work, one->work.range.end - begin);
    LB_CUDA_TRY(lb_lane_start(lane, begin, one->next, own->blocks));
    clear(one, begin, one->next);
    return cudaSuccess;
}

/* Copies the batch that a lane has finished last into its work's result. */
static void deliver(const struct lb_lane *lane, struct lb_range batch, struct lb_cuda_work *one)
{
    struct lb_result *result = &one->result;
    lb_counters counters = lb_wave_counters(&lane->counts);
    uint64_t place = batch.begin - one->work.range.begin, count = batch.end - batch.begin;
    memcpy(result->pixels + place, lane->host, (size_t)count * sizeof *lane->host);
    if (result->sums)
        memcpy(result->sums + place * result->sum_count, lane->host_sums,
               (size_t)count * result->sum_count * sizeof *lane->host_sums);
    lb_counters_add(&result->counters, &counters);
    result->samples += lane->counts.samples;
    result->transfer_seconds += lane->copy_seconds;
    one->left -= count;
}

/* Makes a step with a busy lane that has come to what it waits for. When that ends its batch it starts the next one, at
 * which the device works while the last one is delivered. */
static cudaError_t step_lane(struct lb_cuda_processor *own, int number)
{
    struct lb_lane *lane = &own->lane[number];
    struct lb_range batch = {lane->wave.begin, lane->wave.end};
    struct lb_cuda_work *one = &own->works.ring[own->work_of[number]];
    LB_CUDA_TRY(lb_lane_advance(lane, own->blocks));
    if (lane->state != LB_LANE_IDLE)
        return cudaSuccess;
    reckon(own);
    LB_CUDA_TRY(start_batch(own, number));
    deliver(lane, batch, one);
    return cudaSuccess;
}

cudaError_t lb_cuda_works_step(struct lb_cuda_processor *own)
{
    cudaEvent_t awaited[LB_CUDA_LANES];
    int lanes[LB_CUDA_LANES], busy = 0, reached;
    const int *stop = own->works.ring[own->works.first].work.stop;
    for (int i = 1; i <= own->lanes;
         i++) { /* the lane of the last step comes last, so that none is kept waiting */
        int number = (own->stepped + i) % own->lanes;
        struct lb_lane *lane = &own->lane[number];
        if (lane->state == LB_LANE_IDLE)
            LB_CUDA_TRY(start_batch(own, number));
        if (lane->state == LB_LANE_IDLE)
            continue;
        LB_CUDA_TRY(lb_lane_queue(lane, own->blocks, &awaited[busy]));
        lanes[busy++] = number;
    }
    if (busy == 0)
        return cudaSuccess;
    cudaError_t status = lb_cuda_wait_any(awaited, busy, own->options.patience, stop, &reached);
    if (status == cudaErrorNotReady && lb_stopped(stop))
        return cudaSuccess;
    LB_CUDA_TRY(status);
    own->stepped = lanes[reached];
    return step_lane(own, own->stepped);
}

cudaError_t lb_cuda_works_stop(struct lb_cuda_processor *own)
{
    reckon(own);
    for (uint32_t i = 0; i < own->works.count; i++) {
        struct lb_cuda_work *one = work_at(own, i);
        if (one->left == 0)
            continue;
        one->result.stopped = true;
        clear(one, one->next, one->work.range.end);
        one->next = one->work.range.end;
        one->left = 0;
    }
    for (int i = 0; i < own->lanes; i++)
        lb_lane_cancel(&own->lane[i]);
    for (int i = 0; i < own->lanes; i++)
        LB_CUDA_TRY(lb_lane_stop(&own->lane[i]));
    return cudaSuccess;
}
