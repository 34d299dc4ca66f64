#include "core/display/connection.h"

#include "core/base/number.h"
#include "core/machine/clock.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* How long one address may take to answer, and how long a blocked send waits before it asks whether to give up. */
enum { CONNECT_MILLISECONDS = 3000, LOOK_MILLISECONDS = 100 };

/* ---- addresses ---- */

/* Where the parts of an address stand in its text: the host without its brackets, and the port. */
struct address_parts {
    const char *host, *port;
    size_t host_length;
};

/* Finds the parts of "HOST:PORT"; false where the text is none. */
static bool split(const char *address, struct address_parts *parts)
{
    const char *colon = strrchr(address, ':');
    int64_t number;
    if (!colon || !lb_number_whole(colon + 1, strlen(colon + 1), 1, 65535, &number))
        return false;
    bool bracketed = *address == '[' && colon > address + 2 && colon[-1] == ']';
    parts->host = address + bracketed;
    parts->host_length = (size_t)(colon - address) - 2 * (size_t)bracketed;
    parts->port = colon + 1;
    return parts->host_length > 0 && *parts->port != '+' &&
           (bracketed || (*address != '[' && !memchr(address, ':', parts->host_length)));
}

bool lb_connection_names(const char *address)
{
    struct address_parts parts;
    return split(address, &parts);
}

/* ---- connecting ---- */

/* Waits for a connection that is being made. Returns 0, or the number of the error as errno has it. */
static int wait_connected(int connection)
{
    struct pollfd poller = {.fd = connection, .events = POLLOUT};
    int failed = 0, ready;
    socklen_t size = sizeof failed;
    do
        ready = poll(&poller, 1, CONNECT_MILLISECONDS);
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        return ETIMEDOUT;
    return ready < 0 || getsockopt(connection, SOL_SOCKET, SO_ERROR, &failed, &size) ? errno : failed;
}

/* Connects to one address. Returns a descriptor, or -1, and then `*failed` is the error as errno has it. */
static int connect_one(const struct addrinfo *where, int *failed)
{
    int on = 1;
    int connection =
        socket(where->ai_family, where->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, where->ai_protocol);
    if (connection < 0) {
        *failed = errno;
        return -1;
    }
    *failed = connect(connection, where->ai_addr, where->ai_addrlen) == 0 ? 0 : errno;
    if (*failed == EINPROGRESS || *failed == EINTR)
        *failed = wait_connected(connection);
    if (*failed) {
        close(connection);
        return -1;
    }
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return connection;
}

enum lb_status lb_connection_open(const char *address, int *connection, struct lb_error *error)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct address_parts parts;
    struct addrinfo *found;
    int failed = 0;
    *connection = -1;
    if (!split(address, &parts))
        return lb_error_set(error, LB_ERROR_USAGE, "\"%.400s\" is no HOST:PORT", address);
    char *host = strndup(parts.host, parts.host_length);
    int unknown = host ? getaddrinfo(host, parts.port, &hints, &found) : EAI_MEMORY;
    free(host);
    if (unknown)
        return lb_error_set(error, LB_ERROR, "%.400s: %s", address, gai_strerror(unknown));
    for (const struct addrinfo *where = found; where && *connection < 0; where = where->ai_next)
        *connection = connect_one(where, &failed);
    freeaddrinfo(found);
    return *connection >= 0 ? LB_OK : lb_error_set(error, LB_ERROR, "%.400s: %s", address, strerror(failed));
}

void lb_connection_close(int connection)
{
    if (connection >= 0)
        close(connection);
}

/* ---- sending ---- */

/* Reads and drops what the other side has sent, as nothing that it says matters here. False: it has closed the
 * connection. */
static bool is_open(int connection)
{
    char said[256];
    ssize_t size;
    do
        size = recv(connection, said, sizeof said, MSG_DONTWAIT);
    while (size > 0);
    return size < 0;
}

/* Sends as much as the system takes at once. Returns that number of bytes, 0 where none could be sent within a moment,
 * or -1 where the connection is broken. */
static ssize_t send_some(int connection, const char *data, size_t size)
{
    struct pollfd poller = {.fd = connection, .events = POLLOUT};
    ssize_t sent = send(connection, data, size, MSG_NOSIGNAL);
    if (sent >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
        return sent;
    poll(&poller, 1, LOOK_MILLISECONDS);
    return 0;
}

enum lb_status lb_connection_send(int connection, const void *data, size_t size,
                                  lb_connection_gives_up *gives_up, void *user, struct lb_error *error)
{
    const char *at = data;
    double last = lb_clock_now();
    while (size > 0) {
        if (!is_open(connection))
            return lb_error_set(error, LB_ERROR, "it has closed the connection");
        ssize_t sent = send_some(connection, at, size);
        if (sent < 0)
            return lb_error_set(error, LB_ERROR, "%s", strerror(errno));
        double now = lb_clock_now();
        at += sent;
        size -= (size_t)sent;
        last = sent > 0 ? now : last;
        if (size > 0 && gives_up(user, now - last))
            return lb_error_set(error, LB_ERROR, "it takes too little");
    }
    return LB_OK;
}
