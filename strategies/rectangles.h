/* Rectangles that lie end to end in an order: the store of all strategies that cut a picture into such. */
#ifndef LB_STRATEGIES_RECTANGLES_H
#define LB_STRATEGIES_RECTANGLES_H

#include "core/strategy.h"

/* All zero before the first frame. */
struct lb_rectangles {
    lb_rectangle *all; /* none is empty */
    uint32_t count;
    size_t capacity;
    uint64_t end; /* positions in all */
};

/* Empties it and makes room for `most` of them. */
enum lb_status lb_rectangles_start(struct lb_rectangles *rectangles, size_t most, struct lb_error *error);
/* Lays one behind those that are there, without its `begin`, and returns its first position; an empty one has none. */
uint64_t lb_rectangles_add(struct lb_rectangles *rectangles, lb_rectangle area);
/* The order of the plan's picture, which they cover; it holds until the next lb_rectangles_start. */
lb_order lb_rectangles_order(const struct lb_rectangles *rectangles, const struct lb_plan *plan);
void lb_rectangles_free(struct lb_rectangles *rectangles);

#endif
