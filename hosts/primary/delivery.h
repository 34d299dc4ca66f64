/* The works that a worker has in hand: how they are sent to it, and what comes back of them. All of these functions are
 * called under the primary's lock. */
#ifndef LB_HOSTS_PRIMARY_DELIVERY_H
#define LB_HOSTS_PRIMARY_DELIVERY_H

#include "hosts/primary/primary.h"

/* Sends the place's worker the jobs that it was given and does not have yet, and the word to stop where that is
 * wanted. */
void lb_delivery_send(struct lb_primary *primary, struct lb_place *place);
/* Takes a PIXELS message, behind which are `size` bytes at `rest`. */
void lb_delivery_pixels(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message,
                        const char *rest, size_t size);
/* Takes a DONE message, behind which are `size` bytes at `rest`. */
void lb_delivery_done(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message,
                      const void *rest, size_t size);

/* True where a worker has something in hand and has delivered nothing of it for `due` seconds, and for 8 times as long
 * as it ever took before. It hangs then, or is as good as gone. */
bool lb_delivery_is_late(const struct lb_host_jobs *jobs, double due);
/* The seconds that the worker still needs for what it has in hand, by its speed so far; negative: that is not
 * known. What waits behind a work that is late is not taken to be done. */
double lb_delivery_left(const struct lb_host_jobs *jobs);

#endif
