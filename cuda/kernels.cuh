/* The stages of core/kernel/wavefront.h as kernels. Persistent: a grid of fixed size strides over queues whose lengths it reads on the
 * device, so that the host need not know them. */
#ifndef LB_CUDA_KERNELS_CUH
#define LB_CUDA_KERNELS_CUH

#include "core/kernel/wavefront.h"

#include <cuda_runtime.h>

/* Clears the counts and fills the first queue. */
cudaError_t lb_cuda_begin(const lb_wave *wave, int blocks, cudaStream_t stream);
/* One turn of all stages. */
cudaError_t lb_cuda_turn(const lb_wave *wave, int blocks, cudaStream_t stream);

#endif
