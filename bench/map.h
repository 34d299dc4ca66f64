/* A cost map for the programs here. */
#ifndef LB_BENCH_MAP_H
#define LB_BENCH_MAP_H

#include "core/image/image.h"
#include "core/strategy.h"

#include <stdlib.h>

/* The first channel of a PFM, rows from the top; false, and a message, where it cannot be read. cost is the caller's to
 * free. */
static inline bool map_read(const char *path, struct lb_estimate *map, struct lb_error *error)
{
    struct lb_picture picture = {0};
    if (lb_picture_read(path, &picture, error) != LB_OK)
        return false;
    size_t count = (size_t)picture.width * picture.height;
    float *cost = picture.floats == NULL ? NULL : malloc(count * sizeof *cost);
    for (size_t i = 0; cost != NULL && i < count; i++)
        cost[i] = picture.floats[i * picture.channels];
    *map = (struct lb_estimate){picture.width, picture.height, cost};
    lb_picture_free(&picture);
    return cost != NULL || lb_error_set(error, LB_ERROR, "%s: no cost map", path) == LB_OK;
}

#endif
