/* The sockets of primary and workers. They are ZeroMQ's ROUTER, to which many peers connect, and DEALER, which connects
 * to one; both keep messages whole and in order and connect again by themselves. No function here but lb_link_wait and
 * lb_links_wait blocks. A link belongs to one thread; lb_link_wake alone may be called from any other. */
#ifndef LB_HOSTS_WIRE_LINK_H
#define LB_HOSTS_WIRE_LINK_H

#include "core/base/error.h"
#include "hosts/wire/key.h"
#include "hosts/wire/message.h"

#include <zmq.h>

struct lb_link {
    void *context, *socket;     /* ZeroMQ's; NULL: the link is not open */
    bool router;                /* the socket is a ROUTER */
    void *guard;                /* the socket over which libzmq asks who may connect; NULL: everybody may */
    char admitted[LB_KEY_TEXT]; /* the public key of those who may */
    int wake;                   /* an eventfd that lb_link_wake writes to */
};

/* Who said something, or is to be told something. For a DEALER, which has one peer alone, size is 0. */
struct lb_peer {
    size_t size; /* of its name, in bytes */
    /* The name that ZeroMQ gave to its connection: another connection of the same host has another one. */
    unsigned char name[32];
    char host[64]; /* the address of its host, as the network has it: "10.0.0.7" */
};

/* Opens a link of the type ZMQ_ROUTER or ZMQ_DEALER, which neither listens nor connects yet. A peer that sends a
 * message of more than `longest` bytes is disconnected. LB_ERROR: the system gives no socket. */
enum lb_status lb_link_open(struct lb_link *link, int type, int64_t longest, struct lb_error *error);
/* Closes the link; what was sent and not carried yet has half a second to leave. */
void lb_link_close(struct lb_link *link);
/* Closes the link at once and drops what was not carried yet. */
void lb_link_drop(struct lb_link *link);

/* From now on only workers that hold the key may connect, and all that is said is encrypted. To be called before the
 * link listens. LB_ERROR: this libzmq has no encryption. */
enum lb_status lb_link_guard(struct lb_link *link, const struct lb_key *key, struct lb_error *error);
/* From now on the link proves to its peer that it holds the key, and talks to none that does not. To be called before
 * it connects. LB_ERROR: this libzmq has no encryption. */
enum lb_status lb_link_unlock(struct lb_link *link, const struct lb_key *key, struct lb_error *error);
/* Answers libzmq's questions about who may connect that have come since the last call. */
void lb_link_admit(struct lb_link *link);

/* Sends a message, behind which go `size` bytes of `rest`. False: the peer is gone, or there is no memory. */
bool lb_link_send(struct lb_link *link, const struct lb_peer *peer, const struct lb_message *message,
                  const void *rest, size_t size);
/* Answers a peer's WANT message with want->count bytes at `from`, packed where the peer wants that and they become
 * fewer. Returns how many bytes the answer has; 0: the peer is gone. */
size_t lb_stripe_send(struct lb_link *link, const struct lb_peer *peer, const struct lb_message *want,
                      const void *from);
/* Takes the next message that came, and who sent it. The caller closes the frame. False: there is none. */
bool lb_link_receive(struct lb_link *link, struct lb_peer *peer, zmq_msg_t *frame);
/* Sleeps until a message comes, lb_link_wake is called, or so many milliseconds are over. */
void lb_link_wait(struct lb_link *link, long milliseconds);
/* Does the same for up to four links of one thread; those that are not open are left out. */
void lb_links_wait(struct lb_link *const *links, uint32_t count, long milliseconds);
/* Wakes the thread that sleeps in lb_link_wait, or will sleep there next. Any thread may call it. */
void lb_link_wake(struct lb_link *link);

/* Completes an address, whose port may be missing, to "tcp://HOST:PORT", which the caller frees; localhost becomes
 * 127.0.0.1. NULL: it is no
 * address, or its port is below `least`; then the error is one of usage that names the option `option`. */
char *lb_link_address(const char *option, const char *address, int least, struct lb_error *error);
/* True where an address that lb_link_address made reaches no further than this machine. */
/* Is the host's name in such an address known? Else `*why` says why not. It may take as long as name servers let one
 * wait. */
bool lb_link_knows_host(const char *address, const char **why);
bool lb_link_is_local(const char *address);
/* Listens at an address that lb_link_address made; its port 0 stands for any that is free. Writes the address by which
 * others connect then into `known`, which has `size` bytes. LB_ERROR: the address cannot be had. */
enum lb_status lb_link_listen(struct lb_link *link, const char *address, char *known, size_t size,
                              struct lb_error *error);

#endif
