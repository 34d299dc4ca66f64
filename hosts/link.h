/* The sockets of primary and workers: ZeroMQ's ROUTER and DEALER, which keep messages whole and in order, connect again
 * by themselves, and never block here. */
#ifndef LB_HOSTS_LINK_H
#define LB_HOSTS_LINK_H

#include "core/base/error.h"
#include "hosts/key.h"
#include "hosts/message.h"

#include <zmq.h>

struct lb_link {
    void *context, *socket;
    bool router;
    void *guard;                /* whom libzmq asks who may connect; NULL: everybody may */
    char admitted[LB_KEY_TEXT]; /* the public key of those who may */
    int wake; /* an eventfd: another thread has something for the one that owns the socket */
};

/* A peer of a ROUTER: the name that ZeroMQ gave its connection, and the host that it comes from, as the network has it
 * ("10.0.0.7"). Of a DEALER, size is 0. */
struct lb_peer {
    size_t size;
    unsigned char name[32];
    char host[64];
};

/* `type`: ZMQ_ROUTER, ZMQ_DEALER. Who sends a message of more than `longest` bytes is cut off. */
enum lb_status lb_link_open(struct lb_link *link, int type, int64_t longest, struct lb_error *error);
void lb_link_close(struct lb_link *link);
/* Closes it at once: what was sent and not yet carried is not waited for. */
void lb_link_drop(struct lb_link *link);

/* Before it listens: only workers that hold the key may connect, and all that is said is encrypted. */
enum lb_status lb_link_guard(struct lb_link *link, const struct lb_key *key, struct lb_error *error);
/* Before it connects: it proves that it holds the key, and talks to a primary alone that does so too. */
enum lb_status lb_link_unlock(struct lb_link *link, const struct lb_key *key, struct lb_error *error);
/* Lets those in that have asked since and may. */
void lb_link_admit(struct lb_link *link);

/* False: the peer is gone. `rest` of `size` bytes goes behind the message. */
bool lb_link_send(struct lb_link *link, const struct lb_peer *peer, const struct lb_message *message,
                  const void *rest, size_t size);
/* Answers a WANT of a peer with the bytes from `from` on, packed where it wants that and they become fewer. How many
 * bytes the message has; 0: the peer is gone. */
size_t lb_stripe_send(struct lb_link *link, const struct lb_peer *peer, const struct lb_message *want,
                      const void *from);
/* The next message that came, whose frame the caller closes; false: there is none. */
bool lb_link_receive(struct lb_link *link, struct lb_peer *peer, zmq_msg_t *frame);
/* Sleeps until a message came, lb_link_wake was called, or `milliseconds` are over. */
void lb_link_wait(struct lb_link *link, long milliseconds);
/* The same for several links that one thread owns; those that are not open are left out. */
void lb_links_wait(struct lb_link *const *links, uint32_t count, long milliseconds);
/* From any thread. */
void lb_link_wake(struct lb_link *link);

/* "tcp://HOST:PORT" of an address that may lack its port; NULL with an error of usage that names `option`. The caller
 * frees it. `least` is the lowest port. */
char *lb_link_address(const char *option, const char *address, int least, struct lb_error *error);
/* Does the address of lb_link_address reach no further than this machine? */
bool lb_link_is_local(const char *address);
/* Listens at the address of lb_link_address, whose port may be 0: any that is free. Writes into `known` where others
 * join then. */
enum lb_status lb_link_listen(struct lb_link *link, const char *address, char *known, size_t size,
                              struct lb_error *error);

#endif
