// The kernels of cuda/kernels.cu as loops on the host. Indices run forwards and backwards by turns, since no order may
// matter.
#include "cuda/kernels.h"

#include "test/fake_cuda/device.h"

struct launch {
    lb_wave wave;
    enum lb_cuda_stage stage;
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
    auto each_active = [&](auto body) { each(wave->counts->active, backwards, body); };
    lb_wide_entry fast[LB_WIDE_FAST];
    lb_wide_stack stack;
    lb_wide_aside aside;
    stack.aside = &aside;
    stack.fast = fast;
    stack.stride = 1;
    switch (launch->stage) {
    case LB_CUDA_BEGIN:
        each(wave->slots, true, [&](uint32_t i) { lb_wave_begin(wave, i); });
        break;
    case LB_CUDA_TRACE:
        if (wave->counts->active > 0)
            fake_cuda_take_turn();
        lb_wave_trace(wave, &stack, wave->tree.asks);
        break;
    case LB_CUDA_GATHER:
        each_active([&](uint32_t i) { lb_wave_gather(wave, i); });
        break;
    case LB_CUDA_SHADE:
        each_active([&](uint32_t i) {
            if (wave->volume)
                lb_wave_shade_volume(wave, i);
            else if (wave->occlusion)
                lb_wave_shade_occlusion(wave, i);
            else
                lb_wave_shade(wave, i);
        });
        break;
    case LB_CUDA_SHADOW:
        if (!wave->volume && !wave->interfaces) {
            lb_wave_shadow(wave, &stack, wave->tree.asks);
            break;
        }
        each(wave->counts->shadows, backwards, [&](uint32_t i) {
            if (wave->volume)
                lb_wave_shadow_volume(wave, i, &stack, wave->tree.asks);
            else
                lb_wave_shadow_passing(wave, i, &stack, wave->tree.asks);
        });
        break;
    case LB_CUDA_TURN:
        each_active([&](uint32_t i) { lb_wave_turn(wave, i); });
        break;
    default:
        lb_wave_swap(wave);
    }
}

cudaError_t lb_cuda_stage(enum lb_cuda_stage stage, const lb_wave *wave, int, cudaStream_t stream)
{
    struct launch launch = {*wave, stage};
    if (stage == LB_CUDA_GATHER && !wave->gathers)
        return cudaSuccess;
    fake_cuda_launch(stream, run, &launch, sizeof launch);
    return cudaGetLastError();
}

bool lb_cuda_compiled_for(int, int)
{
    return !fake_cuda_ptx();
}

/* Numbers for who prints them: nothing is known of a GPU here. */
cudaError_t lb_cuda_kernel_of(enum lb_cuda_stage stage, const lb_wave *, struct lb_cuda_kernel *kernel)
{
    *kernel = {0, 0, 0, stage == LB_CUDA_SWAP ? 1 : 128, 0, 0};
    return cudaSuccess;
}
