#include "core/machine/clock.h"

#include <errno.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double lb_clock_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double lb_clock_thread_cpu(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void lb_clock_sleep_until(double seconds)
{
    /* Nobody waits for longer than a year, and a year fits any time_t. */
    double limit = lb_clock_now() + 3.2e7;
    if (!(seconds < limit))
        seconds = limit;
    struct timespec until;
    until.tv_sec = (time_t)seconds;
    until.tv_nsec = (long)((seconds - (double)until.tv_sec) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        continue;
}
