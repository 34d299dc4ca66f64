/* What programs that measure a part have in common. */
#ifndef LB_BENCH_TIMING_H
#define LB_BENCH_TIMING_H

#include <time.h>

/* Seconds by one of the system's clocks. */
static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* For qsort: seconds, rising. */
static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
