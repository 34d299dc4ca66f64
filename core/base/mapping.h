/* A whole file as read-only memory. */
#ifndef LB_CORE_BASE_MAPPING_H
#define LB_CORE_BASE_MAPPING_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lb_mapping {
    const uint8_t *data; /* never NULL once opened, whatever the size */
    size_t size;
    bool mapped; /* pages of the file, or memory that was read into */
};

/* Regular files are mapped, anything else (pipes, terminals) is read to its end. Messages begin with `path`.
 */
enum lb_status lb_mapping_open(const char *path, struct lb_mapping *mapping, struct lb_error *error);
/* Closing twice, or closing a zeroed struct, does nothing. */
void lb_mapping_close(struct lb_mapping *mapping);

#endif
