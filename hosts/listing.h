/* What a primary tells to who asks for its processors: its own, and those of each of its workers. */
#ifndef LB_HOSTS_LISTING_H
#define LB_HOSTS_LISTING_H

#include "hosts/primary.h"

/* Answers an ASK, behind which `size` bytes are, of a peer that has a place or has none. Nothing of it is kept. */
void lb_listing_answer(struct lb_primary *primary, const struct lb_peer *peer, const struct lb_message *ask,
                       const void *rest, size_t size);

/* Reads what is behind a LIST into `listed`, which has room for `room` hosts; how many came, or 0: it is no list. The
 * caller frees their processors. */
uint32_t lb_listing_read(const void *rest, size_t size, uint32_t room, struct lb_listed_host *listed);

#endif
