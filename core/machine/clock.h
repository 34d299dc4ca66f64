/* Time, for whoever runs things; strategies never see a clock. */
#ifndef LB_CORE_MACHINE_CLOCK_H
#define LB_CORE_MACHINE_CLOCK_H

double lb_clock_now(void);        /* seconds of CLOCK_MONOTONIC */
double lb_clock_thread_cpu(void); /* CPU seconds of the calling thread, CLOCK_THREAD_CPUTIME_ID */
/* Sleeps until CLOCK_MONOTONIC reads `seconds`; at once when that is past. */
void lb_clock_sleep_until(double seconds);

#endif
