/* The file by which hosts trust each other: who holds it may serve and join, and nobody else can read or change what
 * its holders tell each other. It holds two pairs of keys of ZeroMQ's CURVE (on elliptic curve 25519): the host that
 * serves has the first pair, those that join have the second, and each side knows the other's public key. */
#ifndef LB_HOSTS_WIRE_KEY_H
#define LB_HOSTS_WIRE_KEY_H

#include "core/base/error.h"

/* A key in ZeroMQ's text form has 40 characters, and a 0 at the end. */
enum { LB_KEY_TEXT = 41 };
struct lb_key_pair {
    char public_key[LB_KEY_TEXT], secret_key[LB_KEY_TEXT];
};

struct lb_key {
    struct lb_key_pair primary, worker;
};

/* Reads a key that lb_key_make (hosts/hosts.h) made. LB_ERROR: the file cannot be read, others than its owner may read
 * or write it, or it is no key. */
enum lb_status lb_key_read(const char *path, struct lb_key *key, struct lb_error *error);

#endif
