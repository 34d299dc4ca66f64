#include "cuda/wait.h"

#include <ctime>

/* The wait for a device is made of naps, in seconds, which grow with the time that has passed. So little of that time
 * is lost, 1/16 at most and never more than the longest nap, and little CPU time is taken. Meanwhile the device is not
 * idle, as its next launch has been queued already. */
static const double LEAST_NAP = 20e-6, MOST_NAP = 400e-6, NAP_PART = 1.0 / 16;

double lb_cuda_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void lb_cuda_sleep(double seconds)
{
    struct timespec wait = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (seconds > 0.0 && nanosleep(&wait, &wait) != 0)
        continue;
}

/* Is one of them reached? If so, which? An error of one is the device's. */
static cudaError_t query(const cudaEvent_t *events, int count, int *reached)
{
    for (int i = 0; i < count; i++) {
        cudaError_t status = cudaEventQuery(events[i]);
        if (status == cudaErrorNotReady) {
            cudaGetLastError(); /* else it would be taken for the error of a later launch */
            continue;
        }
        *reached = i;
        return status;
    }
    return cudaErrorNotReady;
}

cudaError_t lb_cuda_wait_any(const cudaEvent_t *events, int count, double patience, const int *stop,
                             int *reached)
{
    double begin = lb_cuda_now(), passed = 0.0;
    cudaError_t status;
    while ((status = query(events, count, reached)) == cudaErrorNotReady) {
        if (passed > patience || lb_stopped(stop))
            break;
        double nap = passed * NAP_PART;
        lb_cuda_sleep(nap < LEAST_NAP ? LEAST_NAP : nap > MOST_NAP ? MOST_NAP : nap);
        passed = lb_cuda_now() - begin;
    }
    return status;
}

cudaError_t lb_cuda_wait(cudaEvent_t event, double patience, const int *stop)
{
    int reached;
    return lb_cuda_wait_any(&event, 1, patience, stop, &reached);
}
