/* Clocks, sleep, and waiting for a device with a limit. */
#ifndef LB_CUDA_WAIT_H
#define LB_CUDA_WAIT_H

#include "core/kernel/stop.h"

#include <cuda_runtime.h>

/* Returns the seconds of a clock that never goes back. */
double lb_cuda_now(void);
/* Sleeps for so many seconds; not at all where they are 0 or less. */
void lb_cuda_sleep(double seconds);
/* Waits, asleep, until the device has reached the event. It waits for `patience` seconds at most and then returns
 * cudaErrorNotReady: the device hangs, and no call of the runtime that waits for it would ever return. Where `stop` (or
 * NULL) tells it to stop it waits no longer, and returns that, too. */
cudaError_t lb_cuda_wait(cudaEvent_t event, double patience, const int *stop);

/* The same of several events, of which one is enough: `*reached` becomes the index of the first that it has reached. */
cudaError_t lb_cuda_wait_any(const cudaEvent_t *events, int count, double patience, const int *stop,
                             int *reached);

#endif
