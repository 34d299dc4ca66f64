/* What a primary tells to whoever asks for its processors: its own, and those of each of its workers. */
#ifndef LB_HOSTS_PRIMARY_LISTING_H
#define LB_HOSTS_PRIMARY_LISTING_H

#include "hosts/primary/primary.h"

/* Answers an ASK message, behind which are `size` bytes, of a peer that may have a place or none. The primary keeps
 * nothing of it. To be called under the primary's lock. */
void lb_listing_answer(struct lb_primary *primary, const struct lb_peer *peer, const struct lb_message *ask,
                       const void *rest, size_t size);

/* Reads the hosts that are behind a LIST message into `listed`, which has room for `room` of them. The caller frees
 * their processors. Returns how many hosts came; 0: the bytes are no list. */
uint32_t lb_listing_read(const void *rest, size_t size, uint32_t room, struct lb_listed_host *listed);

#endif
