/* Reading and writing all of what may come or go in several calls of the system. */
#ifndef LB_CORE_BASE_BYTES_H
#define LB_CORE_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads `size` bytes, or fewer where the file ends before. Returns how many; -1: errno says why. */
ssize_t lb_bytes_read(int descriptor, void *bytes, size_t size);
/* Writes `size` bytes. False: errno says why, and some may be written. */
bool lb_bytes_write(int descriptor, const void *bytes, size_t size);

#endif
