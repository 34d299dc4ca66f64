/* Memory that is released as a whole, as that of a scene or of a frame. Nothing in an arena is freed by itself. */
#ifndef LB_CORE_BASE_ARENA_H
#define LB_CORE_BASE_ARENA_H

#include <stddef.h>

struct lb_arena_chunk;
struct lb_arena {
    struct lb_arena_chunk *chunks; /* newest first */
};

/* A zeroed struct lb_arena is an empty arena. Not for use by several threads at once. */

/* `count * size` bytes, zeroed, 64-byte aligned when 64 bytes or more, else 16. NULL when the product overflows or
 * there is no memory. */
void *lb_arena_alloc(struct lb_arena *arena, size_t count, size_t size);
char *lb_arena_text(struct lb_arena *arena, const char *text, size_t length); /* copy, with a 0 at its end */
char *lb_arena_format(struct lb_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lb_arena_free(struct lb_arena *arena); /* frees all; the arena is empty and can be used again */

#endif
