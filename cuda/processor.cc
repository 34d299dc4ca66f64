/* GPUs as processors: the contract of core/processor.h, kept by the works of cuda/works.cc. */
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

/* Gives up all works in hand: most errors spoil the device's context for good. */
static enum lb_status fail(struct lb_cuda_processor *own, cudaError_t status, bool stopped,
                           struct lb_error *error)
{
    own->works.count = 0;
    own->base.hangs = status == cudaErrorNotReady;
    if (own->base.hangs)
        return lb_error_set(error, LB_ERROR, "%s: rendering: no answer for %g s", own->base.name,
                            stopped ? lb_lane_stop_patience(&own->lane[0]) : own->options.patience);
    return lb_cuda_fail(own, "rendering", status, error);
}

/* Goes on until the first work has ended or, where `may_begin`, what is in hand comes to its end, and true is not
 * returned. */
static bool await_first(struct lb_cuda_processor *own, bool may_begin, struct lb_outcome *outcome)
{
    const int *stop = own->works.ring[own->works.first].work.stop;
    bool stopped = false;
    cudaError_t status = cudaSetDevice(own->device);
    while (status == cudaSuccess && !lb_cuda_works_ended(own)) {
        stopped = lb_stopped(stop);
        if (!stopped && may_begin && lb_cuda_works_drain(own))
            return false;
        status = stopped ? lb_cuda_works_stop(own) : lb_cuda_works_step(own);
    }
    outcome->lost = status != cudaSuccess;
    if (!outcome->lost)
        outcome->result = lb_cuda_works_take(own);
    else
        outcome->status = fail(own, status, stopped, &outcome->error);
    outcome->result.stopped |= stopped && outcome->lost;
    return true;
}

static bool cuda_await(struct lb_processor *processor, bool may_begin, struct lb_outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    outcome->status = LB_OK;
    return await_first((struct lb_cuda_processor *)processor, may_begin, outcome);
}

static void cuda_begin(struct lb_processor *processor, const struct lb_work *work,
                       const struct lb_result *result)
{
    lb_cuda_works_begin((struct lb_cuda_processor *)processor, work, result);
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
    struct lb_outcome outcome;
    double start = lb_cuda_now();
    cuda_begin(processor, work, result);
    cuda_await(processor, false, &outcome);
    *lost = outcome.lost;
    if (outcome.status != LB_OK) {
        result->stopped = outcome.result.stopped;
        *error = outcome.error;
        return outcome.status;
    }
    *result = outcome.result;
    nap(start + (lb_cuda_now() - start) * own->options.slow, work->stop);
    return LB_OK;
}

const struct lb_processor_table lb_cuda_processor_table = {cuda_render, cuda_close, cuda_begin, cuda_await,
                                                           nullptr};
/* A delay is one of each range, and so is not for ranges that overlap. */
const struct lb_processor_table lb_cuda_slow_table = {cuda_render, cuda_close, nullptr, nullptr, nullptr};
