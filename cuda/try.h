/* A macro that hands a CUDA error up to the caller. */
#ifndef LB_CUDA_TRY_H
#define LB_CUDA_TRY_H

#include <cuda_runtime.h>

/* Makes a call, and returns its error from the function around it, which must return cudaError_t. */
#define LB_CUDA_TRY(call)                                                                                    \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess)                                                                          \
            return status_;                                                                                  \
    } while (0)

#endif
