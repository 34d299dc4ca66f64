/* Threads as all processors have them. */
#ifndef LB_CORE_MACHINE_THREADS_H
#define LB_CORE_MACHINE_THREADS_H

#include <pthread.h>

/* Makes a thread of a small stack, which renders in it. 0, or an error number as pthread_create() gives it. */
int lb_thread_make(pthread_t *thread, void *(*run)(void *), void *argument);

#endif
