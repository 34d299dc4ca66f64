#include "cuda/kernels.h"
#include "cuda/stages.h"
#include "cuda/try.h"

__global__ void __launch_bounds__(THREADS, STARTING) wave_begin(const __grid_constant__ lb_wave wave)
{
    LB_EACH(slot, lb_wave_first(&wave))
    lb_wave_begin(&wave, slot);
}

__global__ void __launch_bounds__(THREADS, STARTING) wave_turn(const __grid_constant__ lb_wave wave)
{
    if (blockIdx.x + threadIdx.x == 0)
        lb_wave_reckon(&wave);
    LB_EACH(index, lb_wave_active(&wave))
    lb_wave_turn(&wave, index);
}

LB_KERNEL_OF_ACTIVE(count, TRACING)
LB_KERNEL_OF_ACTIVE(sort, TRACING)

/* A kernel and how many of its blocks are launched. */
struct stage_kernel {
    void (*run)(lb_wave);
    int blocks; /* as many as a multiprocessor holds at once */
};

/* Chooses the kernel that traces rays, by what the scene's hits ask (enum lb_wide_asks). */
static stage_kernel tracing_kernel(const lb_wave *wave, stage_kernel opaque, stage_kernel asking,
                                   void (*curves)(lb_wave), void (*moving)(lb_wave))
{
    switch (wave->tree.asks) {
    case LB_WIDE_OPAQUE:
        return opaque;
    case LB_WIDE_ASKING:
        return asking;
    case LB_WIDE_CURVES:
        return {curves, CALLING};
    default:
        return {moving, CALLING};
    }
}

/* What kernel_of is, for light of four wavelengths. */
static stage_kernel spectral_kernel_of(enum lb_wave_stage stage, const lb_wave *wave)
{
    switch (stage) {
    case LB_WAVE_BEGIN:
        return {spectral_begin, CALLING};
    case LB_WAVE_TRACE:
        if (wave->tree.asks == LB_WIDE_OPAQUE)
            return {spectral_trace, TRACING};
        return {spectral_trace_moving, CALLING};
    case LB_WAVE_COUNT:
        return {spectral_count, TRACING};
    case LB_WAVE_SORT:
        return {spectral_sort, TRACING};
    case LB_WAVE_GATHER:
        return {spectral_gather, VOLUME};
    case LB_WAVE_SHADE:
        return {spectral_shade_volume, VOLUME};
    case LB_WAVE_SHADOW:
        return {spectral_shadow_volume, VOLUME};
    default:
        return {spectral_turn, CALLING};
    }
}

/* Chooses the kernel that runs a stage on a scene like that of `wave`. */
static stage_kernel kernel_of(enum lb_wave_stage stage, const lb_wave *wave)
{
    if (wave->spectral)
        return spectral_kernel_of(stage, wave);
    switch (stage) {
    case LB_WAVE_BEGIN:
        return {wave_begin, STARTING};
    case LB_WAVE_TRACE:
        if (wave->puts_off)
            return {wave_trace_first, TRACING};
        return tracing_kernel(wave, {wave_trace, TRACING}, {wave_trace_asking, wave_asking_blocks},
                              wave_trace_curves, wave_trace_moving);
    case LB_WAVE_TRACE_REST:
        return {wave_trace_rest, wave_asking_blocks};
    case LB_WAVE_COUNT:
        return {wave_count, TRACING};
    case LB_WAVE_SORT:
        return {wave_sort, TRACING};
    case LB_WAVE_GATHER:
        return {wave_gather, CALLING};
    case LB_WAVE_SHADE:
        if (wave->volume)
            return {wave_shade_volume, VOLUME};
        if (wave->occlusion)
            return {wave_shade_occlusion, CALLING};
        return {wave->led ? wave_shade_led : wave_shade, CALLING};
    case LB_WAVE_SHADOW:
        if (wave->volume)
            return {wave->tree.asks == LB_WIDE_MOVING ? wave_shadow_volume_moving : wave_shadow_volume,
                    VOLUME};
        if (wave->interfaces)
            return tracing_kernel(wave, {wave_shadow_passing, CALLING}, {wave_shadow_passing, CALLING},
                                  wave_shadow_passing_curves, wave_shadow_passing_moving);
        if (wave->puts_off)
            return {wave_shadow_first, TRACING};
        return tracing_kernel(wave, {wave_shadow, TRACING}, {wave_shadow_asking, wave_asking_blocks},
                              wave_shadow_curves, wave_shadow_moving);
    case LB_WAVE_SHADOW_REST:
        return {wave_shadow_rest, wave_asking_blocks};
    default:
        return {wave_turn, STARTING};
    }
}

cudaError_t lb_cuda_stage(enum lb_wave_stage stage, const lb_wave *wave, int blocks, cudaStream_t stream)
{
    stage_kernel kernel = kernel_of(stage, wave);
    if (!lb_wave_runs(stage, wave))
        return cudaSuccess;
    /* The grid has no more blocks than run at once. Blocks that had to wait for room would then go their whole way
     * alone, as each has the same share of the queue. */
    kernel.run<<<blocks * kernel.blocks / LB_CUDA_BLOCKS, THREADS, 0, stream>>>(*wave);
    return cudaGetLastError();
}

cudaError_t lb_cuda_kernel_of(enum lb_wave_stage stage, const lb_wave *wave, struct lb_cuda_kernel *kernel)
{
    cudaFuncAttributes attributes;
    void (*run)(lb_wave) = kernel_of(stage, wave).run;
    *kernel = {};
    if (!lb_wave_runs(stage, wave))
        return cudaSuccess;
    LB_CUDA_TRY(cudaFuncGetAttributes(&attributes, run));
    kernel->registers = attributes.numRegs;
    kernel->local_bytes = (int)attributes.localSizeBytes;
    kernel->shared_bytes = (int)attributes.sharedSizeBytes;
    kernel->threads = THREADS;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&kernel->blocks, run, kernel->threads, 0);
}

/* The architectures that there is machine code for, times ten: nvcc lists all that it compiles for. Where the build
 * names none there is PTX alone (cuda/rules.mk), and its architecture does not count. */
#ifdef LB_CUDA_PTX_ALONE
#define LB_CUDA_ARCHS 0
#else
#define LB_CUDA_ARCHS __CUDA_ARCH_LIST__
#endif

/* Code of an architecture runs on those of the same major number whose minor one is not less. */
bool lb_cuda_compiled_for(int major, int minor)
{
    static const int archs[] = {LB_CUDA_ARCHS};
    for (int arch : archs)
        if (arch / 100 == major && arch / 10 % 10 <= minor)
            return true;
    return false;
}
