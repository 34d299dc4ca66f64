/* A worker's own state, which the files that hold its side of the conversation share. All of it belongs to the thread
 * that owns the sockets. Times are those of lb_clock_now(). */
#ifndef LB_HOSTS_WORKER_H
#define LB_HOSTS_WORKER_H

#include "hosts/keeper.h"
#include "hosts/peers.h"
#include "hosts/renderer.h"

/* A scene's block, while it comes and afterwards. */
struct lb_block {
    struct lb_scene_mark mark; /* tells it from other scenes' */
    char *bytes;               /* NULL: there is none */
    uint64_t size;             /* how many bytes it has, */
    uint64_t asked;            /* up to where they were asked for, */
    uint64_t received;         /* and up to where they have come */
    uint64_t moved_bytes; /* how many bytes came in all, those that were damaged and came again included */
    bool lent;    /* some came from another worker: where the whole is damaged, the primary gives it anew */
    double moved; /* when bytes last came, or were first asked for */
    double heard; /* when the other worker last said anything, or bytes were first asked for */
    double begun; /* when the stripes that are timed began to come, */
    double raw;   /* and how many seconds those took that came as they are */
};

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

/* Takes what the primary said, which may be anything. */
void lb_worker_hear(struct lb_worker *w, const void *data, size_t size);

/* ---- the scene (fetch.c) ---- */

/* Takes a SCENE message: the primary offers another scene, or none any more. `size` bytes at `rest` are the address of
 * the worker that gives it. What is being rendered of the last scene is of no use any more. */
void lb_worker_take_scene(struct lb_worker *w, const struct lb_message *message, const void *rest,
                          size_t size);
/* The renderer has looked for the scene on the disk, and has read it or not. */
void lb_worker_looked(struct lb_worker *w, bool found);
/* Takes what the worker that gives the scene has said since the last call. Where it is silent, gives nothing, or says
 * what it should not, the primary gives the rest. */
void lb_worker_hear_source(struct lb_worker *w, double now);
/* Takes one message of that worker, which may be anything. */
void lb_worker_hear_other(struct lb_worker *w, const void *data, size_t size);
/* Takes a BYTES message of the primary, behind which are `size` bytes at `rest`. */
void lb_worker_take_bytes(struct lb_worker *w, const struct lb_message *message, const void *rest,
                          size_t size);
/* Tells the primary that ranges of the scene can be rendered from now on. */
void lb_worker_say_ready(struct lb_worker *w);
/* How many bytes of the scene were read from the disk or came over the network so far. */
uint64_t lb_worker_progress(struct lb_worker *w);
/* Frees the scene, which the renderer must not have any more. */
void lb_worker_forget_block(struct lb_worker *w);

/* ---- jobs (labour.c) ---- */

/* Takes a JOB message, which has `size` bytes at `data` in all. */
void lb_worker_take_job(struct lb_worker *w, const struct lb_message *message, const void *data, size_t size);
/* Sends what the renderer has rendered by now, and ends its tasks that are done. */
void lb_worker_deliver(struct lb_worker *w);

#endif
