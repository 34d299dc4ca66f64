/* A number that becomes something other than 0 when work is to end before it is done. */
#ifndef LB_CORE_KERNEL_STOP_H
#define LB_CORE_KERNEL_STOP_H

#include "core/kernel/base.h"

/* Has the work been told to stop? With NULL it never is. Another thread or a signal handler may write the number,
 * atomically. Kernels on a GPU are not stopped: the host launches no more of them. */
LB_INLINE bool lb_stopped(const int *stop)
{
#ifdef __CUDA_ARCH__
    (void)stop;
    return false;
#else
    return stop && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0;
#endif
}

#endif
