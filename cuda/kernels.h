/* The stages of core/kernel/integrators/wavefront.h as kernels. They are persistent: a grid of fixed size strides over
 * queues whose lengths it reads on the device, so that the host need not know them. */
#ifndef LB_CUDA_KERNELS_H
#define LB_CUDA_KERNELS_H

#include "core/kernel/integrators/wavefront.h"
extern "C" {
#include "cuda/measure.h"
}

#include <cuda_runtime.h>

/* The most blocks that a kernel has on a multiprocessor, for kernels that take few registers. */
enum { LB_CUDA_BLOCKS = 8 };

/* Does a stage run at all on a scene like that of `wave`? */
static inline bool lb_cuda_runs(enum lb_cuda_stage stage, const lb_wave *wave)
{
    switch (stage) {
    case LB_CUDA_GATHER:
        return wave->gathers != 0;
    case LB_CUDA_TRACE_REST:
        return wave->puts_off != 0;
    case LB_CUDA_SHADOW_REST:
        return lb_wave_puts_off_shadows(wave);
    default:
        return true;
    }
}

/* Queues the kernel of a stage, if that runs, on the stream. `blocks` is LB_CUDA_BLOCKS times the number of
 * multiprocessors, from which each kernel's own grid follows. */
cudaError_t lb_cuda_stage(enum lb_cuda_stage stage, const lb_wave *wave, int blocks, cudaStream_t stream);

/* Asks what that kernel takes on the current device; all is 0 where the stage does not run. */
cudaError_t lb_cuda_kernel_of(enum lb_cuda_stage stage, const lb_wave *wave, struct lb_cuda_kernel *kernel);

/* Is there machine code for GPUs of compute capability major.minor? Otherwise the driver compiles PTX for them. */
bool lb_cuda_compiled_for(int major, int minor);

#endif
