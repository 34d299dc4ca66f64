#include "core/model/import_names.h"

#include <stdlib.h>
#include <string.h>

bool lb_model_add_name(struct lb_model_names *names, const char *name, void *thing)
{
    if (names->count == names->room) {
        size_t room = names->room ? 2 * names->room : 64;
        struct lb_model_named *list = realloc(names->list, room * sizeof *list);
        if (!list)
            return false;
        names->list = list;
        names->room = room;
    }
    names->list[names->count] = (struct lb_model_named){name, names->count, thing};
    names->count++;
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct lb_model_named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

void lb_model_sort_names(struct lb_model_names *names)
{
    if (names->count > 1)
        qsort(names->list, names->count, sizeof *names->list, compare);
}

size_t lb_model_first_named(const struct lb_model_names *names, const char *name)
{
    size_t low = 0, high = names->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(names->list[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < names->count && !strcmp(names->list[low].name, name) ? low : names->count;
}
