/* Puts the local framebuffers of a frame, which lie end to end, into the order of the picture. */
#ifndef LB_CORE_ASSEMBLE_H
#define LB_CORE_ASSEMBLE_H

#include "core/base/error.h"
#include "core/kernel/order/order.h"

#include <stddef.h>

/* `elements`: order->count of `size` bytes each, in the order's permutation, from malloc(). Returns the picture's
 * width * height, row by row: where the order is its own inverse, in the same place by swaps (book, Listing 10-3). Else
 * a picture of up to LB_ASSEMBLE_ASIDE bytes is put together elsewhere, and the elements are freed. A larger one, or
 * where there is no such memory, is so in the same place, at many times the cost. NULL: out of memory; the elements
 * are as they were. */
void *lb_order_assemble(const lb_order *order, void *elements, size_t size, struct lb_error *error);

#define LB_ASSEMBLE_ASIDE ((size_t)256 << 20)

/* Does the same along the cycles of the order's permutation, with no more memory than a bit for each position. */
enum lb_status lb_order_assemble_in_place(const lb_order *order, void *elements, size_t size,
                                          struct lb_error *error);

#endif
