/* The places for workers that a primary has, and who is in them. All is under the primary's lock. */
#ifndef LB_HOSTS_PLACE_H
#define LB_HOSTS_PLACE_H

#include "hosts/primary.h"

/* Where the peer is, or NULL. */
struct lb_place *lb_place_find(struct lb_primary *primary, const struct lb_peer *peer);
/* Somebody who is nowhere yet says HELLO: is let in, or refused. */
void lb_place_meet(struct lb_primary *primary, const struct lb_peer *peer, const void *rest, size_t size);
/* Who is of another build is told so. */
void lb_place_refuse_build(struct lb_primary *primary, const struct lb_peer *peer,
                           const struct lb_build *other);
/* Somebody who has a place says HELLO: again, before it had heard that it was let in; or because it has begun anew. */
void lb_place_greet(struct lb_primary *primary, struct lb_place *place, const void *rest, size_t size);
/* The worker is gone, or is not listened to any more; its works are lost. */
void lb_place_vacate(struct lb_primary *primary, struct lb_place *place, const char *why);
/* It does not keep to what was agreed: it is told so, and is not to join again. */
void lb_place_expel(struct lb_primary *primary, struct lb_place *place, const char *why);
/* Sends to who is there; one whose connection broke is gone. */
void lb_place_tell(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message,
                   const void *rest, size_t size);

#endif
