/* Which worker gets the scene from which other one, so that the primary's link carries it a few times however many
 * hosts there are: workers stand in chains, and each passes on what it has while the rest still comes. */
#ifndef LB_HOSTS_CHAIN_H
#define LB_HOSTS_CHAIN_H

#include "hosts/primary.h"

/* Puts a worker that is to get the scene behind another one, and writes where that one gives it into `address` (of
 * `size` bytes); "": it gets it from the primary. Under the primary's lock. */
void lb_chain_join(struct lb_primary *primary, struct lb_place *place, char *address, size_t size);
/* The worker asks the primary for bytes that another one was to give it: that one is named to nobody any more. */
void lb_chain_broke(struct lb_primary *primary, struct lb_place *place);

#endif
