#include "core/base/names.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* FNV-1a. */
static size_t hash(const char *text)
{
    uint64_t sum = 14695981039346656037u;
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 1099511628211u;
    return (size_t)(sum ^ sum >> 32);
}

/* The name in normal form, to be freed. NULL where it is in that form already, as all of ASCII is, or is no UTF-8. */
static char *normal_form(const char *text)
{
    const char *at = text;
    while (*at && !(*at & 0x80))
        at++;
    return *at ? (char *)utf8proc_NFC((const utf8proc_uint8_t *)text) : NULL;
}

/* The slot of the name, or else the free one that it belongs in. There is always a free one. */
static struct lb_name *slot(const struct lb_names *names, const char *normal)
{
    size_t at = hash(normal) & (names->capacity - 1);
    while (names->slots[at].text && strcmp(names->slots[at].text, normal) != 0)
        at = (at + 1) & (names->capacity - 1);
    return &names->slots[at];
}

uint32_t lb_names_find(const struct lb_names *names, const char *text)
{
    if (names->count == 0)
        return UINT32_MAX;
    char *normal = normal_form(text);
    const struct lb_name *name = slot(names, normal ? normal : text);
    free(normal);
    return name->text ? name->index : UINT32_MAX;
}

/* Moves the names to a table of twice the size. The old slots stay in the arena: all old ones together take as much
 * memory as the new ones. */
static bool grow(struct lb_names *names, struct lb_arena *arena)
{
    struct lb_names larger = {.capacity = names->capacity ? names->capacity * 2 : 32, .count = names->count};
    larger.slots = lb_arena_alloc(arena, larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < names->capacity; i++)
        if (names->slots[i].text)
            *slot(&larger, names->slots[i].text) = names->slots[i];
    *names = larger;
    return true;
}

bool lb_names_set(struct lb_names *names, struct lb_arena *arena, const char *text, uint32_t index)
{
    if (2 * names->count >= names->capacity && !grow(names, arena))
        return false;
    char *normal = normal_form(text);
    const char *kept = normal ? lb_arena_text(arena, normal, strlen(normal)) : text;
    free(normal);
    if (!kept)
        return false;
    struct lb_name *name = slot(names, kept);
    if (!name->text) {
        name->text = kept;
        names->count++;
    }
    name->index = index;
    return true;
}
