// The kernels of cuda/kernels.cu as loops on the host. Indices run forwards and backwards by turns, since no order may matter.
#include "cuda/kernels.cuh"

#include "test/fake_cuda/device.h"

struct launch {
    lb_wave wave;
    int stage;
};

template <class Function> static void each(uint32_t count, bool backwards, Function function)
{
    for (uint32_t i = 0; i < count; i++)
        function(backwards ? count - 1 - i : i);
}

static void run(const void *argument)
{
    const struct launch *launch = (const struct launch *)argument;
    const lb_wave *wave = &launch->wave;
    bool backwards = wave->counts->turn != 0;
    lb_wide_entry fast[LB_WIDE_FAST];
    lb_wide_stack stack;
    stack.fast = fast;
    stack.stride = 1;
    switch (launch->stage) {
    case 0:
        each(wave->slots, true, [&](uint32_t i) { lb_wave_begin(wave, i); });
        break;
    case 1:
        each(wave->counts->active, backwards, [&](uint32_t i) { lb_wave_trace(wave, i, &stack); });
        break;
    case 2:
        each(wave->counts->active, backwards, [&](uint32_t i) { lb_wave_shade(wave, i); });
        break;
    case 3:
        each(wave->counts->shadows, backwards, [&](uint32_t i) { lb_wave_shadow(wave, i, &stack); });
        break;
    case 4:
        each(wave->counts->active, backwards, [&](uint32_t i) { lb_wave_turn(wave, i); });
        break;
    default:
        lb_wave_swap(wave);
    }
}

static void launch(const lb_wave *wave, int stage, cudaStream_t stream)
{
    struct launch launch = {*wave, stage};
    fake_cuda_launch(stream, run, &launch, sizeof launch);
}

cudaError_t lb_cuda_begin(const lb_wave *wave, int, cudaStream_t stream)
{
    cudaMemsetAsync(wave->counts, 0, sizeof *wave->counts, stream);
    launch(wave, 0, stream);
    return cudaGetLastError();
}

cudaError_t lb_cuda_turn(const lb_wave *wave, int, cudaStream_t stream)
{
    for (int stage = 1; stage <= 5; stage++)
        launch(wave, stage, stream);
    return cudaGetLastError();
}
