/* How many files the system lets this process have open at once. */
#ifndef LB_CORE_MACHINE_FILES_H
#define LB_CORE_MACHINE_FILES_H

#include <stdint.h>

/* Lets this process have `count` files open at once, connections included, or as many as the system allows if these are
 * fewer (ulimit -Hn). Returns how many it may have now. */
uint64_t lb_files_allow(uint64_t count);

#endif
