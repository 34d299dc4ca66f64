#include "core/language/list.h"

#include <stdlib.h>
#include <string.h>

void *lb_list_add(struct lb_list *list)
{
    if (list->count == list->capacity) {
        size_t larger = list->capacity ? list->capacity * 2 : 16;
        void *items = reallocarray(list->items, larger, list->size);
        if (!items)
            return NULL;
        list->items = items;
        list->capacity = larger;
    }
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

/* FNV-1a. */
static size_t hash(const char *text)
{
    uint64_t sum = 14695981039346656037u;
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 1099511628211u;
    return (size_t)(sum ^ sum >> 32);
}

/* Where the name is, or else where it belongs. The table is never full. */
static struct lb_name *slot(const struct lb_names *names, const char *text)
{
    size_t at = hash(text) & (names->capacity - 1);
    while (names->slots[at].text && strcmp(names->slots[at].text, text) != 0)
        at = (at + 1) & (names->capacity - 1);
    return &names->slots[at];
}

uint32_t lb_names_find(const struct lb_names *names, const char *text)
{
    const struct lb_name *name = names->capacity ? slot(names, text) : NULL;
    return name && name->text ? name->index : UINT32_MAX;
}

static bool grow(struct lb_names *names)
{
    struct lb_names larger = {.capacity = names->capacity ? names->capacity * 2 : 32, .count = names->count};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < names->capacity; i++)
        if (names->slots[i].text)
            *slot(&larger, names->slots[i].text) = names->slots[i];
    free(names->slots);
    *names = larger;
    return true;
}

bool lb_names_add(struct lb_names *names, const char *text, uint32_t index)
{
    if (2 * names->count >= names->capacity && !grow(names))
        return false;
    *slot(names, text) = (struct lb_name){.text = text, .index = index};
    names->count++;
    return true;
}

void lb_names_free(struct lb_names *names)
{
    free(names->slots);
    *names = (struct lb_names){0};
}
