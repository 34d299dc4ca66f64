/* Makes stripes smaller for slow networks. */
#ifndef LB_HOSTS_WIRE_PACK_H
#define LB_HOSTS_WIRE_PACK_H

#include <stdbool.h>
#include <stddef.h>

/* Packs `size` bytes of `from`, at most LB_STRIPE_BYTES (wire/message.h), into `into`, which has room for as many.
 * Returns how many bytes they are then; 0: they became hardly fewer, and are to be sent as they are. */
size_t lb_pack(const void *from, size_t size, void *into);
/* Unpacks `packed` bytes of `from` into `into`, which has room for `size` bytes. False: lb_pack did not make them of
 * `size` bytes. */
bool lb_unpack(const void *from, size_t packed, void *into, size_t size);

#endif
