/* Arrays that grow while a file is read. */
#ifndef LB_CORE_LANGUAGE_LIST_H
#define LB_CORE_LANGUAGE_LIST_H

#include "core/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed but for `size`, the bytes of an item, it is an empty list. */
struct lb_list {
    void *items;
    size_t count, capacity, size;
};

/* A new zeroed item at the end, valid until the next call; NULL when out of memory. */
void *lb_list_add(struct lb_list *list);
void *lb_list_at(const struct lb_list *list, size_t index);
/* Copies the items into the arena (*items: where they are then; NULL when there are none) and empties the
 * list, which keeps its room for the next ones. False when out of memory. `items` points to a pointer to any
 * type. */
bool lb_list_copy(struct lb_list *list, struct lb_arena *arena, void *items, size_t *count);
void lb_list_free(struct lb_list *list);

#endif
