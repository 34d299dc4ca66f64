/* The places for workers that a primary has, and who is in them. All of these functions are called under the primary's
 * lock. */
#ifndef LB_HOSTS_PRIMARY_PLACE_H
#define LB_HOSTS_PRIMARY_PLACE_H

#include "hosts/primary/primary.h"

/* The place that the peer has; NULL: it has none. */
struct lb_place *lb_place_find(struct lb_primary *primary, const struct lb_peer *peer);
/* Somebody who has no place says HELLO, behind which are `size` bytes at `rest`: it is let in, or refused. */
void lb_place_meet(struct lb_primary *primary, const struct lb_peer *peer, const void *rest, size_t size);
/* Tells a peer that it is of another build than this program. */
void lb_place_refuse_build(struct lb_primary *primary, const struct lb_peer *peer,
                           const struct lb_build *other);
/* Somebody who has a place says HELLO: once more, because it had not heard yet that it was let in, or because it has
 * begun anew and lost what it had in hand. */
void lb_place_greet(struct lb_primary *primary, struct lb_place *place, const void *rest, size_t size);
/* Empties the place: its worker is gone, or is not listened to any more, because of `why`. The works that it had are
 * lost. */
void lb_place_vacate(struct lb_primary *primary, struct lb_place *place, const char *why);
/* May strangers be given so many answers more before the next sign of life is sent? Whoever asks without end may never
 * read, and the answers would fill the memory. */
bool lb_place_may_answer(struct lb_primary *primary, uint32_t answers);
/* Empties the place of a worker that does not do what was agreed, and tells it `why`, so that it does not come back.
 * Where it does, it is let in after a time of its own (hosts/primary/expelled.h). */
void lb_place_expel(struct lb_primary *primary, struct lb_place *place, const char *why);
/* Sends a message to the place's worker, if there is one. Where its connection broke, the place is emptied. */
void lb_place_tell(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message,
                   const void *rest, size_t size);

/* True where the worker renders the scene that the primary offers. */
bool lb_place_is_ready(const struct lb_primary *primary, const struct lb_place *place);
/* Notes at the time `now` what a worker's sign of life says of the scene that it is to get: how many bytes it has read
 * from its disk or received. */
void lb_place_note_progress(const struct lb_primary *primary, struct lb_place *place,
                            const struct lb_message *alive, double now);
/* True where the worker was told of the scene, does not have it at the time `now`, and got no further with it for the
 * seconds of `due`. */
bool lb_place_is_stuck(const struct lb_primary *primary, const struct lb_place *place, double now);

#endif
