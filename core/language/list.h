/* Arrays that grow while a file is read, and names that stand for places in them. */
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

struct lb_name {
    const char *text; /* NULL: a free slot */
    uint32_t index;
};

/* A hash table with open addressing. Zeroed it is empty. */
struct lb_names {
    struct lb_name *slots;
    size_t count, capacity;
};

/* The index of that name, or UINT32_MAX. */
uint32_t lb_names_find(const struct lb_names *names, const char *text);
/* `text`, which is kept and not copied, must not be in the table. False when out of memory. */
bool lb_names_add(struct lb_names *names, const char *text, uint32_t index);
void lb_names_free(struct lb_names *names);

#endif
