/* A connection to a program that listens on TCP, to which bytes are sent and nothing else. */
#ifndef LB_CORE_DISPLAY_CONNECTION_H
#define LB_CORE_DISPLAY_CONNECTION_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Is the text "HOST:PORT"? A host is a name or an address, where an IPv6 address stands in brackets; a port is a number
 * from 1 to 65535. */
bool lb_connection_names(const char *address);
/* Connects to the first of HOST's addresses that answers within 3 s. `*connection` becomes a file descriptor that the
 * caller closes, or -1 on an error, whose message says why. */
enum lb_status lb_connection_open(const char *address, int *connection, struct lb_error *error);
/* Closes a connection; nothing for -1. */
void lb_connection_close(int connection);

/* Asked while a connection is stuck, every tenth of a second at least: shall lb_connection_send() give up, now that the
 * other side has taken nothing for `idle_seconds`? */
typedef bool lb_connection_gives_up(void *user, double idle_seconds);
/* Sends `size` bytes and returns when the system has taken all of them. What the other side sends is read and dropped.
 * After an error part of the bytes may have been sent, so the connection is of no further use. */
enum lb_status lb_connection_send(int connection, const void *data, size_t size,
                                  lb_connection_gives_up *gives_up, void *user, struct lb_error *error);

#endif
