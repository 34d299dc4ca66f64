/* Where a worker gives its scene to other workers. All belongs to the thread that owns the sockets. */
#ifndef LB_HOSTS_PEERS_H
#define LB_HOSTS_PEERS_H

#include "hosts/link.h"

struct lb_block;

/* A worker that waits for bytes that have not come here yet is answered when they have. */
enum { LB_WANTS_KEPT = 256 };

struct lb_peers {
    struct lb_link link;
    uint32_t port; /* 0: it gives nothing */
    struct {
        struct lb_peer peer;
        struct lb_message want;
    } wants[LB_WANTS_KEPT];
    uint32_t count;
};

/* Listens for others: for holders of `key` alone; without one (NULL) on the loopback alone where the primary, which is
 * at `address`, is there too, or, where `insecure`, for anybody. Where it may not or cannot, nobody is given
 * anything. */
void lb_peers_open(struct lb_peers *peers, const char *address, const struct lb_key *key, bool insecure);
void lb_peers_close(struct lb_peers *peers);
/* Takes what others want, and gives them what of it the block has by now. */
void lb_peers_serve(struct lb_peers *peers, const struct lb_block *block);

#endif
