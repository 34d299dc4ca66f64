#include "hosts/wire/link.h"

#include "core/base/number.h"
#include "hosts/hosts.h"
#include "hosts/wire/pack.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* When a socket is closed, messages that were sent and not carried yet have so many milliseconds to leave, which is
 * enough for a last word on a slow link. */
enum { LINGER = 500 };
/* A connection that is not there after so many milliseconds is begun anew. The system tries the same one ever more
 * seldom, and so would find a host that comes late as late again. */
enum { CONNECT_TIMEOUT = 2000 };
/* So many messages of a peer wait to be heard at most; a stripe of pixels or of a scene has 64 KB. */
enum { MOST_UNHEARD = 256 };

static void set(void *socket, int option, int value)
{
    zmq_setsockopt(socket, option, &value, sizeof value);
}

enum lb_status lb_link_open(struct lb_link *link, int type, int64_t longest, struct lb_error *error)
{
    *link = (struct lb_link){.router = type == ZMQ_ROUTER, .wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    link->context = zmq_ctx_new();
    link->socket = link->context ? zmq_socket(link->context, type) : NULL;
    if (link->wake < 0 || !link->socket) {
        lb_error_set(error, LB_ERROR, "no socket for hosts: %s", zmq_strerror(errno));
        lb_link_close(link);
        return LB_ERROR;
    }
    set(link->socket, ZMQ_LINGER, LINGER);
    set(link->socket, ZMQ_SNDHWM, 0);
    set(link->socket, ZMQ_RCVHWM,
        MOST_UNHEARD); /* of each peer; it then sends no more, and nothing is lost */
    set(link->socket, ZMQ_IPV6, 1);
    set(link->socket, ZMQ_CONNECT_TIMEOUT, CONNECT_TIMEOUT);
    zmq_setsockopt(link->socket, ZMQ_MAXMSGSIZE, &longest, sizeof longest);
    if (type == ZMQ_ROUTER)
        set(link->socket, ZMQ_ROUTER_MANDATORY, 1);
    else
        set(link->socket, ZMQ_IMMEDIATE, 1); /* nothing is kept for a peer that is not there */
    return LB_OK;
}

void lb_link_close(struct lb_link *link)
{
    if (link->guard)
        zmq_close(link->guard);
    if (link->socket)
        zmq_close(link->socket);
    if (link->context)
        zmq_ctx_term(link->context);
    if (link->wake >= 0)
        close(link->wake);
    *link = (struct lb_link){.wake = -1};
}

void lb_link_drop(struct lb_link *link)
{
    if (link->socket)
        set(link->socket, ZMQ_LINGER, 0);
    lb_link_close(link);
}

bool lb_link_send(struct lb_link *link, const struct lb_peer *peer, const struct lb_message *message,
                  const void *rest, size_t size)
{
    zmq_msg_t frame;
    if (zmq_msg_init_size(&frame, sizeof *message + size) != 0)
        return false;
    memcpy(zmq_msg_data(&frame), message, sizeof *message);
    if (size)
        memcpy((char *)zmq_msg_data(&frame) + sizeof *message, rest, size);
    bool sent =
        !peer->size || zmq_send(link->socket, peer->name, peer->size, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0;
    if (sent && zmq_msg_send(&frame, link->socket, ZMQ_DONTWAIT) >= 0)
        return true;
    zmq_msg_close(&frame);
    return false;
}

size_t lb_stripe_send(struct lb_link *link, const struct lb_peer *peer, const struct lb_message *want,
                      const void *from)
{
    struct lb_message bytes = {
        .kind = LB_MESSAGE_BYTES, .scene = want->scene, .begin = want->begin, .count = want->count};
    char packed[LB_STRIPE_BYTES];
    size_t length = want->packed ? lb_pack(from, want->count, packed) : 0;
    bytes.packed = length > 0;
    size_t size = length ? length : want->count;
    return lb_link_send(link, peer, &bytes, length ? packed : from, size) ? sizeof bytes + size : 0;
}

/* Takes the other frames of a message that has more of them than ours have, and forgets them all. */
static void drop(struct lb_link *link, zmq_msg_t *frame)
{
    while (zmq_msg_more(frame)) {
        zmq_msg_close(frame);
        zmq_msg_init(frame);
        if (zmq_msg_recv(frame, link->socket, ZMQ_DONTWAIT) < 0)
            break;
    }
    zmq_msg_close(frame);
}

static bool receive_frame(struct lb_link *link, zmq_msg_t *frame)
{
    zmq_msg_init(frame);
    if (zmq_msg_recv(frame, link->socket, ZMQ_DONTWAIT) >= 0)
        return true;
    zmq_msg_close(frame);
    return false;
}

/* Notes from where the message came. A socket for both kinds of addresses shows those of IPv4 behind "::ffff:". */
static void note_host(zmq_msg_t *frame, struct lb_peer *peer)
{
    static const char old[] = "::ffff:";
    const char *host = zmq_msg_gets(frame, "Peer-Address");
    if (host && !strncmp(host, old, strlen(old)))
        host += strlen(old);
    snprintf(peer->host, sizeof peer->host, "%s", host ? host : "");
}

bool lb_link_receive(struct lb_link *link, struct lb_peer *peer, zmq_msg_t *frame)
{
    peer->size = 0;
    while (receive_frame(link, frame)) {
        if (link->router) {
            peer->size = zmq_msg_size(frame);
            bool fits = peer->size <= sizeof peer->name && zmq_msg_more(frame);
            if (fits)
                memcpy(peer->name, zmq_msg_data(frame), peer->size);
            if (!fits) {
                drop(link, frame);
                continue;
            }
            zmq_msg_close(frame);
            if (!receive_frame(link, frame))
                return false;
            note_host(frame, peer);
        }
        if (!zmq_msg_more(frame))
            return true;
        drop(link, frame);
    }
    return false;
}

/* Forgets that somebody called lb_link_wake, as the thread is awake now. */
static void calm(const struct lb_link *link)
{
    uint64_t number;
    if (read(link->wake, &number, sizeof number) < 0)
        return; /* nobody has called it since */
}

void lb_links_wait(struct lb_link *const *links, uint32_t count, long milliseconds)
{
    enum { EACH = 3, MOST = 4 };
    zmq_pollitem_t items[EACH * MOST];
    int used = 0;
    for (uint32_t i = 0; i < count && i < MOST; i++) {
        if (!links[i]->socket)
            continue;
        items[used++] = (zmq_pollitem_t){links[i]->socket, 0, ZMQ_POLLIN, 0};
        items[used++] = (zmq_pollitem_t){NULL, links[i]->wake, ZMQ_POLLIN, 0};
        if (links[i]->guard)
            items[used++] = (zmq_pollitem_t){links[i]->guard, 0, ZMQ_POLLIN, 0};
    }
    zmq_poll(items, used, milliseconds);
    for (uint32_t i = 0; i < count; i++)
        if (links[i]->socket)
            calm(links[i]);
}

void lb_link_wait(struct lb_link *link, long milliseconds)
{
    lb_links_wait(&link, 1, milliseconds);
}

void lb_link_wake(struct lb_link *link)
{
    uint64_t one = 1;
    if (write(link->wake, &one, sizeof one) < 0)
        return; /* it was called so often already that one more cannot be noted */
}

/* ---- addresses ---- */

static const char SCHEME[] = "tcp://", LOOPBACK[] = "127.0.0.1";

/* The length of the host in "HOST:PORT". An IPv6 address has colons, and stands in brackets. */
static size_t host_length(const char *host)
{
    const char *bracket = *host == '[' ? strchr(host, ']') : NULL;
    const char *from = bracket ? bracket : host;
    const char *colon = strchr(from, ':');
    return colon ? (size_t)(colon - host) : strlen(host);
}

char *lb_link_address(const char *option, const char *address, int least, struct lb_error *error)
{
    const char *host = address + strlen(SCHEME);
    if (strncmp(address, SCHEME, strlen(SCHEME)) || !host_length(host) || strlen(address) > 255) {
        lb_error_set(error, LB_ERROR_USAGE, "--%s: tcp://HOST or tcp://HOST:PORT is wanted, not \"%.256s\"",
                     option, address);
        return NULL;
    }
    size_t length = host_length(host);
    const char *port = host[length] == ':' ? host + length + 1 : NULL;
    int64_t number = LB_HOSTS_PORT;
    if (port && !lb_number_whole(port, strlen(port), least, 65535, &number)) {
        lb_error_set(error, LB_ERROR_USAGE, "--%s: a port is a number from %d to 65535, not \"%.256s\"",
                     option, least, port);
        return NULL;
    }
    /* libzmq would look for "localhost" at [::1] first, where nobody is who serves at 127.0.0.1. */
    static const char local[] = "localhost";
    bool is_local = length == strlen(local) && !strncmp(host, local, length);
    char whole[300];
    snprintf(whole, sizeof whole, "%s%.*s:%d", SCHEME, is_local ? (int)strlen(LOOPBACK) : (int)length,
             is_local ? LOOPBACK : host, (int)number);
    char *copy = strdup(whole);
    if (!copy)
        lb_error_memory(error, NULL);
    return copy;
}

bool lb_link_knows_host(const char *address, const char **why)
{
    const char *host = address + strlen(SCHEME);
    size_t length = host_length(host);
    bool bracket = *host == '[';
    struct addrinfo *found = NULL;
    char name[300];
    snprintf(name, sizeof name, "%.*s", (int)(length - 2 * bracket), host + bracket);
    int failure = getaddrinfo(name, NULL, NULL, &found);
    if (failure == 0)
        freeaddrinfo(found);
    else
        *why = gai_strerror(failure);
    return failure == 0;
}

bool lb_link_is_local(const char *address)
{
    static const char *const local[] = {LOOPBACK, "[::1]"};
    const char *host = address + strlen(SCHEME);
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        if (host_length(host) == strlen(local[i]) && !strncmp(host, local[i], strlen(local[i])))
            return true;
    return false;
}

enum lb_status lb_link_listen(struct lb_link *link, const char *address, char *known, size_t size,
                              struct lb_error *error)
{
    const char *host = address + strlen(SCHEME), *port = strrchr(address, ':') + 1;
    int length = (int)host_length(host);
    char any[300], bound[300] = "", self[65] = "localhost";
    size_t bound_size = sizeof bound;
    snprintf(any, sizeof any, "%s%.*s:%s", SCHEME, length, host, strcmp(port, "0") ? port : "*");
    if (zmq_bind(link->socket, any) != 0 ||
        zmq_getsockopt(link->socket, ZMQ_LAST_ENDPOINT, bound, &bound_size) != 0)
        return lb_error_set(error, LB_ERROR, "--serve: %s: %s", address,
                            errno == ENODEV ? "this machine has no such address" : zmq_strerror(errno));
    bool everywhere = length == 1 && *host == '*';
    if (everywhere)
        gethostname(self, sizeof self - 1);
    snprintf(known, size, "%s%.*s:%s", SCHEME, everywhere ? (int)strlen(self) : length,
             everywhere ? self : host, strrchr(bound, ':') + 1);
    return LB_OK;
}
