/* A worker's own state, which the files that hold its side of the conversation share. All of it belongs to the one
 * thread that owns the socket. */
#ifndef LB_HOSTS_WORKER_H
#define LB_HOSTS_WORKER_H

#include "hosts/peers.h"
#include "hosts/renderer.h"

/* A scene's block, while it comes and afterwards. */
struct lb_block {
    struct lb_scene_mark mark;
    char *bytes; /* NULL: none */
    uint64_t size, asked, received;
    bool lent;    /* some came from another worker: where the whole is damaged, the primary gives it anew */
    double moved; /* when bytes came last, or were first asked for */
    /* When the first bytes came, those of the first stripes, which are not packed, and those of as many more, which
     * are. */
    double begun, raw, packed;
};

struct lb_worker {
    const struct lb_worker_options *options;
    const struct lb_worker_site *site;
    const struct lb_log *log;
    struct lb_link link;
    struct lb_key key;     /* options->key's */
    struct lb_peers peers; /* who get the scene from here */
    struct lb_link source; /* the worker that it comes from; not open: it comes from the primary */
    char source_address[200];
    struct lb_renderer renderer;
    bool joined, leaves; /* leaves: for good, with `status` */
    enum lb_status status;
    struct lb_error error;
    double begun, heard, told;
    uint32_t attempt;      /* how often it has begun anew */
    struct lb_block block; /* of the scene that is open or on its way */
    bool open;             /* the renderer has it */
    bool raw_is_faster;    /* the last large scene came faster as it is than packed: so does all else */
};

/* Sends to the primary. False: it is not there. */
bool lb_worker_send(struct lb_worker *w, const struct lb_message *message, const void *rest, size_t size);
/* Leaves for good, because of the primary. */
void lb_worker_end(struct lb_worker *w, enum lb_status status, const char *why);
/* Leaves for good: this host can do no more; the primary gives its work to others. */
void lb_worker_fail(struct lb_worker *w, const struct lb_error *error);

/* What the primary said, which may be anything. */
void lb_worker_hear(struct lb_worker *w, const void *data, size_t size);

/* ---- the scene (fetch.c) ---- */

/* The primary has another scene, or none any more; `size` bytes behind the message say where it is to be had. What is
 * rendered of the last one is of no use. */
void lb_worker_take_scene(struct lb_worker *w, const struct lb_message *message, const void *rest,
                          size_t size);
/* The renderer has looked for the scene on the disk. */
void lb_worker_looked(struct lb_worker *w, bool found);
/* Hears the worker that the scene comes from; where that one is silent or lies, the primary gives the rest. */
void lb_worker_hear_source(struct lb_worker *w, double now);
/* Bytes of the scene came from the primary. */
void lb_worker_take_bytes(struct lb_worker *w, const struct lb_message *message, const void *rest,
                          size_t size);
/* The renderer has opened the scene, or was to close it. */
void lb_worker_say_ready(struct lb_worker *w);
void lb_worker_forget_block(struct lb_worker *w);

/* ---- jobs (labour.c) ---- */

/* A JOB of `size` bytes came. */
void lb_worker_take_job(struct lb_worker *w, const struct lb_message *message, const void *data, size_t size);
/* Sends what the renderer has by now. */
void lb_worker_deliver(struct lb_worker *w);

#endif
