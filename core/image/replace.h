/* A file that is written beside its final place and appears there by rename. For the writers of this folder. */
#ifndef LB_CORE_IMAGE_REPLACE_H
#define LB_CORE_IMAGE_REPLACE_H

#include "core/base/error.h"

#include <stddef.h>

struct lb_replacement {
    int file;
    char *final,
        *temporary; /* temporary: NULL when what is at the path is no regular file and is written to itself */
    const char *path; /* as given; starts the messages */
};

/* After a failed start or write nothing is left to do, and no temporary file is left behind. */
enum lb_status lb_replace_start(struct lb_replacement *replacement, const char *path, struct lb_error *error);
enum lb_status lb_replace_write(struct lb_replacement *replacement, const void *data, size_t size,
                                struct lb_error *error);
enum lb_status lb_replace_end(struct lb_replacement *replacement, struct lb_error *error);
void lb_replace_abandon(struct lb_replacement *replacement);

#endif
