/* Which worker gets the scene from which other one. However many hosts there are, the primary's link carries two copies
 * at most: workers pass on what they have while the rest still comes. Up to 16 of them stand in one chain, which costs
 * the time of one copy. The next 16 stand in a second one, so that each chain gets half of the primary's link. As a
 * worker then gets the scene at half the speed of its link, it can pass it on to two others at that speed, so that all
 * further workers make the two chains into trees. */
#ifndef LB_HOSTS_PRIMARY_CHAIN_H
#define LB_HOSTS_PRIMARY_CHAIN_H

#include "hosts/primary/primary.h"

/* Chooses from whom the worker in this place gets the scene, and writes the address where that other worker gives it
 * into `address`, which has `size` bytes; an empty text: the primary gives it. To be called under the primary's
 * lock. */
void lb_chain_join(struct lb_primary *primary, struct lb_place *place, char *address, size_t size);
/* The worker asked the primary for bytes that another worker was to give it. So that other one is named to nobody any
 * more. To be called under the primary's lock. */
void lb_chain_broke(struct lb_primary *primary, struct lb_place *place);

#endif
