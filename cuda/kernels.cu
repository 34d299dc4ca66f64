#include "cuda/kernels.cuh"

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

cudaError_t lb_cuda_begin(const lb_wave *wave, int blocks, cudaStream_t stream)
{
    cudaMemsetAsync(wave->counts, 0, sizeof *wave->counts, stream);
    wave_begin<<<blocks, THREADS, 0, stream>>>(*wave);
    return cudaGetLastError();
}

cudaError_t lb_cuda_turn(const lb_wave *wave, int blocks, cudaStream_t stream)
{
    wave_trace<<<blocks, THREADS, 0, stream>>>(*wave);
    wave_shade<<<blocks, THREADS, 0, stream>>>(*wave);
    wave_shadow<<<blocks, THREADS, 0, stream>>>(*wave);
    wave_turn<<<blocks, THREADS, 0, stream>>>(*wave);
    wave_swap<<<1, 1, 0, stream>>>(*wave);
    return cudaGetLastError();
}
