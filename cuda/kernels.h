/* The stages of core/kernel/integrators/wavefront.h as kernels. They are persistent: a grid of fixed size strides over
 * queues whose lengths it reads on the device, so that the host need not know them. */
#ifndef LB_CUDA_KERNELS_H
#define LB_CUDA_KERNELS_H

#include "core/kernel/integrators/wavefront.h"
extern "C" {
#include "core/wave/stages.h"
#include "cuda/measure.h"
}

#include <cuda_runtime.h>

/* The most blocks that a kernel has on a multiprocessor, for kernels that take few registers. */
enum { LB_CUDA_BLOCKS = 8 };

/* Queues the kernel of a stage, if that runs, on the stream. `blocks` is LB_CUDA_BLOCKS times the number of
 * multiprocessors, from which each kernel's own grid follows. */
cudaError_t lb_cuda_stage(enum lb_wave_stage stage, const lb_wave *wave, int blocks, cudaStream_t stream);

/* Asks what that kernel takes on the current device; all is 0 where the stage does not run. */
cudaError_t lb_cuda_kernel_of(enum lb_wave_stage stage, const lb_wave *wave, struct lb_cuda_kernel *kernel);

/* Is there machine code for GPUs of compute capability major.minor? Otherwise the driver compiles PTX for them. */
bool lb_cuda_compiled_for(int major, int minor);

#endif
