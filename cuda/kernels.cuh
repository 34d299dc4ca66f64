/* The stages of core/kernel/wavefront.h as kernels. Persistent: a grid of fixed size strides over queues whose lengths
 * it reads on the device, so that the host need not know them. */
#ifndef LB_CUDA_KERNELS_CUH
#define LB_CUDA_KERNELS_CUH

#include "core/kernel/wavefront.h"
extern "C" {
#include "cuda/measure.h"
}

#include <cuda_runtime.h>

enum { LB_CUDA_BLOCKS = 8 }; /* of a grid, a multiprocessor, at most: of kernels that take few registers */

/* Queues a stage's kernel on the stream. `blocks`: LB_CUDA_BLOCKS for each multiprocessor. */
cudaError_t lb_cuda_stage(enum lb_cuda_stage stage, const lb_wave *wave, int blocks, cudaStream_t stream);

/* That kernel's resources on the current device. */
cudaError_t lb_cuda_kernel_of(enum lb_cuda_stage stage, const lb_wave *wave, struct lb_cuda_kernel *kernel);

#endif
