/* Workers that were expelled, and when each may come back: after a time of its own, which doubles when it is expelled
 * again. Without it a worker that takes work and does none would cost the seconds of --due in each round. */
#ifndef LB_HOSTS_PRIMARY_EXPELLED_H
#define LB_HOSTS_PRIMARY_EXPELLED_H

#include "hosts/wire/link.h"

/* How many are remembered; of more the one that may come back first is forgotten. */
enum { LB_EXPELLED_KEPT = 64 };

struct lb_expelled {
    struct lb_peer peer; /* its connection, */
    uint64_t program;    /* and the number of its program; 0: it has none */
    double until;        /* the time from which on it is let in */
    double pause;        /* the seconds that it was kept out; 0: the entry is free */
};

/* Notes at the time `now` that a worker was expelled. `all` has LB_EXPELLED_KEPT entries, all zero at first. Returns
 * the seconds for which it is kept out. */
double lb_expelled_note(struct lb_expelled *all, const struct lb_peer *peer, uint64_t program, double now);
/* Is the worker to be kept out at the time `now`? */
bool lb_expelled_waits(const struct lb_expelled *all, const struct lb_peer *peer, uint64_t program,
                       double now);

#endif
