#include "core/base/grow.h"

#include <stdint.h>
#include <stdlib.h>

void *lb_grow(void *array, size_t *capacity, size_t least, size_t size)
{
    enum { FIRST = 16 };
    if (array && least <= *capacity)
        return array;
    size_t larger = *capacity <= SIZE_MAX / 2 ? *capacity + *capacity / 2 : *capacity;
    if (larger < FIRST)
        larger = FIRST;
    if (larger < least)
        larger = least;
    if (larger > SIZE_MAX / size)
        return NULL;
    void *moved = realloc(array, larger * size);
    if (moved)
        *capacity = larger;
    return moved;
}
