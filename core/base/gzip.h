/* Gzip files in memory: what is in them, without trusting the sizes that they claim. */
#ifndef LB_CORE_BASE_GZIP_H
#define LB_CORE_BASE_GZIP_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool lb_gzip_is(const uint8_t *data, size_t size); /* by its first bytes */

/* The first bytes of what is packed, at most `capacity` of them; how many there are. Fewer when the stream
 * ends or is damaged: lb_gzip_expand() then says so. */
size_t lb_gzip_start(const uint8_t *data, size_t size, uint8_t *out, size_t capacity);

/* Pages of their own, given back to the system by lb_gzip_free. */
struct lb_gzip {
    uint8_t *data;
    size_t size, capacity;
};

/* All members, their checksums compared. An error when there is more than `limit` in them; the memory that is
 * touched never exceeds what was really packed. Messages begin with `path`. */
enum lb_status lb_gzip_expand(const char *path, const uint8_t *data, size_t size, size_t limit,
                              struct lb_gzip *expanded, struct lb_error *error);
void lb_gzip_free(struct lb_gzip *expanded);

#endif
