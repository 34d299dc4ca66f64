/* The text of a scene file. */
#ifndef LB_CORE_LANGUAGE_SOURCE_H
#define LB_CORE_LANGUAGE_SOURCE_H

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/gzip.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The text, and what it takes to know the file again. */
struct lb_source {
    const char *text; /* points into one of the two that follow; no 0 ends it */
    size_t length;
    struct lb_file file;
    struct lb_gzip unpacked;
    bool is_file; /* is it a regular file, which device and inode identify? */
    dev_t device;
    ino_t inode;
};

/* Reads all of the file `path`, and unpacks it where it begins like gzip. Only of the main file may `path` be a pipe,
 * or "-" for standard input. Messages call the file `name`. After an error there is nothing to free. */
enum lb_status lb_source_read(const char *path, const char *name, bool main, struct lb_source *source,
                              struct lb_error *error);
/* Frees the text. */
void lb_source_free(struct lb_source *source);

#endif
