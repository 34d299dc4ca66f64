/* Stripes made smaller for slow networks. */
#ifndef LB_HOSTS_PACK_H
#define LB_HOSTS_PACK_H

#include <stdbool.h>
#include <stddef.h>

/* Writes `size` bytes of `from` packed to `into`, which has room for as many, and returns how many they are then;
 * 0: they are hardly fewer, and are to be sent as they are. At most LB_STRIPE_BYTES (hosts/message.h). */
size_t lb_pack(const void *from, size_t size, void *into);
/* The `size` bytes that lb_pack made `packed` of. False: it made no such. */
bool lb_unpack(const void *from, size_t packed, void *into, size_t size);

#endif
