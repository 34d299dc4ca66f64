#include "cuda/lane_clock.h"
#include "cuda/try.h"

#include <cstdlib>
#include <cstring>

void lb_cuda_times_free(struct lb_cuda_times *times)
{
    free(times->spans);
    memset(times, 0, sizeof *times);
}

cudaError_t lb_lane_clock_open(struct lb_lane_clock *clock, struct lb_cuda_times *times, cudaEvent_t zero)
{
    for (int i = 0; i < 2; i++)
        LB_CUDA_TRY(cudaEventCreateWithFlags(&clock->begin[i], cudaEventDefault));
    for (int place = 0; place < LB_LANE_AHEAD; place++)
        for (int i = 0; i < LB_LANE_MARKS; i++)
            LB_CUDA_TRY(cudaEventCreateWithFlags(&clock->mark[place][i], cudaEventDefault));
    clock->zero = zero;
    clock->times = times;
    return cudaSuccess;
}

static void destroy(cudaEvent_t *events, int count)
{
    for (int i = 0; i < count; i++)
        if (events[i])
            cudaEventDestroy(events[i]);
}

void lb_lane_clock_close(struct lb_lane_clock *clock)
{
    destroy(clock->begin, 2);
    for (int place = 0; place < LB_LANE_AHEAD; place++)
        destroy(clock->mark[place], LB_LANE_MARKS);
}

cudaError_t lb_lane_clock_mark(const struct lb_lane_clock *clock, cudaEvent_t event, cudaStream_t stream)
{
    return clock->times ? cudaEventRecord(event, stream) : cudaSuccess;
}

static cudaError_t seconds_between(cudaEvent_t begin, cudaEvent_t end, double *seconds)
{
    float milliseconds = 0.0f;
    LB_CUDA_TRY(cudaEventElapsedTime(&milliseconds, begin, end));
    *seconds = 1e-3 * (double)milliseconds;
    return cudaSuccess;
}

static cudaError_t add_span(const struct lb_lane_clock *clock, cudaEvent_t begin, cudaEvent_t end, bool copy)
{
    struct lb_cuda_times *times = clock->times;
    void *spans = lb_grow(times->spans, &times->room, times->count + 1, sizeof *times->spans);
    if (!spans)
        return cudaErrorMemoryAllocation;
    times->spans = (struct lb_cuda_span *)spans;
    struct lb_cuda_span *span = &times->spans[times->count];
    LB_CUDA_TRY(seconds_between(clock->zero, begin, &span->begin));
    LB_CUDA_TRY(seconds_between(clock->zero, end, &span->end));
    span->copy = copy;
    times->count++;
    return cudaSuccess;
}

cudaError_t lb_lane_clock_launch(const struct lb_lane_clock *clock, uint64_t place, uint32_t turns,
                                 bool empty)
{
    struct lb_cuda_times *times = clock->times;
    if (!times)
        return cudaSuccess;
    const cudaEvent_t *mark = clock->mark[place];
    int kernels = (int)turns * (LB_WAVE_STAGES - 1);
    for (int i = 0; i < kernels; i++) {
        double seconds;
        LB_CUDA_TRY(seconds_between(mark[i], mark[i + 1], &seconds));
        *(empty ? &times->empty : &times->stage[LB_WAVE_TRACE + i % (LB_WAVE_STAGES - 1)]) += seconds;
    }
    return add_span(clock, mark[0], mark[kernels], false);
}

cudaError_t lb_lane_clock_batch(const struct lb_lane_clock *clock, cudaEvent_t copy_begin,
                                cudaEvent_t copy_end)
{
    double seconds;
    if (!clock->times)
        return cudaSuccess;
    LB_CUDA_TRY(seconds_between(clock->begin[0], clock->begin[1], &seconds));
    clock->times->stage[LB_WAVE_BEGIN] += seconds;
    LB_CUDA_TRY(add_span(clock, clock->begin[0], clock->begin[1], false));
    return add_span(clock, copy_begin, copy_end, true);
}
