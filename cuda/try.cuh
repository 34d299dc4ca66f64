/* Hands a CUDA error up. */
#ifndef LB_CUDA_TRY_CUH
#define LB_CUDA_TRY_CUH

#include <cuda_runtime.h>

/* For functions that return cudaError_t. */
#define LB_CUDA_TRY(call)                                                                                    \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess)                                                                          \
            return status_;                                                                                  \
    } while (0)

#endif
