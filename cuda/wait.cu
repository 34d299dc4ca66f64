#include "cuda/wait.cuh"

#include <ctime>

/* Seconds. Naps grow with the time that has passed, so that waiting costs little of it and little of a CPU: 1/16 of the
 * wait is lost at most, and never more than the longest nap, while the device has its next launch queued already. */
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

cudaError_t lb_cuda_wait(cudaEvent_t event, double patience)
{
    double begin = lb_cuda_now(), passed = 0.0;
    cudaError_t status;
    while ((status = cudaEventQuery(event)) == cudaErrorNotReady) {
        cudaGetLastError(); /* it is an error to those who ask after a launch */
        if (passed > patience)
            break;
        double nap = passed * NAP_PART;
        lb_cuda_sleep(nap < LEAST_NAP ? LEAST_NAP : nap > MOST_NAP ? MOST_NAP : nap);
        passed = lb_cuda_now() - begin;
    }
    return status;
}
