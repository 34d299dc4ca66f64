/* The works that workers have: how they are sent, and what comes back of them. All is under the primary's lock. */
#ifndef LB_HOSTS_DELIVERY_H
#define LB_HOSTS_DELIVERY_H

#include "hosts/primary.h"

/* Sends what is to be sent to the place's worker: new jobs, and the word to stop. */
void lb_delivery_send(struct lb_primary *primary, struct lb_place *place);
/* A PIXELS came; `size` bytes are behind it. */
void lb_delivery_pixels(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message,
                        const char *rest, size_t size);
/* A DONE came; `size` bytes are behind it. */
void lb_delivery_done(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message,
                      const void *rest, size_t size);

/* Has the worker something in hand, and has delivered nothing of it for `due` seconds, and for many times as long as
 * it ever took before? Then it hangs, or is as good as gone. */
bool lb_delivery_is_late(const struct lb_host_jobs *jobs, double due);
/* Seconds that the worker still needs for what it has in hand, by its speed so far; negative: not known. */
double lb_delivery_left(const struct lb_host_jobs *jobs);

#endif
