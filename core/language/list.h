/* Arrays that grow while a file is read. */
#ifndef LB_CORE_LANGUAGE_LIST_H
#define LB_CORE_LANGUAGE_LIST_H

#include "core/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing array. All zero but for `size`, the bytes of one item, it is empty. */
struct lb_list {
    void *items;
    size_t count, capacity, size;
};

/* Adds an item, all zero, at the end and returns it. The pointer is valid until the next call. NULL: there is no memory
 * for it. */
void *lb_list_add(struct lb_list *list);
/* Returns an item, which must be there, valid until the next lb_list_add(). */
void *lb_list_at(const struct lb_list *list, size_t index);
/* Copies the items into the arena, empties the list, which keeps its room, and tells their number. `items` points to a
 * pointer to items of any type: it becomes where they are, NULL for none. False: there is no memory for them. */
bool lb_list_copy(struct lb_list *list, struct lb_arena *arena, void *items, size_t *count);
/* Frees the items. The list is empty then, and may be used again. */
void lb_list_free(struct lb_list *list);

#endif
