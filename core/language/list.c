#include "core/language/list.h"

#include "core/base/grow.h"

#include <stdlib.h>
#include <string.h>

void *lb_list_add(struct lb_list *list)
{
    void *items = lb_grow(list->items, &list->capacity, list->count + 1, list->size);
    if (!items)
        return NULL;
    list->items = items;
    return memset(lb_list_at(list, list->count++), 0, list->size);
}

void *lb_list_at(const struct lb_list *list, size_t index)
{
    return (char *)list->items + index * list->size;
}

bool lb_list_copy(struct lb_list *list, struct lb_arena *arena, void *items, size_t *count)
{
    void *copy = NULL;
    if (list->count > 0) {
        copy = lb_arena_alloc(arena, list->count, list->size);
        if (!copy)
            return false;
        memcpy(copy, list->items, list->count * list->size);
    }
    memcpy(items, &copy, sizeof copy);
    *count = list->count;
    list->count = 0;
    return true;
}

void lb_list_free(struct lb_list *list)
{
    free(list->items);
    list->items = NULL;
    list->count = list->capacity = 0;
}
