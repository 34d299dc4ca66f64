/* A fuzzer's bytes as messages of other hosts: the first two bytes of each say how long it is, and something for the
 * caller; the rest is what is said. */
#ifndef LB_TEST_FUZZ_MESSAGES_H
#define LB_TEST_FUZZ_MESSAGES_H

#include "hosts/wire/message.h"

#include <stdlib.h>
#include <string.h>
#include <zmq.h>

/* A socket for a link that talks to nobody: a ROUTER drops what is for nobody. All runs share one context, whose
 * threads take longer to start than a run takes. */
static void *nobody(void)
{
    static void *context;
    if (!context)
        context = zmq_ctx_new();
    return zmq_socket(context, ZMQ_ROUTER);
}

struct said {
    char *text; /* of `length` bytes and one more, to be freed */
    size_t length;
    bool odd; /* a bit of the second byte, for the caller */
    bool has_head;
    struct lb_message head; /* where has_head: of a kind that there is, or the one behind them */
};

/* Cuts the next message off the bytes. False: there is none left. */
static bool said_next(const uint8_t **data, size_t *size, struct said *said)
{
    if (*size <= 2)
        return false;
    size_t length = (size_t)(*data)[0] * 8 + (*data)[1] / 2;
    said->odd = (*data)[1] % 2;
    said->length = length < *size - 2 ? length : *size - 2;
    said->text = malloc(said->length + 1);
    if (!said->text)
        return false;
    memcpy(said->text, *data + 2, said->length);
    *data += 2 + said->length;
    *size -= 2 + said->length;
    memset(&said->head, 0, sizeof said->head);
    said->has_head = said->length >= sizeof said->head;
    if (said->has_head) {
        memcpy(&said->head, said->text, sizeof said->head);
        said->head.kind %= LB_MESSAGE_KINDS + 1;
    }
    return true;
}

/* Puts the head, which the caller may have changed, back into the text. */
static void said_put_head(struct said *said)
{
    if (said->has_head)
        memcpy(said->text, &said->head, sizeof said->head);
}

#endif
