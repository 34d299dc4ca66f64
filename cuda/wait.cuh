/* Waiting for a device, without end or with one. */
#ifndef LB_CUDA_WAIT_CUH
#define LB_CUDA_WAIT_CUH

#include <cuda_runtime.h>

/* Seconds of a clock that never goes back. */
double lb_cuda_now(void);
/* Sleeps for so many. */
void lb_cuda_sleep(double seconds);
/* Waits, asleep, until the device has come to the event; `patience` seconds at most, then cudaErrorNotReady: it hangs,
 * and no other call that waits for it would return. */
cudaError_t lb_cuda_wait(cudaEvent_t event, double patience);

#endif
