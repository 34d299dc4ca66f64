/* What cuda/measure.h measures of a GPU's processor. */
#include "cuda/processor.h"
extern "C" {
#include "cuda/measure.h"
}
#include "cuda/wait.h"

static cudaError_t start_clocks(struct lb_cuda_processor *own, struct lb_cuda_times *times)
{
    LB_CUDA_TRY(cudaSetDevice(own->device));
    LB_CUDA_TRY(cudaEventCreateWithFlags(&own->zero, cudaEventDefault));
    for (int i = 0; i < own->lanes; i++)
        LB_CUDA_TRY(lb_lane_clock_open(&own->lane[i].clock, times, own->zero));
    LB_CUDA_TRY(cudaEventRecord(own->zero, own->lane[0].stream));
    return lb_cuda_wait(own->zero, own->options.patience, NULL);
}

enum lb_status lb_cuda_measure(struct lb_processor *processor, int lanes, struct lb_cuda_times *times,
                               struct lb_error *error)
{
    struct lb_cuda_processor *own = (struct lb_cuda_processor *)processor;
    own->lanes = lanes < LB_CUDA_LANES ? lanes : LB_CUDA_LANES;
    cudaError_t status = start_clocks(own, times);
    return status == cudaSuccess ? LB_OK : lb_cuda_fail(own, "measuring", status, error);
}

enum lb_status lb_cuda_kernels(struct lb_processor *processor, struct lb_cuda_kernel kernels[LB_WAVE_STAGES],
                               struct lb_error *error)
{
    struct lb_cuda_processor *own = (struct lb_cuda_processor *)processor;
    cudaError_t status = cudaSetDevice(own->device);
    int most = 0;
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, own->device);
    for (int stage = 0; stage < LB_WAVE_STAGES && status == cudaSuccess; stage++) {
        status = lb_cuda_kernel_of((enum lb_wave_stage)stage, &own->lane[0].wave, &kernels[stage]);
        kernels[stage].most_threads = most;
    }
    return status == cudaSuccess ? LB_OK : lb_cuda_fail(own, "asking for its kernels", status, error);
}
