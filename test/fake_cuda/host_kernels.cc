// The kernels of cuda/kernels.cu as loops on the host.
#include "test/fake_cuda/host_stage.h"

cudaError_t lb_cuda_stage(enum lb_cuda_stage stage, const lb_wave *wave, int, cudaStream_t stream)
{
    struct host_launch launch = {*wave, stage};
    if (!lb_cuda_runs(stage, wave))
        return cudaSuccess;
    fake_cuda_launch(stream, wave->spectral ? host_stage_spectral : host_stage_rgb, &launch, sizeof launch);
    return cudaGetLastError();
}

bool lb_cuda_compiled_for(int, int)
{
    return !fake_cuda_ptx();
}

/* Numbers for who prints them: nothing is known of a GPU here. */
cudaError_t lb_cuda_kernel_of(enum lb_cuda_stage, const lb_wave *, struct lb_cuda_kernel *kernel)
{
    *kernel = {0, 0, 0, 128, 0, 0};
    return cudaSuccess;
}
