#include "cuda/kernels.cuh"
#include "cuda/try.cuh"

/* Blocks a multiprocessor is to hold bound the registers of a thread: 6 leave 80, 3 leave 168. What calls functions needs the latter. */
enum { THREADS = 128, BLOCKS_OF_FEW_REGISTERS = 6, BLOCKS_OF_MANY = 3 };

#define LB_EACH(index, count)                                                                                \
    for (uint32_t index = blockIdx.x * blockDim.x + threadIdx.x, lb_end_ = (count); index < lb_end_;         \
         index += gridDim.x * blockDim.x)

__global__ void __launch_bounds__(THREADS, BLOCKS_OF_FEW_REGISTERS)
    wave_begin(const __grid_constant__ lb_wave wave)
{
    LB_EACH(slot, wave.slots)
    lb_wave_begin(&wave, slot);
}

/* A thread's part of the block's stacks in shared memory. */
#define LB_STACK(stack)                                                                                      \
    __shared__ lb_wide_entry fast_[LB_WIDE_FAST * THREADS];                                                  \
    lb_wide_stack stack;                                                                                     \
    stack.fast = fast_ + threadIdx.x;                                                                        \
    stack.stride = THREADS

/* Rays are traced by one of two kernels: where all is opaque triangles there is nothing to call, and the loop fits into few registers. */
__global__ void __launch_bounds__(THREADS, BLOCKS_OF_FEW_REGISTERS)
    wave_trace(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    LB_EACH(index, wave.counts->active)
    lb_wave_trace(&wave, index, &stack, false);
}

__global__ void __launch_bounds__(THREADS, BLOCKS_OF_MANY)
    wave_trace_asking(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    LB_EACH(index, wave.counts->active)
    lb_wave_trace(&wave, index, &stack, true);
}

__global__ void __launch_bounds__(THREADS, BLOCKS_OF_MANY) wave_shade(const __grid_constant__ lb_wave wave)
{
    LB_EACH(index, wave.counts->active)
    lb_wave_shade(&wave, index);
}

__global__ void __launch_bounds__(THREADS, BLOCKS_OF_FEW_REGISTERS)
    wave_shadow(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    LB_EACH(index, wave.counts->shadows)
    lb_wave_shadow(&wave, index, &stack, false);
}

__global__ void __launch_bounds__(THREADS, BLOCKS_OF_MANY)
    wave_shadow_asking(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    LB_EACH(index, wave.counts->shadows)
    lb_wave_shadow(&wave, index, &stack, true);
}

__global__ void __launch_bounds__(THREADS, BLOCKS_OF_MANY)
    wave_shadow_passing(const __grid_constant__ lb_wave wave)
{
    LB_STACK(stack);
    LB_EACH(index, wave.counts->shadows)
    lb_wave_shadow_passing(&wave, index, &stack);
}

__global__ void __launch_bounds__(THREADS, BLOCKS_OF_FEW_REGISTERS)
    wave_turn(const __grid_constant__ lb_wave wave)
{
    LB_EACH(index, wave.counts->active)
    lb_wave_turn(&wave, index);
}

__global__ void wave_swap(const __grid_constant__ lb_wave wave)
{
    lb_wave_swap(&wave);
}

typedef void lb_stage_kernel(lb_wave);

/* The kernel that runs a stage on a scene like that of `wave`. */
static lb_stage_kernel *kernel_of(enum lb_cuda_stage stage, const lb_wave *wave)
{
    switch (stage) {
    case LB_CUDA_BEGIN:
        return wave_begin;
    case LB_CUDA_TRACE:
        return wave->tree.asks ? wave_trace_asking : wave_trace;
    case LB_CUDA_SHADE:
        return wave_shade;
    case LB_CUDA_SHADOW:
        return wave->interfaces ? wave_shadow_passing : wave->tree.asks ? wave_shadow_asking : wave_shadow;
    case LB_CUDA_TURN:
        return wave_turn;
    default:
        return wave_swap;
    }
}

/* One thread alone swaps. */
static int threads_of(enum lb_cuda_stage stage)
{
    return stage == LB_CUDA_SWAP ? 1 : THREADS;
}

cudaError_t lb_cuda_stage(enum lb_cuda_stage stage, const lb_wave *wave, int blocks, cudaStream_t stream)
{
    kernel_of(stage, wave)<<<stage == LB_CUDA_SWAP ? 1 : blocks, threads_of(stage), 0, stream>>>(*wave);
    return cudaGetLastError();
}

cudaError_t lb_cuda_kernel_of(enum lb_cuda_stage stage, const lb_wave *wave, struct lb_cuda_kernel *kernel)
{
    cudaFuncAttributes attributes;
    LB_CUDA_TRY(cudaFuncGetAttributes(&attributes, kernel_of(stage, wave)));
    kernel->registers = attributes.numRegs;
    kernel->local_bytes = (int)attributes.localSizeBytes;
    kernel->shared_bytes = (int)attributes.sharedSizeBytes;
    kernel->threads = threads_of(stage);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&kernel->blocks, kernel_of(stage, wave),
                                                         kernel->threads, 0);
}
