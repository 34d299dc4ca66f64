/* From the local framebuffers of a frame, laid end to end, to the picture. */
#ifndef LB_CORE_ASSEMBLE_H
#define LB_CORE_ASSEMBLE_H

#include "core/base/error.h"
#include "core/kernel/order.h"

#include <stddef.h>

/* `elements`: order->count of `size` bytes each, in the order's permutation. Afterwards the first width *
 * height are the picture's, row by row; what follows is undefined. In place: by swaps where the order is its
 * own inverse (book, Listing 10-3), else along its cycles with a bit a position. */
enum lb_status lb_order_assemble(const lb_order *order, void *elements, size_t size, struct lb_error *error);

#endif
