/* Waiting for a condition, but not for ever. Times are those of lb_clock_now(), so that nobody waits longer where the
 * machine's clock of the day is set. */
#ifndef LB_CORE_MACHINE_TIMED_WAIT_H
#define LB_CORE_MACHINE_TIMED_WAIT_H

#include <pthread.h>
#include <stdbool.h>

/* Makes a condition for lb_timed_wait(). It ends by pthread_cond_destroy(). */
void lb_timed_open(pthread_cond_t *condition);
/* Waits as pthread_cond_wait() does, but at most until the time `until`. False: that time has come. */
bool lb_timed_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double until);

#endif
