/* Where a worker passes its scene on to other workers. All of it belongs to the thread that owns the sockets. */
#ifndef LB_HOSTS_WORKER_PEERS_H
#define LB_HOSTS_WORKER_PEERS_H

#include "hosts/wire/link.h"

struct lb_block;

/* How many questions for bytes that are not here yet a worker keeps; it answers them when it has the bytes. */
enum { LB_WANTS_KEPT = 256 };

struct lb_peers {
    struct lb_link link;
    uint32_t port; /* where it listens; 0: it gives nothing to anybody */
    struct {
        struct lb_peer peer;
        struct lb_message want;
    } wants[LB_WANTS_KEPT];
    uint32_t count; /* how many of the wants are waiting */
    double told;    /* when those who wait were last told that this worker lives */
};

/* Listens for other workers. With a key it gives to the key's holders alone. Without one (NULL) it gives to anybody on
 * the loopback, where the primary at `address` is there, too; and over any network where `insecure` allows that. Where
 * none of this holds, or the system gives no socket, nobody is given anything. */
void lb_peers_open(struct lb_peers *peers, const char *address, const struct lb_key *key, bool insecure);
void lb_peers_close(struct lb_peers *peers);
/* Takes other workers' questions, answers those for bytes that the block has by now, and tells those who still wait
 * that this worker lives. `now` is lb_clock_now(). */
void lb_peers_serve(struct lb_peers *peers, const struct lb_block *block, double now);

#endif
