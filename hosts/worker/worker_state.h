/* A worker's own state, which the files that hold its side of the conversation share. All of it belongs to the thread
 * that owns the sockets. Times are those of lb_clock_now(). */
#ifndef LB_HOSTS_WORKER_WORKER_STATE_H
#define LB_HOSTS_WORKER_WORKER_STATE_H

#include "hosts/worker/block.h"
#include "hosts/worker/keeper.h"
#include "hosts/worker/peers.h"
#include "hosts/worker/renderer.h"

struct lb_worker {
    const struct lb_worker_options *options;
    const struct lb_worker_site *site;
    const struct lb_log *log;
    char *address;    /* of the primary, complete */
    uint64_t program; /* a random number, which tells the primary that it knows this worker, or 0 */
    struct lb_link link;
    struct lb_key key;        /* what options->key holds */
    struct lb_peers peers;    /* the workers that get the scene from here */
    struct lb_link source;    /* to the worker that gives the scene; not open: the primary gives it */
    char source_address[200]; /* of that worker */
    struct lb_renderer renderer;
    struct lb_keeper keeper;
    bool joined;           /* the primary has let it in */
    bool leaves;           /* it leaves for good, */
    enum lb_status status; /* and ends with this, */
    struct lb_error error; /* and where that is not LB_OK, for this reason */
    double begun;          /* when it began to join */
    double heard;          /* when the primary last said anything, or the connection was begun */
    double told;           /* when it last told the primary that it lives */
    uint32_t attempt;      /* how often it has begun anew */
    struct lb_block block; /* of the scene that is open or on its way */
    bool open;             /* the renderer has opened it */
    /* The last large scene came faster as it is than packed, so all else is not packed either. */
    bool raw_is_faster;
};

/* Sends a message to the primary, with `size` bytes of `rest` behind it. False: the primary is not there. */
bool lb_worker_send(struct lb_worker *w, const struct lb_message *message, const void *rest, size_t size);
/* Lets the worker leave for good, because of what the primary said or did. */
void lb_worker_end(struct lb_worker *w, enum lb_status status, const char *why);
/* Lets the worker leave for good, because this host can render no more, and tells the primary why. */
void lb_worker_fail(struct lb_worker *w, const struct lb_error *error);

#endif
