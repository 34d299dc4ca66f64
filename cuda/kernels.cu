#include "cuda/kernels.cuh"
#include "cuda/try.cuh"

enum { THREADS = 128 };

#define LB_EACH(index, count)                                                                                \
    for (uint32_t index = blockIdx.x * blockDim.x + threadIdx.x, lb_end_ = (count); index < lb_end_;         \
         index += gridDim.x * blockDim.x)

__global__ void __launch_bounds__(THREADS, 6) wave_begin(const __grid_constant__ lb_wave wave)
{
    LB_EACH(slot, wave.slots)
    lb_wave_begin(&wave, slot);
}

__global__ void __launch_bounds__(THREADS, 3) wave_trace(const __grid_constant__ lb_wave wave)
{
    __shared__ lb_wide_entry fast[LB_WIDE_FAST * THREADS];
    lb_wide_stack stack;
    stack.fast = fast + threadIdx.x;
    stack.stride = THREADS;
    LB_EACH(index, wave.counts->active)
    lb_wave_trace(&wave, index, &stack);
}

__global__ void __launch_bounds__(THREADS, 3) wave_shade(const __grid_constant__ lb_wave wave)
{
    LB_EACH(index, wave.counts->active)
    lb_wave_shade(&wave, index);
}

__global__ void __launch_bounds__(THREADS, 3) wave_shadow(const __grid_constant__ lb_wave wave)
{
    __shared__ lb_wide_entry fast[LB_WIDE_FAST * THREADS];
    lb_wide_stack stack;
    stack.fast = fast + threadIdx.x;
    stack.stride = THREADS;
    LB_EACH(index, wave.counts->shadows)
    lb_wave_shadow(&wave, index, &stack);
}

__global__ void __launch_bounds__(THREADS, 6) wave_turn(const __grid_constant__ lb_wave wave)
{
    LB_EACH(index, wave.counts->active)
    lb_wave_turn(&wave, index);
}

__global__ void wave_swap(const __grid_constant__ lb_wave wave)
{
    lb_wave_swap(&wave);
}

static void (*const stages[LB_CUDA_STAGES])(lb_wave) = {wave_begin,  wave_trace, wave_shade,
                                                        wave_shadow, wave_turn,  wave_swap};

/* One thread alone swaps. */
static int threads_of(enum lb_cuda_stage stage)
{
    return stage == LB_CUDA_SWAP ? 1 : THREADS;
}

cudaError_t lb_cuda_stage(enum lb_cuda_stage stage, const lb_wave *wave, int blocks, cudaStream_t stream)
{
    stages[stage]<<<stage == LB_CUDA_SWAP ? 1 : blocks, threads_of(stage), 0, stream>>>(*wave);
    return cudaGetLastError();
}

cudaError_t lb_cuda_kernel_of(enum lb_cuda_stage stage, struct lb_cuda_kernel *kernel)
{
    cudaFuncAttributes attributes;
    LB_CUDA_TRY(cudaFuncGetAttributes(&attributes, stages[stage]));
    kernel->registers = attributes.numRegs;
    kernel->local_bytes = (int)attributes.localSizeBytes;
    kernel->shared_bytes = (int)attributes.sharedSizeBytes;
    kernel->threads = threads_of(stage);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&kernel->blocks, stages[stage], kernel->threads, 0);
}
