/* A whole file in memory. */
#ifndef LB_CORE_BASE_FILE_H
#define LB_CORE_BASE_FILE_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lb_file {
    uint8_t *data; /* never NULL once read, whatever the size */
    size_t size;
    bool is_regular; /* else device and inode mean nothing */
    dev_t device;
    ino_t inode;
};

/* Reads a regular file of at most `most` bytes. It is read, not mapped, since a mapped file that another program cuts
 * short ends whoever looks at it: here that is an error. Pipes and devices are refused without a wait. Messages begin
 * with `path`. */
enum lb_status lb_file_read(const char *path, size_t most, struct lb_file *file, struct lb_error *error);
/* The same, but of a pipe, a socket or a terminal too, which it waits for; "-" is standard input. Messages begin with
 * `name`. */
enum lb_status lb_file_read_stream(const char *path, const char *name, size_t most, struct lb_file *file,
                                   struct lb_error *error);
/* Freeing twice, or freeing a zeroed struct, does nothing. */
void lb_file_free(struct lb_file *file);

#endif
