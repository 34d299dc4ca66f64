/* Names that stand for numbers: the one hash table of the project. */
#ifndef LB_CORE_BASE_NAMES_H
#define LB_CORE_BASE_NAMES_H

#include "core/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct lb_name {
    const char *text; /* NULL: a free slot */
    uint32_t index;
};

/* Zeroed it is empty. What it holds lives in the arena that it is filled with. Names are the same where their
 * normal form C of Unicode is: an accent may be a letter's part or follow it, as in pbrt. Names that are no
 * UTF-8 are compared byte by byte. */
struct lb_names {
    struct lb_name *slots;
    size_t count, capacity;
};

/* The number of that name; UINT32_MAX where it has none. */
uint32_t lb_names_find(const struct lb_names *names, const char *text);
/* Gives the name a number, in place of the one that it had. UINT32_MAX takes it away. `text` is kept, not
 * copied. False when out of memory. */
bool lb_names_set(struct lb_names *names, struct lb_arena *arena, const char *text, uint32_t index);

#endif
