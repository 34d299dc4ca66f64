// The kernels of cuda/kernels.cu as loops on the host: the pipeline's own (core/wave/stages.inc).
#include "cuda/kernels.h"
#include "test/fake_cuda/device.h"

struct host_launch {
    lb_wave wave;
    enum lb_wave_stage stage;
};

// A stage as a launch on a played device does it. Indices run forwards and backwards by turns, since no order may
// matter.
static void run_launch(const void *argument)
{
    const struct host_launch *launch = (const struct host_launch *)argument;
    const lb_wave *wave = &launch->wave;
    bool backwards = launch->stage == LB_WAVE_BEGIN || (wave->turn & 1u) != 0;
    if (launch->stage == LB_WAVE_TRACE && lb_wave_active(wave) > 0)
        fake_cuda_take_turn();
    (wave->spectral ? lb_wave_of_spectra : lb_wave_of_rgb).run(wave, launch->stage, backwards);
}

cudaError_t lb_cuda_stage(enum lb_wave_stage stage, const lb_wave *wave, int, cudaStream_t stream)
{
    struct host_launch launch = {*wave, stage};
    if (!lb_wave_runs(stage, wave))
        return cudaSuccess;
    fake_cuda_launch(stream, run_launch, &launch, sizeof launch);
    return cudaGetLastError();
}

bool lb_cuda_compiled_for(int, int)
{
    return !fake_cuda_ptx();
}

/* Numbers for who prints them: nothing is known of a GPU here. */
cudaError_t lb_cuda_kernel_of(enum lb_wave_stage, const lb_wave *, struct lb_cuda_kernel *kernel)
{
    *kernel = {0, 0, 0, 128, 0, 0};
    return cudaSuccess;
}
