/* Who may connect under a key, by ZeroMQ's authentication protocol (rfc.zeromq.org/spec/27). libzmq asks over a socket
 * inside the process whether the holder of a public key may come in. Who cannot prove to hold the secret key, too, does
 * not even get this far. */
#include "hosts/wire/link.h"

#include <errno.h>
#include <string.h>

/* The frames of a request. The last one is CURVE's own and has 32 bytes. */
enum { VERSION, REQUEST, DOMAIN_NAME, ADDRESS, IDENTITY, MECHANISM, PUBLIC_KEY, FRAMES };
enum { LONGEST_FRAME = 256 };

struct request {
    char frame[FRAMES][LONGEST_FRAME];
    size_t size[FRAMES];
    int count; /* of all frames that came, more than are kept included */
};

static bool receive(void *socket, struct request *request)
{
    int more = 1;
    size_t size = sizeof more;
    request->count = 0;
    while (more) {
        char rest[LONGEST_FRAME];
        char *into = request->count < FRAMES ? request->frame[request->count] : rest;
        int length = zmq_recv(socket, into, LONGEST_FRAME, ZMQ_DONTWAIT);
        if (length < 0 || zmq_getsockopt(socket, ZMQ_RCVMORE, &more, &size) != 0)
            return false;
        if (request->count < FRAMES)
            request->size[request->count] = length > LONGEST_FRAME ? LONGEST_FRAME : (size_t)length;
        request->count++;
    }
    return true;
}

static bool is_admitted(const struct lb_link *link, const struct request *request)
{
    unsigned char admitted[32];
    return request->count == FRAMES && request->size[MECHANISM] == 5 &&
           !memcmp(request->frame[MECHANISM], "CURVE", 5) && request->size[PUBLIC_KEY] == sizeof admitted &&
           zmq_z85_decode(admitted, link->admitted) != NULL &&
           !memcmp(request->frame[PUBLIC_KEY], admitted, sizeof admitted);
}

static void answer(void *socket, const struct request *request, bool admitted)
{
    const char *status = admitted ? "200" : "400";
    zmq_send(socket, "1.0", 3, ZMQ_SNDMORE);
    zmq_send(socket, request->frame[REQUEST], request->size[REQUEST], ZMQ_SNDMORE);
    zmq_send(socket, status, 3, ZMQ_SNDMORE);
    /* The answer's text, the name of the user, and what is known of that user are all empty. */
    zmq_send(socket, "", 0, ZMQ_SNDMORE);
    zmq_send(socket, "", 0, ZMQ_SNDMORE);
    zmq_send(socket, "", 0, 0);
}

enum lb_status lb_link_guard(struct lb_link *link, const struct lb_key *key, struct lb_error *error)
{
    int serves = 1;
    memcpy(link->admitted, key->worker.public_key, sizeof link->admitted);
    link->guard = zmq_socket(link->context, ZMQ_REP);
    if (link->guard && zmq_bind(link->guard, "inproc://zeromq.zap.01") == 0 &&
        zmq_setsockopt(link->socket, ZMQ_ZAP_DOMAIN, "lbrender", 8) == 0 &&
        zmq_setsockopt(link->socket, ZMQ_CURVE_SERVER, &serves, sizeof serves) == 0 &&
        zmq_setsockopt(link->socket, ZMQ_CURVE_SECRETKEY, key->primary.secret_key, LB_KEY_TEXT) == 0)
        return LB_OK;
    return lb_error_set(error, LB_ERROR, "--key: %s", zmq_strerror(errno));
}

enum lb_status lb_link_unlock(struct lb_link *link, const struct lb_key *key, struct lb_error *error)
{
    if (zmq_setsockopt(link->socket, ZMQ_CURVE_SERVERKEY, key->primary.public_key, LB_KEY_TEXT) == 0 &&
        zmq_setsockopt(link->socket, ZMQ_CURVE_PUBLICKEY, key->worker.public_key, LB_KEY_TEXT) == 0 &&
        zmq_setsockopt(link->socket, ZMQ_CURVE_SECRETKEY, key->worker.secret_key, LB_KEY_TEXT) == 0)
        return LB_OK;
    return lb_error_set(error, LB_ERROR, "--key: %s", zmq_strerror(errno));
}

void lb_link_admit(struct lb_link *link)
{
    struct request request;
    while (link->guard && receive(link->guard, &request))
        answer(link->guard, &request, is_admitted(link, &request));
}
