/* What the kernels of the stages share. They stand in several files, each compiled by itself: the assembler gives a
 * function as many registers as suit all kernels of its file that call it. */
#ifndef LB_CUDA_STAGES_H
#define LB_CUDA_STAGES_H

#include "cuda/kernels.h"

/* How many blocks of THREADS threads a multiprocessor is to hold at once. That bounds the registers of a thread: 8
 * blocks leave 64, 6 leave 80, 3 leave 168 and 2 leave 255. Kernels that call functions need the most registers. The
 * traversal of opaque triangles waits for memory most of the time, and so needs the most threads. */
enum { THREADS = 128, TRACING = LB_CUDA_BLOCKS, STARTING = 6, CALLING = 3, VOLUME = 2 };

/* How many blocks of wave_trace_asking and wave_shadow_asking, and of the second of two walks (LB_WIDE_REST), a
 * multiprocessor is to hold at once: the more, the fewer registers a thread has, and the more are spilled. An H200 was
 * the fastest with 5 (bench/results/nvidia-h200-variants.md); bench/gpu_asking.sh races programs that were compiled
 * with others. */
#ifndef LB_ASKING
#define LB_ASKING 5
#endif

/* LB_ASKING as stage_asking.cu was compiled: its variants are linked with the same objects of all other files. */
extern const int wave_asking_blocks;

#define LB_EACH(index, count)                                                                                \
    for (uint32_t index = blockIdx.x * blockDim.x + threadIdx.x; index < (count);                            \
         index += gridDim.x * blockDim.x)

/* Gives a thread its part of the block's stacks, which stand in shared memory. */
#define LB_STACK(stack)                                                                                      \
    __shared__ lb_wide_entry fast_[LB_WIDE_FAST * THREADS];                                                  \
    __shared__ lb_wide_aside aside_[THREADS];                                                                \
    lb_wide_stack stack;                                                                                     \
    stack.aside = aside_ + threadIdx.x;                                                                      \
    stack.fast = fast_ + threadIdx.x;                                                                        \
    stack.stride = THREADS

/* Kernels are compiled for light of red, green and blue, and in files that define LB_SPECTRAL for light of four
 * wavelengths (core/kernel/color.h), each kind by names of its own. */
#ifdef LB_SPECTRAL
#define LB_STAGE(name) spectral_##name
#else
#define LB_STAGE(name) wave_##name
#endif

/* Begins the kernel of a stage, of which a multiprocessor is to hold so many blocks. */
#define LB_KERNEL(name, blocks)                                                                              \
    __global__ void __launch_bounds__(THREADS, blocks) LB_STAGE(name)(const __grid_constant__ lb_wave wave)

/* The whole kernel of a stage that is a function of each active index. */
#define LB_KERNEL_OF_ACTIVE(name, blocks)                                                                    \
    LB_KERNEL(name, blocks)                                                                                  \
    {                                                                                                        \
        LB_EACH(index, lb_wave_active(&wave))                                                                \
        lb_wave_##name(&wave, index);                                                                        \
    }

/* Each is run for a stage by lb_cuda_stage. */
__global__ void wave_trace(const __grid_constant__ lb_wave wave);
__global__ void wave_shadow(const __grid_constant__ lb_wave wave);
__global__ void wave_trace_first(const __grid_constant__ lb_wave wave);
__global__ void wave_shadow_first(const __grid_constant__ lb_wave wave);
__global__ void wave_trace_rest(const __grid_constant__ lb_wave wave);
__global__ void wave_shadow_rest(const __grid_constant__ lb_wave wave);
__global__ void wave_trace_asking(const __grid_constant__ lb_wave wave);
__global__ void wave_trace_curves(const __grid_constant__ lb_wave wave);
__global__ void wave_trace_moving(const __grid_constant__ lb_wave wave);
__global__ void wave_shadow_asking(const __grid_constant__ lb_wave wave);
__global__ void wave_shadow_curves(const __grid_constant__ lb_wave wave);
__global__ void wave_shadow_moving(const __grid_constant__ lb_wave wave);
__global__ void wave_shade(const __grid_constant__ lb_wave wave);
__global__ void wave_shade_led(const __grid_constant__ lb_wave wave);
__global__ void wave_shade_volume(const __grid_constant__ lb_wave wave);
__global__ void wave_shadow_volume(const __grid_constant__ lb_wave wave);
__global__ void wave_shadow_volume_moving(const __grid_constant__ lb_wave wave);
__global__ void wave_shadow_passing(const __grid_constant__ lb_wave wave);
__global__ void wave_shadow_passing_curves(const __grid_constant__ lb_wave wave);
__global__ void wave_shadow_passing_moving(const __grid_constant__ lb_wave wave);
__global__ void wave_gather(const __grid_constant__ lb_wave wave);
__global__ void wave_shade_occlusion(const __grid_constant__ lb_wave wave);

/* For wavelengths there are fewer, as each takes the assembler as long: rays of all scenes but those of opaque
 * triangles are traced by what knows curves and motion, and shadow rays through whatever they pass by what knows
 * media. */
__global__ void spectral_begin(const __grid_constant__ lb_wave wave);
__global__ void spectral_turn(const __grid_constant__ lb_wave wave);
__global__ void spectral_trace(const __grid_constant__ lb_wave wave);
__global__ void spectral_trace_moving(const __grid_constant__ lb_wave wave);
__global__ void spectral_count(const __grid_constant__ lb_wave wave);
__global__ void spectral_sort(const __grid_constant__ lb_wave wave);
__global__ void spectral_gather(const __grid_constant__ lb_wave wave);
__global__ void spectral_shade_volume(const __grid_constant__ lb_wave wave);
__global__ void spectral_shadow_volume(const __grid_constant__ lb_wave wave);

#endif
