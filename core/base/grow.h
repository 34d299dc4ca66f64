/* Arrays that grow: the one rule by which they get room. */
#ifndef LB_CORE_BASE_GROW_H
#define LB_CORE_BASE_GROW_H

#include <stddef.h>

/* Room for at least `least` elements of `size` bytes in `array`, which comes from malloc() and has room for *capacity
 * of them, or is NULL with a capacity of 0. Where that suffices it is returned as it is; else it moves, and its
 * capacity grows by at least half, so that adding elements one by one takes time in proportion to their number.
 * NULL: out of memory, or more bytes than there can be; array and *capacity then stay as they were. */
void *lb_grow(void *array, size_t *capacity, size_t least, size_t size);

#endif
