/* The text of a scene file. */
#ifndef LB_CORE_LANGUAGE_SOURCE_H
#define LB_CORE_LANGUAGE_SOURCE_H

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/gzip.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct lb_source {
    const char *text; /* in one of the two that follow; ended by no 0 */
    size_t length;
    struct lb_file file;
    struct lb_gzip unpacked;
    bool is_file; /* else device and inode mean nothing */
    dev_t device;
    ino_t inode;
};

/* Reads all of `path`, and unpacks what starts like gzip. Of the main file, `path` may be a pipe and "-" is standard
 * input. `name` is the file in messages. On an error there is nothing to free. */
enum lb_status lb_source_read(const char *path, const char *name, bool main, struct lb_source *source,
                              struct lb_error *error);
void lb_source_free(struct lb_source *source);

#endif
