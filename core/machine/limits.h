/* How many open files and how much stack the system lets this process have. */
#ifndef LB_CORE_MACHINE_LIMITS_H
#define LB_CORE_MACHINE_LIMITS_H

#include <stdint.h>

/* Lets this process have `count` files open at once, connections included, or as many as the system allows if these are
 * fewer (ulimit -Hn). Returns how many it may have now. */
uint64_t lb_files_allow(uint64_t count);
/* The same for `bytes` of the first thread's stack (ulimit -Hs). */
uint64_t lb_stack_allow(uint64_t bytes);

#endif
