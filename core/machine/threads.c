#include "core/machine/threads.h"

/* The kernel's stack use is small; a fixed size keeps 4096 threads possible. */
enum { STACK_BYTES = 1 << 20 };

int lb_thread_make(pthread_t *thread, void *(*run)(void *), void *argument)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int failure = pthread_create(thread, &attributes, run, argument);
    pthread_attr_destroy(&attributes);
    return failure;
}
