#include "strategies/rectangles.h"

#include <stdlib.h>

enum lb_status lb_rectangles_start(struct lb_rectangles *rectangles, size_t most, struct lb_error *error)
{
    if (most > rectangles->capacity) {
        lb_rectangles_free(rectangles);
        rectangles->all = calloc(most, sizeof *rectangles->all);
        if (rectangles->all == NULL)
            return lb_error_memory(error, NULL);
        rectangles->capacity = most;
    }
    rectangles->count = 0;
    rectangles->end = 0;
    return LB_OK;
}

uint64_t lb_rectangles_add(struct lb_rectangles *rectangles, lb_rectangle area)
{
    uint64_t pixels = (uint64_t)area.width * area.height;
    area.begin = rectangles->end;
    if (pixels > 0)
        rectangles->all[rectangles->count++] = area;
    rectangles->end += pixels;
    return area.begin;
}

lb_order lb_rectangles_order(const struct lb_rectangles *rectangles, const struct lb_plan *plan)
{
    return lb_order_rectangles(plan->width, plan->height, rectangles->all, rectangles->count);
}

void lb_rectangles_free(struct lb_rectangles *rectangles)
{
    free(rectangles->all);
    *rectangles = (struct lb_rectangles){0};
}
