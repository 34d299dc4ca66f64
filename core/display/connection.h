/* A connection to a program that listens on TCP, to which bytes are sent and nothing else. */
#ifndef LB_CORE_DISPLAY_CONNECTION_H
#define LB_CORE_DISPLAY_CONNECTION_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Is it "HOST:PORT"? A host is a name or an address, one of IPv6 in brackets; a port a number from 1 to 65535. */
bool lb_connection_names(const char *address);
/* Connects to the first of HOST's addresses that answers within 3 s. `*connection` is a file descriptor, or -1, for
 * which the error says why. */
enum lb_status lb_connection_open(const char *address, int *connection, struct lb_error *error);
void lb_connection_close(int connection);

/* Is it enough, after so many seconds in which the other side took nothing? Asked every tenth of a second at least. */
typedef bool lb_connection_gives_up(void *user, double idle_seconds);
/* Waits until the system has taken all bytes; what comes from the other side is dropped. After an error some of them
 * are gone, and the connection is of no use. */
enum lb_status lb_connection_send(int connection, const void *data, size_t size,
                                  lb_connection_gives_up *gives_up, void *user, struct lb_error *error);

#endif
