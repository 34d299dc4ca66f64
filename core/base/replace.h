/* A file that is written beside its final place, without a name where the file system can do that, and appears
 * there whole. For all that write files, and for who asks before the work whether there will be something to write
 * to. */
#ifndef LB_CORE_BASE_REPLACE_H
#define LB_CORE_BASE_REPLACE_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lb_replacement {
    int file;
    char *final;      /* NULL: what is at the path is no regular file and is written to itself */
    char *temporary;  /* NULL: the file has no name yet */
    const char *path; /* as given; starts the messages */
};

/* Bytes that appear at `path` whole, by rename, or not at all. */
enum lb_status lb_file_replace(const char *path, const void *data, size_t size, struct lb_error *error);

/* The same in pieces. Here as there the path "-" is standard output. After a failed start or write nothing is left to
 * do, and no temporary file is left behind. */
enum lb_status lb_replace_start(struct lb_replacement *replacement, const char *path, struct lb_error *error);
enum lb_status lb_replace_write(struct lb_replacement *replacement, const void *data, size_t size,
                                struct lb_error *error);
/* The file is on the disk, under its name, when this returns LB_OK. */
enum lb_status lb_replace_end(struct lb_replacement *replacement, struct lb_error *error);
void lb_replace_abandon(struct lb_replacement *replacement);

/* Is there room for `size` bytes more at `path`? Takes them for a moment, where the file system can do that, and leaves
 * nothing. Of what is written to itself it asks only whether it can be opened, and keeps a pipe open for good. */
enum lb_status lb_replace_try(const char *path, uint64_t size, struct lb_error *error);

/* The file that writing to `path` makes or replaces: symbolic links at the end of it are followed, also to what is
 * not there. The caller's to free; NULL: errno says why. */
char *lb_replace_target(const char *path);
/* Is what such a target names written to itself, and never replaced? It is open elsewhere, or no regular file. */
bool lb_replace_keeps(const char *target);
/* Removes temporary files from the folder of `path` whose writers ended without removing them, as after SIGKILL. */
void lb_replace_sweep(const char *path);

#endif
