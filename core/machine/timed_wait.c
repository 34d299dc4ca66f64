#include "core/machine/timed_wait.h"

#include <errno.h>
#include <math.h>
#include <time.h>

void lb_timed_open(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool lb_timed_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double until)
{
    double whole = floor(until);
    struct timespec time = {(time_t)whole, (long)((until - whole) * 1e9)};
    return pthread_cond_timedwait(condition, lock, &time) != ETIMEDOUT;
}
